/** Places of all things at once, for views that paint by rows. */

import { type Place, placeBetween } from 'hurtbox/picture'
import { describe, expect, test } from 'vitest'
import { angleAt, createPlaces, type Places, placeAll } from './index.ts'

type Row = readonly [id: number, x: number, y: number, teleports?: number, layer?: number, turn?: number]

const declaration = { capacity: 8, layers: { ship: [], rock: [] } }
const layout = (wrap?: Places['wrap']): Places => createPlaces(declaration as never, wrap)

const state = (rows: readonly Row[]) => ({
  game: { layers: { names: ['ship', 'rock'] } },
  tables: {
    things: {
      count: rows.length,
      id: Uint32Array.from(rows, ([id]) => id),
      x: Float64Array.from(rows, ([, x]) => x),
      y: Float64Array.from(rows, ([, , y]) => y),
      teleports: Uint8Array.from(rows, ([, , , teleports = 0]) => teleports),
      layer: Uint8Array.from(rows, ([, , , , layer = 0]) => layer),
      turn: Float64Array.from(rows, ([, , , , , turn = 0]) => turn),
    },
  },
})

/** A moment of a host that corrects nothing. */
const between = (before: unknown, after: unknown, alpha: number) => {
  const shown = { before, after, alpha } as Parameters<typeof placeBetween>[0]
  return { ...shown, place: (id: number, out: Place) => placeBetween(shown, id, out) }
}

describe('between two states', () => {
  test('[VW20] things are followed by id though rows have closed up; a new thing is drawn where it is', () => {
    const places = layout()
    const before = state([
      [1, 0, 0],
      [2, 10, 0],
      [5, 0, 100],
    ])
    const after = state([
      [2, 20, 4],
      [5, 0, 200],
      [9, 7, 7],
    ])
    placeAll(places, between(before, after, 0.25))
    expect([...places.x.slice(0, 3)]).toEqual([12.5, 0, 7])
    expect([...places.y.slice(0, 3)]).toEqual([1, 125, 7])
    expect([...places.from.slice(0, 3)]).toEqual([1, 2, -1])
  })

  test('[VW21] a thing that was put somewhere else is drawn there at once; on a closed plane it takes the shorter way', () => {
    const places = layout({ width: 1024, height: 1024 })
    const before = state([
      [1, 0, 0, 3, 0, 3],
      [2, 500, 0],
    ])
    const after = state([
      [1, 90, 90, 4, 0, -3],
      [2, -500, 0],
      [3, 0, 0, 0, 0, 2],
    ])
    const moment = between(before, after, 0.5)
    placeAll(places, moment)
    expect([places.x[0], places.y[0]]).toEqual([90, 90])
    expect(Math.abs(places.x[1])).toBe(512)
    expect(angleAt(places, moment, 'turn', 0)).toBeCloseTo(-Math.PI, 9)
    expect(angleAt(places, moment, 'turn', 2)).toBe(2)
  })

  test('[VW35] rows are listed by layer, oldest first, without those that are not shown or not there', () => {
    const places = layout()
    const world = state([
      [1, 0, 0, 0, 1],
      [2, 10, 0, 0, 0],
      [3, 20, 0, 0, 1],
      [4, 30, 0, 0, 1],
      [5, 40, 0, 0, 0],
    ])
    const moment = between(world, world, 1)
    placeAll(places, moment)
    expect(places.rows).toEqual({ ship: [1, 4], rock: [0, 2, 3] })
    placeAll(places, moment, (row) => places.x[row] < 25)
    expect(places.rows).toEqual({ ship: [1], rock: [0, 2] })
    placeAll(places, { ...moment, place: (id, out) => id !== 3 && moment.place(id, out) })
    expect(places.rows).toEqual({ ship: [1, 4], rock: [0, 3] })
    expect(places.x[2]).toBe(20)
  })
})

test('[PV9] views draw things where the host says, so that corrections of predictions fade in them, too', () => {
  const places = layout()
  const world = state([[1, 10, 20]])
  const place = (_id: number, out: { x: number; y: number }) => {
    out.x = 7
    out.y = 20
    return true
  }
  placeAll(places, { before: world, after: world, alpha: 1, place })
  expect([places.x[0], places.y[0]]).toEqual([7, 20])
})
