/** The test itself: four entries at a time in single precision, one at a time in double precision. */

import * as asm from './assembler.ts'
import { and, type Code, i32, type Local, shl, sub } from './assembler.ts'
import { increment, type Places, word } from './layout.ts'

/** Appends the entries from `j` up to `to` that may overlap the circle in the vectors to `other`, and `own` to `own`. */
export function scanRun(
  at: Places,
  j: Local,
  to: Code,
  mask: Local,
  count: Local,
  [x, y, radius, own]: readonly Local[],
  dx: Local,
  dy: Local,
  reach: Local,
): Code {
  return asm.loopWhile(
    asm.ltS(j.get, to),
    dx.set(asm.subF4(asm.load4(word(j.get), at.singleX), x.get)),
    dy.set(asm.subF4(asm.load4(word(j.get), at.singleY), y.get)),
    reach.set(asm.addF4(asm.load4(word(j.get), at.singleRadius), radius.get)),
    mask.set(
      and(
        asm.bitmask(
          asm.leF4(asm.addF4(asm.mulF4(dx.get, dx.get), asm.mulF4(dy.get, dy.get)), asm.mulF4(reach.get, reach.get)),
        ),
        // Lanes behind the end of the run do not count.
        asm.select(asm.geS(sub(to, j.get), i32(4)), i32(15), sub(shl(i32(1), sub(to, j.get)), i32(1))),
      ),
    ),
    asm.store4(
      word(count.get),
      asm.swizzle(
        asm.addI4(asm.splatI(j.get), asm.load4(i32(at.lanes))),
        asm.load4(shl(mask.get, i32(4)), at.swizzles),
      ),
      at.other,
    ),
    asm.store4(word(count.get), own.get, at.own),
    increment(count, asm.popcnt(mask.get)),
    increment(j, i32(4)),
  )
}

/** 1 if two circles overlap in double precision, else 0. */
export function overlaps(dx: Local, dy: Local, reach: Local): Code {
  return asm.leF(asm.addF(asm.mulF(dx.get, dx.get), asm.mulF(dy.get, dy.get)), asm.mulF(reach.get, reach.get))
}
