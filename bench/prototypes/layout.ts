/** Where everything is in the memory of the kernels, and the few idioms they share. */

import { add, type Code, geS, i32, type Local, loadF, loadI, loopWhile, ltS, shl, sub } from './assembler.ts'

/** Where everything is, in bytes. */
export type Places = ReturnType<typeof placesFor>

export function placesFor(capacity: number) {
  let end = 0
  const take = (bytes: number) => {
    const start = end
    end = (end + bytes + 64 + 63) & ~63
    return start
  }
  const candidates = 16 * capacity
  const places = {
    swizzles: take(256),
    lanes: take(16),
    meets: take(128),
    // The frame of the grid: originX, originY, perCell, maxRadius, slack; cols, rows.
    frame: take(64),
    x: take(8 * capacity),
    y: take(8 * capacity),
    radius: take(8 * capacity),
    layer: take(capacity),
    cellOf: take(4 * capacity),
    cellStart: take(4 * (12 * capacity + 512)),
    entryX: take(8 * capacity),
    entryY: take(8 * capacity),
    entryRadius: take(8 * capacity),
    singleX: take(4 * capacity),
    singleY: take(4 * capacity),
    singleRadius: take(4 * capacity),
    key: take(4 * capacity),
    cellAt: take(4 * capacity),
    own: take(4 * candidates),
    other: take(4 * candidates),
    lower: take(4 * candidates),
    higher: take(4 * candidates),
    a: take(4 * candidates),
    b: take(4 * candidates),
    firstOf: take(4 * (capacity + 2)),
    bits: take(capacity >> 3),
    bitWords: take(capacity >> 8),
    out: take(4 * capacity),
  }
  return { ...places, end }
}

export const ORIGIN_X = 0
export const ORIGIN_Y = 8
export const PER_CELL = 16
export const MAX_RADIUS = 24
export const SLACK = 32
export const COLS = 40
export const ROWS = 44

export const word = (index: Code): Code => shl(index, i32(2))
export const double = (index: Code): Code => shl(index, i32(3))
export const increment = (local: Local, by: Code = i32(1)): Code => local.set(add(local.get, by))
export const times = (counter: Local, end: Code, ...body: Code[]): Code => [
  ...counter.set(i32(0)),
  ...loopWhile(ltS(counter.get, end), ...body, increment(counter)),
]
export const backwards = (counter: Local, from: Code, ...body: Code[]): Code => [
  ...counter.set(sub(from, i32(1))),
  ...loopWhile(geS(counter.get, i32(0)), ...body, increment(counter, i32(-1))),
]

/** The first entry of a cell, and the numbers of the frame. */
export function readersOf(at: Places) {
  return {
    cellStart: (cell: Code) => loadI(word(cell), at.cellStart),
    frameF: (offset: number) => loadF(i32(at.frame), offset),
    frameI: (offset: number) => loadI(i32(at.frame), offset),
  }
}
