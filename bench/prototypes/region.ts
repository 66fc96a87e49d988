/** Which circles are in a region? */

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
  COLS,
  double,
  increment,
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
import { createScan, overlaps } from './scan.ts'

/** Circles of the given layers in a circular region, ascending, in `out`. Returns how many. */
export function regionKernel(at: Places): Kernel {
  const { cellStart, frameF, frameI } = readersOf(at)
  return {
    name: 'region',
    params: [F64, F64, F64, I32],
    returns: [I32],
    body: ([x, y, radius, layers], local) => {
      const i = local(I32)
      const j = local(I32)
      const q = local(I32)
      const row = local(I32)
      const cols = local(I32)
      const found = local(I32)
      const bit = local(I32)
      const key = local(I32)
      const left = local(I32)
      const right = local(I32)
      const bottom = local(I32)
      const bits = local(I32)
      const words = local(I32)
      const scan = createScan(at, local)
      const [dx, dy, reach] = [local(F64), local(F64), local(F64)]
      const first = (value: Local, origin: number) =>
        add(
          asm.toInt(
            asm.maxF(asm.f64(0), asm.mulF(asm.subF(asm.subF(value.get, reach.get), frameF(origin)), frameF(PER_CELL))),
          ),
          i32(1),
        )
      const last = (value: Local, origin: number) =>
        add(
          asm.toInt(
            asm.maxF(asm.f64(-1), asm.mulF(asm.subF(asm.addF(value.get, reach.get), frameF(origin)), frameF(PER_CELL))),
          ),
          i32(2),
        )
      const smaller = (a: Code, b: Code) => asm.select(asm.ltS(a, b), a, b)
      const addBit = (base: number, index: Code, value: Code) =>
        storeI(word(index), asm.or(loadI(word(index), base), value), base)
      return [
        ...cols.set(frameI(COLS)),
        ...reach.set(asm.mulF(asm.addF(radius.get, frameF(MAX_RADIUS)), asm.f64(1 + 1 / (1 << 30)))),
        ...left.set(first(x, ORIGIN_X)),
        ...right.set(smaller(last(x, ORIGIN_X), cols.get)),
        ...row.set(first(y, ORIGIN_Y)),
        ...bottom.set(smaller(last(y, ORIGIN_Y), frameI(ROWS))),
        ...scan.x.set(asm.splatF(asm.subF(x.get, frameF(ORIGIN_X)))),
        ...scan.y.set(asm.splatF(asm.subF(y.get, frameF(ORIGIN_Y)))),
        ...scan.radius.set(asm.splatF(asm.addF(radius.get, frameF(SLACK)))),
        ...asm.loopWhile(
          asm.ltS(row.get, bottom.get),
          i.set(asm.mul(row.get, cols.get)),
          scan.run(cellStart(add(i.get, left.get)), cellStart(add(i.get, right.get))),
          increment(row),
        ),
        // What overlaps sets its bit, and another for the word that bit is in; reading them from the lowest up sorts.
        ...times(
          i,
          scan.candidates.get,
          q.set(loadI(word(i.get), at.other)),
          dx.set(asm.subF(x.get, loadF(double(q.get), at.entryX))),
          dy.set(asm.subF(y.get, loadF(double(q.get), at.entryY))),
          reach.set(asm.addF(radius.get, loadF(double(q.get), at.entryRadius))),
          key.set(loadI(word(q.get), at.key)),
          bit.set(and(asm.shr(layers.get, and(key.get, i32(31))), overlaps(dx, dy, reach))),
          increment(found, bit.get),
          addBit(at.bits, asm.shr(key.get, i32(10)), shl(bit.get, asm.shr(key.get, i32(5)))),
          addBit(at.bitWords, asm.shr(key.get, i32(15)), shl(bit.get, asm.shr(key.get, i32(10)))),
        ),
        ...i.set(i32(0)),
        ...j.set(i32(0)),
        ...asm.loopWhile(
          asm.ltS(i.get, found.get),
          words.set(loadI(word(j.get), at.bitWords)),
          storeI(word(j.get), i32(0), at.bitWords),
          asm.loopWhile(
            words.get,
            q.set(asm.or(shl(j.get, i32(5)), asm.ctz(words.get))),
            words.set(and(words.get, sub(words.get, i32(1)))),
            bits.set(loadI(word(q.get), at.bits)),
            storeI(word(q.get), i32(0), at.bits),
            asm.loopWhile(
              bits.get,
              storeI(word(i.get), asm.or(shl(q.get, i32(5)), asm.ctz(bits.get)), at.out),
              bits.set(and(bits.get, sub(bits.get, i32(1)))),
              increment(i),
            ),
          ),
          increment(j),
        ),
        ...found.get,
      ]
    },
  }
}
