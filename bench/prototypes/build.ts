/** The grid: the same cells and the same order of entries as in the engine. */

import * as asm from './assembler.ts'
import { add, type Code, F64, I32, i32, type Kernel, type Local, loadF, loadI, shl, storeI, sub } from './assembler.ts'
import {
  backwards,
  COLS,
  double,
  MAX_RADIUS,
  ORIGIN_X,
  ORIGIN_Y,
  PER_CELL,
  type Places,
  ROWS,
  readersOf,
  SLACK,
  times,
  word,
} from './layout.ts'

/** Enters circles 0 to count - 1 into cells of the given size, or of twice the largest radius where that is more. */
export function buildKernel(at: Places): Kernel {
  const { cellStart } = readersOf(at)
  return {
    name: 'build',
    params: [I32, F64],
    returns: [],
    body: ([count, size], local) => {
      const i = local(I32)
      const cell = local(I32)
      const cols = local(I32)
      const rows = local(I32)
      const sum = local(I32)
      const place = local(I32)
      const per = local(F64)
      const minX = local(F64)
      const minY = local(F64)
      const maxX = local(F64)
      const maxY = local(F64)
      const largest = local(F64)
      const slack = local(F64)
      const x = loadF(double(i.get), at.x)
      const y = loadF(double(i.get), at.y)
      const radius = loadF(double(i.get), at.radius)
      const cellsAlong = (low: Local, high: Local) =>
        add(asm.toInt(asm.mulF(asm.subF(high.get, low.get), per.get)), i32(2))
      const cellAlong = (value: Code, low: Local) => add(asm.toInt(asm.mulF(asm.subF(value, low.get), per.get)), i32(1))
      const single = (base: number, value: Code) => asm.storeSingle(word(place.get), value, base)
      return [
        ...minX.set(asm.f64(1e300)),
        ...minY.set(asm.f64(1e300)),
        ...maxX.set(asm.f64(-1e300)),
        ...maxY.set(asm.f64(-1e300)),
        ...times(
          i,
          count.get,
          minX.set(asm.minF(minX.get, x)),
          minY.set(asm.minF(minY.get, y)),
          maxX.set(asm.maxF(maxX.get, x)),
          maxY.set(asm.maxF(maxY.get, y)),
          largest.set(asm.maxF(largest.get, radius)),
        ),
        ...size.set(asm.maxF(size.get, asm.mulF(largest.get, asm.f64(2 + 2 / (1 << 20))))),
        ...per.set(asm.divF(asm.f64(1), size.get)),
        ...cols.set(cellsAlong(minX, maxX)),
        ...rows.set(cellsAlong(minY, maxY)),
        // Covers the rounding of coordinates to singles twice, and that of the test itself.
        ...slack.set(
          asm.addF(
            asm.mulF(asm.maxF(asm.subF(maxX.get, minX.get), asm.subF(maxY.get, minY.get)), asm.f64(1 / (1 << 22))),
            asm.mulF(largest.get, asm.f64(1 / (1 << 20))),
          ),
        ),
        ...asm.storeF(i32(at.frame), minX.get, ORIGIN_X),
        ...asm.storeF(i32(at.frame), minY.get, ORIGIN_Y),
        ...asm.storeF(i32(at.frame), per.get, PER_CELL),
        ...asm.storeF(i32(at.frame), largest.get, MAX_RADIUS),
        ...asm.storeF(i32(at.frame), slack.get, SLACK),
        ...storeI(i32(at.frame), cols.get, COLS),
        ...storeI(i32(at.frame), rows.get, ROWS),
        ...sum.set(add(asm.mul(add(rows.get, i32(1)), cols.get), i32(2))),
        ...asm.fill(i32(at.cellStart), i32(0), word(sum.get)),
        ...times(
          i,
          count.get,
          cell.set(add(asm.mul(cellAlong(y, minY), cols.get), cellAlong(x, minX))),
          storeI(word(i.get), cell.get, at.cellOf),
          storeI(word(cell.get), add(cellStart(cell.get), i32(1)), at.cellStart),
        ),
        ...place.set(i32(0)),
        ...times(
          cell,
          sum.get,
          place.set(add(place.get, cellStart(cell.get))),
          storeI(word(cell.get), place.get, at.cellStart),
        ),
        ...backwards(
          i,
          count.get,
          cell.set(loadI(word(i.get), at.cellOf)),
          place.set(sub(cellStart(cell.get), i32(1))),
          storeI(word(cell.get), place.get, at.cellStart),
          asm.storeF(double(place.get), x, at.entryX),
          asm.storeF(double(place.get), y, at.entryY),
          asm.storeF(double(place.get), radius, at.entryRadius),
          single(at.singleX, asm.subF(x, minX.get)),
          single(at.singleY, asm.subF(y, minY.get)),
          single(at.singleRadius, asm.addF(radius, slack.get)),
          storeI(word(place.get), asm.or(shl(i.get, i32(5)), asm.loadByte(i.get, at.layer)), at.key),
          storeI(word(place.get), cell.get, at.cellAt),
        ),
      ]
    },
  }
}
