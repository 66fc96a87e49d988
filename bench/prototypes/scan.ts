/** The test itself: four entries at a time in single precision, one at a time in double precision. */

import * as asm from './assembler.ts'
import { and, type Code, I32, i32, type Local, shl, sub, V128 } from './assembler.ts'
import { increment, type Places, word } from './layout.ts'

/** Tests one circle, put into the four vectors, against runs of entries; what may overlap is appended to `candidates`. */
export type Scan = {
  readonly x: Local
  readonly y: Local
  readonly radius: Local
  readonly own: Local
  /** How many there are: `other` has the entries, `own` what they may overlap. */
  readonly candidates: Local
  /** Tests the entries from `from` up to `to`. */
  readonly run: (from: Code, to: Code) => Code
}

export function createScan(at: Places, local: (type: number) => Local): Scan {
  const [x, y, radius, own] = [local(V128), local(V128), local(V128), local(V128)]
  const [dx, dy, reach] = [local(V128), local(V128), local(V128)]
  const [j, end, mask, candidates] = [local(I32), local(I32), local(I32), local(I32)]
  const left = sub(end.get, j.get)
  const run = (from: Code, to: Code): Code => [
    ...j.set(from),
    ...end.set(to),
    ...asm.loopWhile(
      asm.ltS(j.get, end.get),
      dx.set(asm.subF4(asm.load4(word(j.get), at.singleX), x.get)),
      dy.set(asm.subF4(asm.load4(word(j.get), at.singleY), y.get)),
      reach.set(asm.addF4(asm.load4(word(j.get), at.singleRadius), radius.get)),
      mask.set(
        and(
          asm.bitmask(
            asm.leF4(asm.addF4(asm.mulF4(dx.get, dx.get), asm.mulF4(dy.get, dy.get)), asm.mulF4(reach.get, reach.get)),
          ),
          // Lanes behind the end of the run do not count.
          asm.select(asm.geS(left, i32(4)), i32(15), sub(shl(i32(1), left), i32(1))),
        ),
      ),
      asm.store4(
        word(candidates.get),
        asm.swizzle(
          asm.addI4(asm.splatI(j.get), asm.load4(i32(at.lanes))),
          asm.load4(shl(mask.get, i32(4)), at.swizzles),
        ),
        at.other,
      ),
      asm.store4(word(candidates.get), own.get, at.own),
      increment(candidates, asm.popcnt(mask.get)),
      increment(j, i32(4)),
    ),
  ]
  return { x, y, radius, own, candidates, run }
}

/** 1 if two circles overlap in double precision, else 0. */
export function overlaps(dx: Local, dy: Local, reach: Local): Code {
  return asm.leF(asm.addF(asm.mulF(dx.get, dx.get), asm.mulF(dy.get, dy.get)), asm.mulF(reach.get, reach.get))
}
