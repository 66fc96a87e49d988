import { eventsOf, exists, step } from 'hurtbox'
import { int, range, seedStream } from 'hurtbox/math'
import { expect, test } from 'vitest'
import { SOURCES } from '../rules/declaration.ts'
import { keepInside } from '../rules/survivors.ts'
import { type Damage, type Field, stepCollision } from './oracle.ts'
import { emptyField, enemy, join, projectile } from './support.ts'

const FIELDS = process.env.HURTBOX_LONG ? 3000 : 300

test('[NF49] random fields go as in the loop of the seed document: events, health, places, i-frames', () => {
  let hits = 0
  for (let seed = 1; seed <= FIELDS; seed++) hits += compare(seed)
  // Fields in which nothing meets would prove nothing.
  expect(hits).toBeGreaterThan(FIELDS)
})

/** A crowd on a small field for three ticks, here and in the oracle. Returns how many hits there were. */
function compare(seed: number): number {
  const stream = new Uint32Array(4)
  seedStream(stream, seed, 'oracle')
  const world = emptyField()
  const survivor = join(world)
  const place = () => ({ x: range(stream, 360, 440), y: range(stream, 260, 340) })
  const enemies = Array.from({ length: int(stream, 1, 12) }, () => {
    const { x, y } = place()
    return enemy(world, x, y, { hp: int(stream, 1, 30), touch: int(stream, 1, 20) })
  })
  const shots = Array.from({ length: int(stream, 0, 12) }, () => {
    const { x, y } = place()
    return projectile(world, x, y, { damage: int(stream, 1, 20) })
  })
  const field: Field = {
    projectiles: shots.map(({ x, y, radius, damage }) => ({ x, y, radius, damage, isActive: true })),
    enemies: enemies.map(({ x, y, radius, hp, damage }) => ({ x, y, radius, hp, touch: damage })),
    player: { x: survivor.x, y: survivor.y, radius: survivor.radius, hp: survivor.hp, iframes: 0 },
  }
  const ids = enemies.map(({ id }) => id)
  let hits = 0
  for (let tick = 0; tick < 3; tick++) {
    step(world)
    const expected = stepCollision(field)
    keepInside(field.player)
    const seen = Array.from(
      eventsOf(world, 'hit'),
      ({ target, damage, source }): Damage => ({
        target: ids.indexOf(target),
        damage,
        source: SOURCES[source] as Damage['source'],
      }),
    )
    // The document lists hits by projectile, we by the older of the two; what each target suffers has one order.
    const byTarget = (a: Damage, b: Damage) => a.target - b.target
    expect(seen.sort(byTarget), `seed ${seed}, tick ${tick}`).toEqual(expected.sort(byTarget))
    hits += seen.length
    for (const [n, one] of enemies.entries()) {
      const { x, y, hp } = field.enemies[n]
      expect(exists(one), `seed ${seed}, enemy ${n}`).toBe(hp > 0)
      if (hp > 0) expect({ x: one.x, y: one.y, hp: one.hp }, `seed ${seed}, enemy ${n}`).toEqual({ x, y, hp })
    }
    const { x, y, hp, iframes } = field.player
    const left = Math.max(0, survivor.invulnerableUntil + 1 - world.clock)
    expect({ x: survivor.x, y: survivor.y, hp: survivor.hp, left }, `seed ${seed}`).toEqual({ x, y, hp, left: iframes })
  }
  return hits
}
