/** Bullets: fired at the muzzle, straight on until their time is over. */

import { emit, exists, players } from 'hurtbox'
import { spawnFrom } from 'hurtbox/combat'
import { DT, HEIGHT, type JetWorld, KIND, WIDTH } from './declaration.ts'
import { endProtection } from './effects.ts'
import { ahead, lookAhead } from './ships.ts'

/** A living ship that holds the trigger fires as soon as its gun is ready. */
export function fire(world: JetWorld): void {
  const { clock, tuning } = world
  for (const player of players(world)) {
    const ship = player.thing
    if (player.shoot === 0 || ship === undefined || ship.hp <= 0 || ship.readyAt > clock) continue
    const bullet = spawnFrom(ship, 'bullet', { kind: KIND.bullet, radius: tuning.bulletRadius })
    if (!exists(bullet)) return
    lookAhead(ship)
    bullet.x += ahead.x * ship.radius
    bullet.y += ahead.y * ship.radius
    bullet.vx = ahead.x * tuning.bulletSpeed
    bullet.vy = ahead.y * tuning.bulletSpeed
    // The tick of its birth is the first of its life.
    bullet.endsAt = clock + tuning.bulletLife - 1
    ship.readyAt = clock + tuning.cooldown
    endProtection(world, ship)
    player.shots++
    emit(world, 'shot', { shooter: ship, projectile: bullet })
  }
}

/** All bullets move and age, those just fired as well. An expired one hits nothing any more. */
export function fly(world: JetWorld): void {
  // In columns, because there are hundreds of them.
  const { count, kind, x, y, vx, vy, endsAt, leaving, teleports } = world.tables.things
  const isClosed = world.options.edges === 'torus'
  for (let row = 0; row < count; row++) {
    if (kind[row] !== KIND.bullet) continue
    x[row] += vx[row] * DT
    y[row] += vy[row] * DT
    if (endsAt[row] <= world.clock) leaving[row] = 1
    if (!isClosed) continue
    // On a closed plane a bullet comes in again on the other side, as far as it had flown out.
    const [acrossX, acrossY] = [Math.floor(x[row] / WIDTH + 0.5), Math.floor(y[row] / HEIGHT + 0.5)]
    if (acrossX === 0 && acrossY === 0) continue
    x[row] -= acrossX * WIDTH
    y[row] -= acrossY * HEIGHT
    teleports[row]++
  }
}
