/** Bullets: fired at the muzzle, straight on until their time is over. */

import { addRow, emit, findRow } from 'hurtbox'
import { cos, sin } from 'hurtbox/math'
import { DT, HEIGHT, isAlive, type JetWorld, KIND, LAYER, WIDTH } from './declaration.ts'

/** A living ship that holds the trigger fires as soon as its gun is ready. */
export function fire(world: JetWorld): void {
  const { things, players } = world.tables
  const { clock, tuning, events } = world
  for (let player = 0; player < players.count; player++) {
    const ship = findRow(things, players.thing[player])
    if (ship < 0 || !isAlive(world, ship) || players.shoot[player] === 0 || things.readyAt[ship] > clock) continue
    const bullet = addRow(things)
    if (bullet < 0) return
    const [forwardX, forwardY] = [sin(things.heading[ship]), -cos(things.heading[ship])]
    things.readyAt[ship] = clock + tuning.cooldown
    things.kind[bullet] = KIND.bullet
    things.layer[bullet] = LAYER.bullet
    things.owner[bullet] = things.id[ship]
    things.team[bullet] = things.team[ship]
    things.radius[bullet] = tuning.bulletRadius
    things.x[bullet] = things.x[ship] + forwardX * things.radius[ship]
    things.y[bullet] = things.y[ship] + forwardY * things.radius[ship]
    things.vx[bullet] = forwardX * tuning.bulletSpeed
    things.vy[bullet] = forwardY * tuning.bulletSpeed
    // The tick of its birth is the first of its life.
    things.endsAt[bullet] = clock + tuning.bulletLife - 1
    players.shots[player]++
    emit(events.shot, { shooter: things.id[ship], projectile: things.id[bullet], x: things.x[bullet], y: things.y[bullet] })
  }
}

/** All bullets move and age, those just fired as well. One whose time is over hits nobody any more. */
export function fly(world: JetWorld): void {
  const { things } = world.tables
  const solidEdge = world.options.edges === 'wall'
  for (let row = 0; row < things.count; row++) {
    if (things.kind[row] !== KIND.bullet) continue
    things.x[row] += things.vx[row] * DT
    things.y[row] += things.vy[row] * DT
    if (things.endsAt[row] <= world.clock) things.leaving[row] = 1
    if (solidEdge && (Math.abs(things.x[row]) > WIDTH / 2 || Math.abs(things.y[row]) > HEIGHT / 2)) things.leaving[row] = 1
  }
}
