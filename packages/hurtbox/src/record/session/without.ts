/**
 * The other future: a match as it would have gone on without one hit.
 *
 * The same inputs are played again in a world in which the rules of `collide` refuse these two, for as long as they keep meeting:
 * a bullet that was let through once must not hit in the next tick.
 */

import { requireInteger } from '../../base/errors.ts'
import { collisionsOf } from '../../rules/collide/collide.ts'
import type { BoundRule } from '../../rules/collide/decide.ts'
import type { Id } from '../../state/table.ts'
import { createEncodedInputs, stepEncoded } from '../../world/step.ts'
import type { AnyWorld } from '../../world/world.ts'
import { inputsAt } from './log.ts'
import { createTwin, replayTo, type Session } from './session.ts'

/** The verdict on a hit that was left out. */
const LEFT_OUT = 'left out'

/**
 * The world before tick `end`, had `a` and `b` not met in `tick`. Bots that had a say are not asked again: what they did is in the
 * inputs. `left` counts the contacts that were refused; with 0 nothing is different.
 */
export function withoutHit(
  session: Session,
  { tick, a, b, end }: { readonly tick: number; readonly a: Id; readonly b: Id; readonly end: number },
): { readonly world: AnyWorld; readonly left: number } {
  requireInteger(tick, 'tick', session.log.from, session.log.length - 1)
  requireInteger(end, 'end', tick + 1, session.log.length)
  const world = createTwin(session)
  replayTo(session, world, tick)
  let left = 0
  let lastLeft = tick
  const isLeftOut = (first: Id, second: Id) => {
    const isPair = (first === a && second === b) || (first === b && second === a)
    if (!isPair || world.tick - lastLeft > 1) return false
    left++
    lastLeft = world.tick
    return true
  }
  for (const { groups } of collisionsOf(world).values()) {
    for (const rule of groups.flat() as Mutable[]) {
      const { decide } = rule
      rule.decide = (first, second, hit) => (isLeftOut(first.id, second.id) ? LEFT_OUT : decide(first, second, hit))
    }
  }
  const inputs = createEncodedInputs(world)
  while (world.tick < end) {
    inputsAt(session.log, world.tick, inputs)
    stepEncoded(world, inputs)
  }
  return { world, left }
}

/** The rules of a world are its own, bound when it was created. */
type Mutable = { -readonly [K in keyof BoundRule]: BoundRule[K] }
