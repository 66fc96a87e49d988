/** Pairs of circles in canonical order: within the grid, and of others with those in it. */

import * as asm from './assembler.ts'
import {
  add,
  and,
  type Code,
  F64,
  I32,
  i32,
  type Kernel,
  type Local,
  loadF,
  loadI,
  shl,
  storeI,
  sub,
} from './assembler.ts'
import {
  backwards,
  COLS,
  double,
  increment,
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
import { createScan, overlaps } from './scan.ts'

/** All pairs of what was built. Returns how many; they are in `a` and `b`. */
export function pairsKernel(at: Places): Kernel {
  const { cellStart, frameI } = readersOf(at)
  return {
    name: 'pairs',
    params: [I32],
    returns: [I32],
    body: ([count], local) => {
      const p = local(I32)
      const cell = local(I32)
      const cols = local(I32)
      const found = local(I32)
      const scan = createScan(at, local)
      return [
        ...cols.set(frameI(COLS)),
        ...times(
          p,
          count.get,
          cell.set(loadI(word(p.get), at.cellAt)),
          scan.x.set(asm.loadSplat4(word(p.get), at.singleX)),
          scan.y.set(asm.loadSplat4(word(p.get), at.singleY)),
          scan.radius.set(asm.loadSplat4(word(p.get), at.singleRadius)),
          scan.own.set(asm.splatI(p.get)),
          scan.run(add(p.get, i32(1)), cellStart(add(cell.get, i32(2)))),
          increment(cell, cols.get),
          scan.run(cellStart(sub(cell.get, i32(1))), cellStart(add(cell.get, i32(2)))),
        ),
        ...keepOverlapping(at, scan.candidates, found, local, {
          p,
          x: loadF(double(p.get), at.entryX),
          y: loadF(double(p.get), at.entryY),
          radius: loadF(double(p.get), at.entryRadius),
          key: loadI(word(p.get), at.key),
        }),
        ...sortPairs(at, found, count.get, local),
        ...found.get,
      ]
    },
  }
}

/**
 * Pairs of what was built, which are circles 0 to first - 1, with circles first to count - 1. Cells must be twice as wide as
 * these reach, so that what they can overlap is in the 2 × 2 cells around the nearest corner.
 */
export function seekKernel(at: Places): Kernel {
  const { cellStart, frameF, frameI } = readersOf(at)
  return {
    name: 'seek',
    params: [I32, I32],
    returns: [I32],
    body: ([first, count], local) => {
      const p = local(I32)
      const cell = local(I32)
      const cols = local(I32)
      const rows = local(I32)
      const found = local(I32)
      const scan = createScan(at, local)
      const col = local(F64)
      const row = local(F64)
      const fromCorner = (base: number, origin: number) => asm.subF(loadF(double(p.get), base), frameF(origin))
      const nearest = (base: number, origin: number) =>
        asm.addF(asm.mulF(fromCorner(base, origin), frameF(PER_CELL)), asm.f64(0.5))
      return [
        ...cols.set(frameI(COLS)),
        ...rows.set(frameI(ROWS)),
        ...p.set(first.get),
        ...asm.loopWhile(
          asm.ltS(p.get, count.get),
          col.set(nearest(at.x, ORIGIN_X)),
          row.set(nearest(at.y, ORIGIN_Y)),
          asm.when(
            and(
              and(asm.leF(asm.f64(0), col.get), asm.leF(asm.f64(0), row.get)),
              and(asm.ltS(asm.toInt(col.get), cols.get), asm.ltS(asm.toInt(row.get), rows.get)),
            ),
            cell.set(add(asm.mul(asm.toInt(row.get), cols.get), asm.toInt(col.get))),
            scan.x.set(asm.splatF(fromCorner(at.x, ORIGIN_X))),
            scan.y.set(asm.splatF(fromCorner(at.y, ORIGIN_Y))),
            scan.radius.set(asm.splatF(asm.addF(loadF(double(p.get), at.radius), frameF(SLACK)))),
            scan.own.set(asm.splatI(p.get)),
            scan.run(cellStart(cell.get), cellStart(add(cell.get, i32(2)))),
            increment(cell, cols.get),
            scan.run(cellStart(cell.get), cellStart(add(cell.get, i32(2)))),
          ),
          increment(p),
        ),
        ...keepOverlapping(at, scan.candidates, found, local, {
          p,
          x: loadF(double(p.get), at.x),
          y: loadF(double(p.get), at.y),
          radius: loadF(double(p.get), at.radius),
          key: asm.or(shl(p.get, i32(5)), asm.loadByte(p.get, at.layer)),
        }),
        ...sortPairs(at, found, first.get, local),
        ...found.get,
      ]
    },
  }
}

/**
 * Tests the candidates in double precision and keeps those whose layers meet, lower index first. `own` tells where x, y,
 * radius and key of the first circle are, whose number is in `p`.
 */
function keepOverlapping(
  at: Places,
  candidates: Local,
  found: Local,
  local: (type: number) => Local,
  own: { p: Local; x: Code; y: Code; radius: Code; key: Code },
): Code {
  const i = local(I32)
  const q = local(I32)
  const key = local(I32)
  const otherKey = local(I32)
  const index = local(I32)
  const otherIndex = local(I32)
  const dx = local(F64)
  const dy = local(F64)
  const reach = local(F64)
  const isLower = asm.ltS(index.get, otherIndex.get)
  return [
    ...found.set(i32(0)),
    ...times(
      i,
      candidates.get,
      own.p.set(loadI(word(i.get), at.own)),
      q.set(loadI(word(i.get), at.other)),
      dx.set(asm.subF(own.x, loadF(double(q.get), at.entryX))),
      dy.set(asm.subF(own.y, loadF(double(q.get), at.entryY))),
      reach.set(asm.addF(own.radius, loadF(double(q.get), at.entryRadius))),
      key.set(own.key),
      otherKey.set(loadI(word(q.get), at.key)),
      index.set(asm.shr(key.get, i32(5))),
      otherIndex.set(asm.shr(otherKey.get, i32(5))),
      storeI(word(found.get), asm.select(isLower, index.get, otherIndex.get), at.lower),
      storeI(word(found.get), asm.select(isLower, otherIndex.get, index.get), at.higher),
      increment(
        found,
        and(asm.shr(loadI(word(and(key.get, i32(31))), at.meets), and(otherKey.get, i32(31))), overlaps(dx, dy, reach)),
      ),
    ),
  ]
}

/** Brings `count` pairs in `lower` and `higher` into canonical order in `a` and `b`; lower indexes are below `limit`. */
function sortPairs(at: Places, count: Local, limit: Code, local: (type: number) => Local): Code {
  const i = local(I32)
  const index = local(I32)
  const place = local(I32)
  const value = local(I32)
  const from = local(I32)
  const firstOf = (row: Code) => loadI(word(row), at.firstOf)
  const b = (row: Code) => loadI(word(row), at.b)
  // Not `b(row - 1)`: an address below zero would trap before it is known not to matter.
  const before = (row: Code) => loadI(word(row), at.b - 4)
  return [
    ...asm.fill(i32(at.firstOf), i32(0), word(add(limit, i32(1)))),
    ...times(
      i,
      count.get,
      index.set(loadI(word(i.get), at.lower)),
      storeI(word(index.get), add(firstOf(index.get), i32(1)), at.firstOf),
    ),
    ...place.set(i32(0)),
    ...times(
      i,
      add(limit, i32(1)),
      place.set(add(place.get, firstOf(i.get))),
      storeI(word(i.get), place.get, at.firstOf),
    ),
    ...backwards(
      i,
      count.get,
      index.set(loadI(word(i.get), at.lower)),
      place.set(sub(firstOf(index.get), i32(1))),
      storeI(word(index.get), place.get, at.firstOf),
      storeI(word(place.get), index.get, at.a),
      storeI(word(place.get), loadI(word(i.get), at.higher), at.b),
    ),
    ...times(
      index,
      limit,
      from.set(firstOf(index.get)),
      i.set(add(from.get, i32(1))),
      asm.loopWhile(
        asm.ltS(i.get, firstOf(add(index.get, i32(1)))),
        value.set(b(i.get)),
        place.set(i.get),
        asm.loopWhile(
          and(asm.gtS(place.get, from.get), asm.gtS(before(place.get), value.get)),
          storeI(word(place.get), before(place.get), at.b),
          increment(place, i32(-1)),
        ),
        storeI(word(place.get), value.get, at.b),
        increment(i),
      ),
    ),
  ]
}
