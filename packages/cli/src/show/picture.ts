/**
 * A match as a picture: things as discs in the colour of their layer, hits as flashes, deaths as sparks.
 *
 * It knows no game. Layers have numbers, things have places, and events that name a `victim` or a place say where
 * something happened; that is enough to see any game of the plane.
 */

import { type AnyWorld, findRow } from 'hurtbox'
import { type Canvas, type Colour, fillCircle } from './canvas.ts'

type Box = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number }

export type Picture = {
  readonly area: Box
  /** Tick of the last hit on a thing, by id. */
  readonly hitAt: Map<number, number>
  readonly sparks: { readonly x: number; readonly y: number; readonly tick: number }[]
}

/** By layer; more layers begin again. Chosen to differ in brightness too. */
const LAYER_COLOURS: readonly Colour[] = [51, 167, 228, 54, 114, 208, 141, 250]
const FLASH: Colour = 231
const SPARK_COLOURS: readonly Colour[] = [231, 226, 208, 130]
const FLASH_TICKS = 6
const SPARK_TICKS = 16

/** A picture of the area in which things stand now. */
export function createPicture(world: AnyWorld): Picture {
  const { x, y, radius, count } = world.tables.things
  const area = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (let row = 0; row < count; row++) {
    area.left = Math.min(area.left, x[row] - radius[row])
    area.right = Math.max(area.right, x[row] + radius[row])
    area.top = Math.min(area.top, y[row] - radius[row])
    area.bottom = Math.max(area.bottom, y[row] + radius[row])
  }
  return {
    area: area.left < area.right ? area : { left: 0, top: 0, right: 1, bottom: 1 },
    hitAt: new Map(),
    sparks: [],
  }
}

/** Width of the area by its height. */
export function aspectOf({ area }: Picture): number {
  return (area.right - area.left) / (area.bottom - area.top)
}

/** Notes what the last tick told. */
export function watchTick(picture: Picture, world: AnyWorld): void {
  for (const list of world.memory.events) {
    const columns = Object.fromEntries(list.columns.map(({ name, array }) => [name, array]))
    for (let n = 0; n < list.count; n++) {
      if (columns.victim !== undefined) picture.hitAt.set(columns.victim[n], world.tick)
      if (columns.x !== undefined && columns.y !== undefined) {
        picture.sparks.push({ x: columns.x[n], y: columns.y[n], tick: world.tick })
      }
    }
  }
  for (const [id, tick] of picture.hitAt) if (tick + FLASH_TICKS < world.tick) picture.hitAt.delete(id)
  while (picture.sparks.length > 0 && picture.sparks[0].tick + SPARK_TICKS < world.tick) picture.sparks.shift()
}

export function draw(picture: Picture, world: AnyWorld, canvas: Canvas): void {
  const { area, hitAt, sparks } = picture
  const { things, players } = world.tables
  const scale = canvas.width / (area.right - area.left)
  const disc = (x: number, y: number, radius: number, colour: Colour) =>
    fillCircle(canvas, (x - area.left) * scale, (y - area.top) * scale, radius * scale, colour)

  canvas.pixels.fill(0)
  // Large things first, so that what moves over a field is seen.
  const rows = Array.from({ length: things.count }, (_, row) => row)
  rows.sort((a, b) => things.radius[b] - things.radius[a] || a - b)
  for (const row of rows) {
    const colour = hitAt.has(things.id[row]) ? FLASH : LAYER_COLOURS[things.layer[row] % LAYER_COLOURS.length]
    disc(things.x[row], things.y[row], things.radius[row], colour)
  }
  for (const { x, y, tick } of sparks) {
    const age = (world.tick - tick) / (SPARK_TICKS + 1)
    const colour = SPARK_COLOURS[Math.floor(age * SPARK_COLOURS.length)]
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      const reach = (1 + age * 3) / scale
      disc(x + dx * reach, y + dy * reach, 0, colour)
    }
  }
  // Whom people play, always on top.
  for (let row = 0; row < players.count; row++) {
    const thing = findRow(things, players.thing[row])
    if (thing < 0) continue
    const colour = hitAt.has(things.id[thing]) ? FLASH : LAYER_COLOURS[things.layer[thing] % LAYER_COLOURS.length]
    disc(things.x[thing], things.y[thing], things.radius[thing], colour)
  }
}
