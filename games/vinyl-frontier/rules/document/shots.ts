/**
 * Lasers: aimed in the last step of a turn, then decided together with the impacts of that step, so that a rock breaks
 * once, whoever hits it.
 *
 * A beam is a box on its target. Its mass is what is left of it there; it moves at 30, the speed of light of this place.
 * Stations do not mind lasers.
 */

import { addCircle, addMovingCircle, type Boxes, findRow, type Outcome, rule } from 'hurtbox'
import { beamAt, FIRST_BEAM_MASS, reportBeam, targetOf } from '../beam.ts'
import {
  DAMAGE_DIVISOR,
  DT,
  declaration,
  KIND,
  LASER,
  LAYER,
  legacy,
  massOf,
  STEPS,
  type VinylView,
  type VinylWorld,
} from '../declaration.ts'
import { payForBeam } from '../original/lasers.ts'
import { absorbed, type Body } from '../physics.ts'
import { bodyOf, IMPACT, reportMomentum } from '../report.ts'
import { placeOf } from '../setup.ts'
import { distance, toPlane } from '../torus.ts'
import { shatter } from './fragments.ts'
import { absence, wound } from './wounds.ts'

/** In the last step of a turn every ship with a laser order pays for it and picks its target. */
export function aim(world: VinylWorld): void {
  const { things } = world.tables
  const isTime = world.globals.step === STEPS - 1
  for (let row = 0; row < things.count; row++) {
    things.aim[row] = 0
    if (!isTime || things.kind[row] !== KIND.ship || things.leaving[row] !== 0 || things.docked[row] === 1) continue
    const length = payForBeam(world, row)
    if (length <= 0) continue
    const target = targetOf(world, row, things.count)
    if (target < 0 || distance(placeOf(world, row), placeOf(world, target)) > length) continue
    things.aim[row] = things.id[target]
    things.beamLength[row] = length
  }
}

/** Everything is a circle, on its way if contacts are swept; a beam is a point in the middle of its target. */
export function poseThing(world: VinylWorld, row: number, boxes: Boxes): void {
  const { x, y, vx, vy, radius, layer, aim: aimedAt } = world.tables.things
  const { swept } = world.options
  if (swept) addMovingCircle(boxes, row, layer[row], x[row], y[row], radius[row], vx[row] * DT, vy[row] * DT)
  else addCircle(boxes, row, layer[row], x[row], y[row], radius[row])
  const target = aimedAt[row] === 0 ? -1 : findRow(world.tables.things, aimedAt[row])
  if (target >= 0) addCircle(boxes, row, LAYER.beam, x[target], y[target], 0)
}

export const beamHitsStation = rule(declaration, {
  name: 'beam-hits-station',
  attacker: 'beam',
  victim: 'station',
  decide(view, { attacker, victim }) {
    if (!isTarget(view, attacker, victim)) return 'not its target'
    arrive(view, attacker, victim)
    return 'hit'
  },
})

export const beamHitsShip = rule(declaration, {
  name: 'beam-hits-ship',
  attacker: 'beam',
  victim: 'ship',
  decide(view, { attacker, victim: ship }, outcome) {
    if (!isTarget(view, attacker, ship)) return 'not its target'
    const beam = arrive(view, attacker, ship)
    const absent = absence(view, ship)
    if (absent !== '') return absent
    wound(view, outcome, ship, 0, beam.mass / DAMAGE_DIVISOR)
    push(view, ship, beam, outcome)
    return 'hit'
  },
})

/** Strong light breaks a rock, weak light only pushes it. */
export const beamHitsRock = rule(declaration, {
  name: 'beam-hits-rock',
  attacker: 'beam',
  victim: 'asteroid',
  decide(view, { attacker, victim: rock }, outcome) {
    if (!isTarget(view, attacker, rock)) return 'not its target'
    const beam = arrive(view, attacker, rock)
    if (beam.mass < LASER.shatterMass) {
      push(view, rock, beam, outcome)
      return 'hit'
    }
    const body = bodyOf(view, rock)
    const [v, w] = [toPlane(body.velocity), toPlane(beam.velocity)]
    if (legacy(view.options).physics) {
      shatter(view, outcome, rock, undefined, beam.mass / (LASER.impulseDivisor * body.mass), beam.velocity)
    } else {
      const speed = Math.sqrt((v.x - w.x) * (v.x - w.x) + (v.y - w.y) * (v.y - w.y))
      shatter(view, outcome, rock, absorbed(body, beam), speed)
    }
    return 'hit'
  },
})

function isTarget({ tables: { things } }: VinylView, shooter: number, row: number): boolean {
  return things.aim[shooter] === things.id[row]
}

/** What is left of a beam where it hits; says so. In the old physics it moves along with its target. */
function arrive(view: VinylView, shooter: number, target: number): Body {
  const { things } = view.tables
  const beam = beamAt(view, shooter, target, things.beamLength[shooter], FIRST_BEAM_MASS)
  const { speed, heading } = bodyOf(view, target).velocity
  const arrived = legacy(view.options).physics ? { ...beam, velocity: { speed: speed + 1, heading } } : beam
  reportBeam(view, shooter, target, things.beamLength[shooter], arrived)
  return arrived
}

/** Light that is swallowed pushes. Several beams add up: each pushes what the others have made of the velocity. */
function push(view: VinylView, row: number, beam: Body, outcome: Outcome): void {
  if (legacy(view.options).physics) return
  const { things } = view.tables
  const mass = massOf(view, row)
  const share = beam.mass / (mass + beam.mass)
  const w = toPlane(beam.velocity)
  outcome.priority('velocity')
  outcome.add(things.vx, row, share * (w.x - things.vx[row]))
  outcome.add(things.vy, row, share * (w.y - things.vy[row]))
  const body = bodyOf(view, row)
  const after = { mass: mass + beam.mass, velocity: absorbed(body, beam) }
  reportMomentum(view, IMPACT.inelastic, [body, beam], [after])
}
