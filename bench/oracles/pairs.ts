/** Which circles overlap, found the plain way. Every pair up to a few thousand; above, a `Map` of cells. */

import type { Circles } from '../scenes/circles.ts'
import { addCouple, addUnordered, type Couples, createCouples } from './compare.ts'

/** Testing every pair of 4,000 takes 20 ms; a million would take twenty minutes. That both ways agree is a test. */
const BRUTE_FORCE_LIMIT = 4000

export function overlappingPairs(circles: Circles): Couples {
  return circles.count <= BRUTE_FORCE_LIMIT ? everyPair(circles) : pairsByCell(circles)
}

export function everyPair(circles: Circles): Couples {
  const found = createCouples(circles.count)
  for (let a = 0; a < circles.count; a++) {
    for (let b = a + 1; b < circles.count; b++) {
      if (overlap(circles, a, b)) addCouple(found, a, b)
    }
  }
  return found
}

/** Each thing lies in one cell; cells as wide as the largest diameter, so partners are at most one cell away. */
export function pairsByCell(circles: Circles): Couples {
  const found = createCouples(circles.count)
  const cellSize = 2 * circles.radius.reduce((largest, radius) => Math.max(largest, radius), 0)
  const cells = new Map<number, number[]>()
  const cellAt = (col: number, row: number) => (col + 100_000) * 1_000_000 + row + 100_000
  for (let thing = 0; thing < circles.count; thing++) {
    const col = Math.floor(circles.x[thing] / cellSize)
    const row = Math.floor(circles.y[thing] / cellSize)
    // Those already placed have lower ids, so each pair is seen once.
    for (let nearCol = col - 1; nearCol <= col + 1; nearCol++) {
      for (let nearRow = row - 1; nearRow <= row + 1; nearRow++) {
        for (const other of cells.get(cellAt(nearCol, nearRow)) ?? []) {
          if (overlap(circles, other, thing)) addUnordered(found, other, thing)
        }
      }
    }
    const own = cells.get(cellAt(col, row))
    if (own) own.push(thing)
    else cells.set(cellAt(col, row), [thing])
  }
  return found
}

/** How far (px) the circles are from just touching. */
export function pairGapPx(circles: Circles, a: number, b: number): number {
  const distance = Math.hypot(circles.x[a] - circles.x[b], circles.y[a] - circles.y[b])
  return Math.abs(distance - circles.radius[a] - circles.radius[b])
}

function overlap({ x, y, radius, layer, meets }: Circles, a: number, b: number): boolean {
  const dx = x[a] - x[b]
  const dy = y[a] - y[b]
  const reach = radius[a] + radius[b]
  return dx * dx + dy * dy <= reach * reach && (meets[layer[a]] & (1 << layer[b])) !== 0
}
