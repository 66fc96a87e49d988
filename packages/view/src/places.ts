/**
 * Places of all things at once, for views that paint: a canvas, or anything else that draws by rows and keeps no objects.
 *
 * Painting goes from back to front and colour by colour, so it meets the same thing in several loops. The places are worked out once per
 * frame, by row of the picture's later state, beside the columns of that state; and the rows are listed by layer.
 */

import { findRow } from 'hurtbox'
import { createPlace, type Picture, placeBetween, shorter, type Wrap } from 'hurtbox/picture'
import type { AnyDeclaration, AnyWorld, Declaration } from 'hurtbox/tools'

export type Places<D extends Declaration = AnyDeclaration> = {
  /** By row of the later state. */
  readonly x: Float64Array
  readonly y: Float64Array
  readonly z: Float64Array
  /** The row in the earlier state, −1 for what is new. */
  readonly from: Int32Array
  /** The rows of each layer, oldest thing first. */
  readonly rows: { readonly [L in LayerOf<D>]: number[] }
  /** Sides of a plane that wraps around. */
  readonly wrap: Wrap | undefined
}

type LayerOf<D extends Declaration> = keyof D['layers'] & string

/** What of a picture is needed: a frame of the studio has it as well. */
type Shown = Pick<Picture, 'alpha' | 'place'> & { readonly before: unknown; readonly after: unknown }

/** Room for the places of a game's things. `wrap`: sides of a plane that wraps around, where the host does not know them. */
export function createPlaces<D extends Declaration>({ capacity = 1024, layers }: D, wrap?: Wrap): Places<D> {
  const column = () => new Float64Array(capacity)
  const rows = Object.fromEntries(Object.keys(layers ?? {}).map((layer) => [layer, [] as number[]]))
  return { x: column(), y: column(), z: column(), from: new Int32Array(capacity), rows: rows as never, wrap }
}

/**
 * Works out where everything is drawn. `isShown` leaves rows out of the lists by layer (outside the screen, in the fog); their places
 * are there all the same.
 */
export function placeAll(places: Places, picture: Shown, isShown?: (row: number) => boolean): void {
  const { x, y, z, from, rows, wrap } = places
  const shown = { before: picture.before as AnyWorld, after: picture.after as AnyWorld, alpha: picture.alpha }
  const { things } = shown.after.tables
  const lists: number[][] = shown.after.game.layers.names.map((name: string) => rows[name])
  for (const list of lists) list.length = 0
  for (let row = 0; row < things.count; row++) {
    const id = things.id[row]
    const isThere = wrap === undefined ? picture.place(id, place) : placeBetween(shown, id, place, wrap)
    if (!isThere) placeBetween(shown, id, place)
    x[row] = place.x
    y[row] = place.y
    z[row] = place.z
    from[row] = findRow(shown.before.tables.things, id)
    if (isThere && (isShown === undefined || isShown(row))) lists[things.layer[row]].push(row)
  }
}

const place = createPlace()

/** A column of angles at the moment of the picture, by the shorter way round; where it is new, as it is. */
export function angleAt({ from }: Places, picture: Omit<Shown, 'place'>, column: string, row: number): number {
  const { things } = (picture.after as AnyWorld).tables
  const { things: earlier } = (picture.before as AnyWorld).tables
  const angle = things[column][row]
  return from[row] < 0 ? angle : angle - shorter(angle - earlier[column][from[row]], 2 * Math.PI) * (1 - picture.alpha)
}
