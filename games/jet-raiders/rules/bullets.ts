/** Bullets: fired at the muzzle, straight on until their time is over. */

import { emit, thingOf } from 'hurtbox'
import { release } from 'hurtbox/combat'
import { cos, sin } from 'hurtbox/math'
import { DT, HEIGHT, isAlive, type JetWorld, KIND, LAYER, WIDTH } from './declaration.ts'

/** A living ship that holds the trigger fires as soon as its gun is ready. */
export function fire(world: JetWorld): void {
  const { things, players } = world.tables
  const { clock, tuning, events } = world
  for (let player = 0; player < players.count; player++) {
    if (players.shoot[player] === 0) continue
    const ship = thingOf(world, player)
    if (ship < 0 || !isAlive(world, ship) || things.readyAt[ship] > clock) continue
    const bullet = release(things, ship, KIND.bullet, LAYER.bullet, tuning.bulletRadius)
    if (bullet < 0) return
    const forwardX = sin(things.heading[ship])
    const forwardY = -cos(things.heading[ship])
    things.x[bullet] += forwardX * things.radius[ship]
    things.y[bullet] += forwardY * things.radius[ship]
    things.vx[bullet] = forwardX * tuning.bulletSpeed
    things.vy[bullet] = forwardY * tuning.bulletSpeed
    // The tick of its birth is the first of its life.
    things.endsAt[bullet] = clock + tuning.bulletLife - 1
    things.readyAt[ship] = clock + tuning.cooldown
    players.shots[player]++
    emit(events.shot, { shooter: things.id[ship], projectile: things.id[bullet] })
  }
}

/** All bullets move and age, those just fired as well. One whose time is over hits nobody any more. */
export function fly(world: JetWorld): void {
  const { clock, options } = world
  const { count, kind, x, y, vx, vy, endsAt, leaving } = world.tables.things
  const isClosed = options.edges === 'torus'
  for (let row = 0; row < count; row++) {
    if (kind[row] !== KIND.bullet) continue
    x[row] += vx[row] * DT
    y[row] += vy[row] * DT
    if (endsAt[row] <= clock) leaving[row] = 1
    if (isClosed && isOutside(x[row], y[row], 0)) goAround(world, row)
  }
}

/** Where edges are walls, bullets end there. After the hits: a ship that a bullet met on its way shields the wall. */
export function meetWall(world: JetWorld): void {
  if (world.options.edges !== 'wall') return
  const { count, kind, x, y, radius, leaving } = world.tables.things
  for (let row = 0; row < count; row++) {
    if (kind[row] === KIND.bullet && isOutside(x[row], y[row], radius[row])) leaving[row] = 1
  }
}

/** Whether something of this radius reaches over an edge. */
function isOutside(x: number, y: number, radius: number): boolean {
  return Math.abs(x) + radius > WIDTH / 2 || Math.abs(y) + radius > HEIGHT / 2
}

/** On a closed plane a bullet comes in again on the other side, as far as it had flown out. */
function goAround(world: JetWorld, bullet: number): void {
  const { x, y, teleports } = world.tables.things
  x[bullet] -= Math.floor(x[bullet] / WIDTH + 0.5) * WIDTH
  y[bullet] -= Math.floor(y[bullet] / HEIGHT + 0.5) * HEIGHT
  teleports[bullet]++
}
