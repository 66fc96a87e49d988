/** A rock breaks into three equal pieces, evenly around, so that nothing of its mass and momentum is lost. */

import { emit, type Outcome } from 'hurtbox'
import { KIND, LAYER, MAX_SPEED, NAME_LENGTH, type VinylView } from '../declaration.ts'
import { AROUND, directionOf, fan, fragmentMass } from '../physics.ts'
import { bodyOf, IMPACT, reportMomentum } from '../report.ts'
import { asteroidName, asteroidRadius } from '../setup.ts'
import { nameBytes, nextOrder, textBytes } from '../text.ts'
import { type Polar, subtractPolar, toPlane } from '../torus.ts'

/**
 * The rock goes; its pieces spread with `speed` around `base`, the velocity it would have whole. In the old physics there
 * is no such base: they spread around the way `hitBy` came, no faster than anything else.
 */
export function shatter(
  view: VinylView,
  outcome: Outcome,
  rock: number,
  base: Polar | undefined,
  speed: number,
  hitBy?: Polar,
): void {
  const { things } = view.tables
  const whole = bodyOf(view, rock)
  outcome.priority('kill')
  outcome.put(things.dead, rock, 1)
  outcome.despawn(rock)
  const mass = fragmentMass(whole.mass)
  if (mass === 0) return
  const direction =
    base === undefined
      ? subtractPolar(hitBy ?? whole.velocity, whole.velocity).heading
      : directionOf(base, whole.velocity)
  const velocities = fan(base, base === undefined ? Math.min(speed, MAX_SPEED) : speed, direction, AROUND)
  for (const [number, velocity] of velocities.entries()) addPiece(view, outcome, rock, mass, velocity, number)
  if (base === undefined) return
  const pieces = velocities.map((velocity) => ({ mass, velocity }))
  reportMomentum(view, IMPACT.split, [{ mass: whole.mass, velocity: base }], pieces)
}

function addPiece(
  view: VinylView,
  outcome: Outcome,
  rock: number,
  mass: number,
  velocity: Polar,
  number: number,
): void {
  const { things } = view.tables
  const material = things.material[rock]
  const { x, y } = { x: things.x[rock], y: things.y[rock] }
  const label = textBytes(asteroidName(mass, material), NAME_LENGTH)
  const v = toPlane(velocity)
  outcome.spawn(things, {
    kind: KIND.asteroid,
    layer: LAYER.asteroid,
    label,
    material,
    mass,
    radius: asteroidRadius(mass),
    x,
    y,
    vx: v.x,
    vy: v.y,
    knownVx: v.x,
    knownVy: v.y,
    speed: velocity.speed,
    heading: velocity.heading,
  })
  const { turn } = view.globals
  const parent = nameBytes(view, rock)
  emit(view.events.fragment, { order: nextOrder(view), turn, parent, fragment: label, number, mass, x, y, ...velocity })
}
