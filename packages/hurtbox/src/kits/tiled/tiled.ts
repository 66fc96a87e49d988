/**
 * Levels drawn in Tiled, as what a game declares: pieces of a static map, and objects to spawn.
 *
 * A property `layer` makes something solid, on that layer of the game: on a layer of tiles, on a tile of a set, on a layer of objects or on
 * an object, the narrower before the wider; `door` names what opens it. What has no `layer` is for drawing, or an object
 * of the game. Whatever cannot be a piece is refused with the layer and the tile or object it is in: a level with a hole in
 * its floor is worse than none.
 */

import { HurtboxError } from '../../base/errors.ts'
import { TAU } from '../../geometry/math/scalar.ts'
import { direction } from '../../geometry/math/trig.ts'
import type { OnLayer, StaticShape } from '../../rules/collide/statics.ts'
import { mergeTiles } from '../../rules/collide/tiles.ts'
import type { TiledFile, TiledLayer, TiledObject, TiledProperty, TiledSet, TiledTile } from './format.ts'

export type LevelPiece<L extends string = string> = StaticShape<OnLayer<L, string>>

/** An object of the level that is no piece of its map: a place to start, a chest, a zone. */
export type LevelObject<K extends string = string> = {
  readonly id: number
  readonly name: string
  /** Its class in Tiled. */
  readonly kind: K
  /** Its middle, and its size: 0 for a point. */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly properties: Readonly<Record<string, unknown>>
}

export type Level<L extends string = string, K extends string = string> = {
  readonly width: number
  readonly height: number
  /** For `defineStatics`, and as content of the declaration. */
  readonly map: readonly LevelPiece<L>[]
  readonly objects: readonly LevelObject<K>[]
}

/** Bits of a tile's number that say how it is turned. */
const FLIP_X = 0x80000000
const FLIP_Y = 0x40000000
const TRANSPOSE = 0x20000000
const NUMBER = 0x0fffffff

type Solid = OnLayer<string, string>
type Reading = {
  readonly file: TiledFile
  readonly tiles: ReadonlyMap<number, TiledTile>
  readonly map: LevelPiece[]
  readonly objects: LevelObject[]
}

/** Reads a level. Sets of tiles that lie in files of their own are given by the name that the level has for them. */
export function readTiled(file: TiledFile, sets: Readonly<Record<string, TiledSet>> = {}): Level {
  requireLevel(file)
  const tiles = new Map<number, TiledTile>()
  for (const set of file.tilesets ?? []) {
    const { source } = set
    if (source !== undefined && !Object.hasOwn(sets, source)) {
      throw new HurtboxError(
        'bad-argument',
        `the set of tiles "${source}" is a file of its own, which readTiled was not given.`,
      )
    }
    const read = source === undefined ? set : sets[source]
    for (const tile of read.tiles ?? []) tiles.set((set.firstgid ?? 1) + tile.id, tile)
  }
  const reading: Reading = { file, tiles, map: [], objects: [] }
  for (const layer of file.layers) readLayer(reading, layer, 0, 0, undefined)
  const { map, objects } = reading
  return { width: file.width * file.tilewidth, height: file.height * file.tileheight, map, objects }
}

function requireLevel(file: TiledFile): void {
  if (typeof file !== 'object' || file === null || !Array.isArray(file.layers)) {
    throw new HurtboxError('bad-argument', 'this is no map of Tiled: it has no layers. Save it as JSON (.tmj).')
  }
  if (file.orientation !== undefined && file.orientation !== 'orthogonal') {
    throw new HurtboxError('bad-argument', `the map is ${file.orientation}; only orthogonal maps can be read.`)
  }
  if (file.infinite) {
    throw new HurtboxError(
      'bad-argument',
      'the map is infinite. Switch that off in Tiled: Map, Map Properties, Infinite.',
    )
  }
}

function readLayer(reading: Reading, layer: TiledLayer, x: number, y: number, around: Solid | undefined): void {
  const left = x + (layer.offsetx ?? 0)
  const top = y + (layer.offsety ?? 0)
  const where = `layer "${layer.name}"`
  const solid = solidOf(layer.properties, around, where)
  if (layer.type === 'group') for (const inner of layer.layers ?? []) readLayer(reading, inner, left, top, solid)
  else if (layer.type === 'tilelayer') readTiles(reading, layer, left, top, solid, where)
  else if (layer.type === 'objectgroup')
    for (const object of layer.objects ?? []) readObject(reading, object, left, top, solid, where)
}

/** The layer and door that properties give, or those around them. `layer: ""` makes something inside a solid layer not solid. */
function solidOf(
  properties: readonly TiledProperty[] = [],
  around: Solid | undefined,
  where: string,
): Solid | undefined {
  const text = (name: string) => {
    const found = properties.find((property) => property.name === name)
    if (found === undefined || typeof found.value === 'string') return found?.value as string | undefined
    throw new HurtboxError(
      'bad-argument',
      `${where}: its property ${name} must be a text, got ${JSON.stringify(found.value)}.`,
    )
  }
  const layer = text('layer') ?? around?.layer
  const door = text('door') ?? around?.door
  if (layer === undefined || layer === '') return undefined
  return door === undefined || door === '' ? { layer } : { layer, door }
}

function readTiles(
  reading: Reading,
  { data, encoding, compression, width = 0, height = 0 }: TiledLayer,
  left: number,
  top: number,
  around: Solid | undefined,
  where: string,
): void {
  if (!Array.isArray(data)) {
    const how = [encoding, compression].filter(Boolean).join(', ') || 'unknown'
    throw new HurtboxError(
      'bad-argument',
      `${where}: its tiles are encoded (${how}). Choose CSV in Tiled: Map Properties, Tile Layer Format.`,
    )
  }
  const { tilewidth, tileheight } = reading.file
  /** Whole tiles by what they are, so that neighbours of one sort are merged; the others are pieces of their own. */
  const grids = new Map<string, { readonly solid: Solid; readonly cells: Set<number> }>()
  for (let at = 0; at < width * height; at++) {
    const gid = data[at] >>> 0
    if (gid === 0) continue
    const tile = reading.tiles.get(gid & NUMBER)
    const place = `${where}, tile ${at % width}, ${Math.floor(at / width)}`
    const solid = solidOf(tile?.properties, around, place)
    if (solid === undefined) continue
    const shapes = tile?.objectgroup?.objects ?? []
    for (const shape of shapes) {
      const piece = pieceOf(shape, solid, place, (x, y) => turned(x, y, gid, tilewidth, tileheight))
      reading.map.push(movedBy(piece, left + (at % width) * tilewidth, top + Math.floor(at / width) * tileheight))
    }
    if (shapes.length > 0) continue
    const key = `${solid.layer}\n${solid.door ?? ''}`
    if (!grids.has(key)) grids.set(key, { solid, cells: new Set() })
    grids.get(key)!.cells.add(at)
  }
  for (const { solid, cells } of grids.values()) {
    for (const run of mergeTiles(width, height, (col, row) => cells.has(row * width + col))) {
      reading.map.push({
        ...solid,
        minX: left + run.first * tilewidth,
        minY: top + run.top * tileheight,
        maxX: left + run.end * tilewidth,
        maxY: top + run.bottom * tileheight,
      })
    }
  }
}

function readObject(
  reading: Reading,
  object: TiledObject,
  left: number,
  top: number,
  around: Solid | undefined,
  where: string,
): void {
  const { id = 0, name = '', x, y, width = 0, height = 0, gid } = object
  const place = `${where}, object ${id}${name === '' ? '' : ` "${name}"`}`
  const solid = solidOf(object.properties, around, place)
  if (solid !== undefined && !object.point) {
    reading.map.push(movedBy(pieceOf(object, solid, place), left, top))
    return
  }
  const properties = Object.fromEntries((object.properties ?? []).map((property) => [property.name, property.value]))
  // A tile that stands as an object has its place at its foot on the left, everything else above on the left.
  const middleY = gid === undefined ? y + height / 2 : y - height / 2
  reading.objects.push({
    id,
    name,
    kind: object.type || object.class || '',
    x: left + x + width / 2,
    y: top + middleY,
    width,
    height,
    properties,
  })
}

/** A shape as a piece, with its corners turned by what a tile is turned by. */
function pieceOf(
  object: TiledObject,
  solid: Solid,
  where: string,
  turn: (x: number, y: number) => readonly [number, number] = (x, y) => [x, y],
): LevelPiece {
  const { x, y, width = 0, height = 0, rotation = 0, polygon, polyline } = object
  if (object.gid !== undefined || object.text !== undefined) {
    throw new HurtboxError(
      'bad-argument',
      `${where}: a ${object.gid === undefined ? 'text' : 'tile'} as an object has no shape. Draw a rectangle or a polygon.`,
    )
  }
  const ahead = aheadOf(rotation)
  const corner = (dx: number, dy: number) => turn(x + ahead.x * dx - ahead.y * dy, y + ahead.y * dx + ahead.x * dy)
  if (object.ellipse) {
    if (width !== height)
      throw new HurtboxError('bad-argument', `${where}: an ellipse must be a circle, got ${width} by ${height}.`)
    const [middleX, middleY] = corner(width / 2, height / 2)
    return { ...solid, x: middleX, y: middleY, radius: width / 2 }
  }
  if (polyline !== undefined) {
    if (polyline.length !== 2)
      throw new HurtboxError('bad-argument', `${where}: a line must have two ends, got ${polyline.length}.`)
    return { ...solid, from: corner(polyline[0].x, polyline[0].y), to: corner(polyline[1].x, polyline[1].y) }
  }
  if (polygon !== undefined) return { ...solid, points: polygon.map((point) => corner(point.x, point.y)) }
  const corners = [corner(0, 0), corner(width, 0), corner(width, height), corner(0, height)]
  if (!isUpright(corners)) return { ...solid, points: corners }
  const [xs, ys] = [corners.map(([cx]) => cx), corners.map(([, cy]) => cy)]
  return { ...solid, minX: Math.min(...xs), minY: Math.min(...ys), maxX: Math.max(...xs), maxY: Math.max(...ys) }
}

/** Quarter turns are exact, so that a rectangle stays one. */
function aheadOf(degrees: number): { x: number; y: number } {
  const quarters = (((degrees / 90) % 4) + 4) % 4
  if (Number.isInteger(quarters)) return { x: [1, 0, -1, 0][quarters], y: [0, 1, 0, -1][quarters] }
  const ahead = { x: Number.NaN, y: Number.NaN }
  direction((degrees * TAU) / 360, ahead)
  return ahead
}

function isUpright(corners: readonly (readonly [number, number])[]): boolean {
  return new Set(corners.map(([x]) => x)).size <= 2 && new Set(corners.map(([, y]) => y)).size <= 2
}

/** Where a point of a tile is when the tile is turned: first along its diagonal, then to the side, then up. */
function turned(x: number, y: number, gid: number, width: number, height: number): readonly [number, number] {
  const [across, down] = (gid & TRANSPOSE) === 0 ? [x, y] : [y, x]
  return [(gid & FLIP_X) === 0 ? across : width - across, (gid & FLIP_Y) === 0 ? down : height - down]
}

function movedBy(piece: LevelPiece, x: number, y: number): LevelPiece {
  const at = ([px, py]: readonly [number, number]) => [px + x, py + y] as const
  if ('minX' in piece)
    return { ...piece, minX: piece.minX + x, minY: piece.minY + y, maxX: piece.maxX + x, maxY: piece.maxY + y }
  if ('points' in piece) return { ...piece, points: piece.points.map(at) }
  if ('from' in piece) return { ...piece, from: at(piece.from), to: at(piece.to) }
  return { ...piece, x: piece.x + x, y: piece.y + y }
}
