import { addShape, collide, createWorld, defineGame, exists, spawn, step } from 'hurtbox'
import { box, primitives } from 'hurtbox/shapes'
import { collisionsOf } from 'hurtbox/tools'
import { describe, expect, test } from 'vitest'
import { ENEMIES } from '../rules/content/enemies.ts'
import { declaration, type NightWorld } from '../rules/declaration.ts'
import { nightfall } from '../rules/index.ts'
import { bullet, emptyField, enemy, join, projectile } from './support.ts'

// Categories and titles in quotes are those of the seed document.

/** The contacts that the phase `hits` finds in the next tick: pairs of ids. */
function contactsOf(world: NightWorld): [number, number][] {
  // Rows close up at the end of the tick, so the ids are read before it.
  const id = world.tables.things.id.slice()
  step(world)
  const { contacts, boxes } = collisionsOf(world).get('hits')!
  const idOf = (place: number) => id[boxes.owner[place]]
  return Array.from({ length: contacts.count }, (_, i) => [idOf(contacts.a[i]), idOf(contacts.b[i])])
}

describe('contact detection', () => {
  test('[NF1] should detect projectile-enemy collisions', () => {
    const world = emptyField()
    const [shot, zombie] = [projectile(world, 100, 100), enemy(world, 105, 100)].map(({ id }) => id)
    expect(contactsOf(world)).toEqual([[shot, zombie]])
  })

  test('[NF1] should detect enemy-player collisions', () => {
    const world = emptyField()
    const survivor = join(world)
    const zombie = enemy(world, 410, 300)
    expect(contactsOf(world)).toEqual([[survivor.id, zombie.id]])
  })

  test('[NF1] should not detect distant entities', () => {
    const world = emptyField()
    join(world)
    projectile(world, 0, 0)
    enemy(world, 1000, 1000)
    expect(contactsOf(world)).toEqual([])
  })

  test('[NF1] should spend the projectile, and detecting alone changes nothing', () => {
    const world = emptyField()
    const shot = projectile(world, 100, 100)
    // The dead are not hit: their contacts are found and refused.
    const zombie = enemy(world, 100, 100, { hp: 0 })
    expect(contactsOf(world)).toEqual([[shot.id, zombie.id]])
    expect(exists(shot)).toBe(true)
    zombie.hp = 20
    step(world)
    expect(exists(shot)).toBe(false)
  })

  test('[NF2] should produce exactly one contact for overlapping AABBs', () => {
    const square = box(5, 5)
    const hits = collide(
      declaration,
      { 'projectile hits enemy': { between: ['projectile', 'enemy'], decide() {} } },
      { pose: (thing, boxes) => addShape(boxes, square, thing) },
    )
    const world = createWorld(defineGame(declaration, { phases: { hits } }))
    const shot = spawn(world, 'projectile', { x: 100, y: 100 })
    const [near] = [109, 300].map((x) => spawn(world, 'enemy', { x, y: 109 }))
    expect(contactsOf(world)).toEqual([[shot.id, near.id]])
    const corner = (x: number, y: number) => ({ x: x - 5, y: y - 5, width: 10, height: 10 })
    expect(primitives.checkAABB(corner(100, 100), corner(109, 109))).toBe(true)
  })

  test('[NF1] touching is no hit', () => {
    const world = emptyField()
    const survivor = join(world)
    enemy(world, 420, 300)
    const [shot, zombie] = [projectile(world, 100, 100), enemy(world, 111, 100)]
    step(world)
    expect([survivor.hp, zombie.hp, exists(shot)]).toEqual([100, 20, true])
  })

  test('[NF13] projectiles have 3 px, the survivor 12, enemies by kind', () => {
    const world = emptyField()
    const survivor = join(world)
    expect([survivor.radius, projectile(world, 0, 0).radius]).toEqual([12, 3])
    const radii = Object.fromEntries(ENEMIES.map(({ name, radius }) => [name, radius]))
    expect(radii).toEqual({ zombie: 8, fast: 6, tank: 10, swarm: 4, ranged: 7, shielded: 9, boss: 20 })
    for (const { name, radius } of ENEMIES) {
      expect(enemy(world, 100, 100, { name: name as 'zombie' }).radius, name).toBe(radius)
    }
  })

  test('[NF19] the grid finds the same contacts as looking at every pair, in the same order', () => {
    for (const seed of [1, 2, 3]) {
      const [contacts, byEveryPair] = [true, false].map((grid) => {
        const options = { start: 'storm', stormShots: 1500, stormEnemies: 800, grid } as const
        return contactsOf(createWorld(nightfall, { seed, options }))
      })
      expect(contacts.length, `seed ${seed}`).toBeGreaterThan(40)
      expect(contacts, `seed ${seed}`).toEqual(byEveryPair)
    }
  })
})

describe('collision resolution', () => {
  test('[NF6] should apply damage to enemy', () => {
    const world = emptyField()
    const zombie = enemy(world, 100, 100)
    projectile(world, 95, 100)
    step(world)
    expect(zombie.hp).toBe(10)
  })

  test('[NF6] should remove dead enemies', () => {
    const world = emptyField()
    const zombie = enemy(world, 100, 100, { hp: 5 })
    projectile(world, 95, 100)
    step(world)
    expect([exists(zombie), world.globals.kills, world.events.kill.count]).toEqual([false, 1, 1])
  })

  test('[NF6] should apply knockback to enemy: 50 px away from the projectile', () => {
    const world = emptyField()
    const zombie = enemy(world, 103, 104)
    projectile(world, 100, 100)
    step(world)
    expect(zombie.x).toBeCloseTo(133, 9)
    expect(zombie.y).toBeCloseTo(144, 9)
  })

  test('[NF10] should generate damage events', () => {
    const world = emptyField()
    const zombie = enemy(world, 100, 100)
    projectile(world, 95, 100)
    step(world)
    const { hit } = world.events
    expect([hit.count, hit.target[0], hit.damage[0], hit.source[0]]).toEqual([1, zombie.id, 10, 0])
  })

  test('[NF6] identical points part along +x; knockbackMode per-tick moves by K · dt', () => {
    const moved = (knockbackMode: 'displace' | 'per-tick') => {
      const world = emptyField({ options: { knockbackMode } })
      const survivor = join(world)
      const [zombie] = [enemy(world, 100, 100), projectile(world, 100, 100)]
      enemy(world, 400, 300)
      step(world)
      return [zombie.x - 100, survivor.x - 400]
    }
    expect(moved('displace')).toEqual([50, 100])
    const [enemyPx, survivorPx] = moved('per-tick')
    expect(enemyPx).toBeCloseTo(50 / 60, 9)
    expect(survivorPx).toBeCloseTo(100 / 60, 9)
  })

  test('[NF3] an enemy that is shot in this tick does not bite', () => {
    const world = emptyField()
    const survivor = join(world)
    enemy(world, 405, 300, { hp: 10 })
    projectile(world, 405, 300)
    step(world)
    expect([survivor.hp, world.globals.kills]).toEqual([100, 1])
  })

  test('[NF4] a projectile hits the oldest enemy it meets, and no other', () => {
    const world = emptyField()
    const [older, younger] = [enemy(world, 105, 100), enemy(world, 100, 100)]
    projectile(world, 100, 100)
    step(world)
    expect([older.hp, younger.hp]).toEqual([10, 20])
  })

  test('[NF4] one whose enemy died earlier in the tick flies on, and may hit the next', () => {
    const world = emptyField()
    const victim = enemy(world, 100, 100, { hp: 10 })
    const [first, second] = [projectile(world, 100, 100), projectile(world, 100, 101)]
    step(world)
    expect([victim, first, second].map(exists)).toEqual([false, false, true])
    expect(world.events.damage.count).toBe(1)

    const crowd = emptyField()
    const [weak, strong] = [enemy(crowd, 100, 100, { hp: 10 }), enemy(crowd, 100, 100, { hp: 30 })]
    const shots = [projectile(crowd, 100, 100), projectile(crowd, 100, 101)]
    step(crowd)
    expect([exists(weak), strong.hp]).toEqual([false, 20])
    expect(shots.map(exists)).toEqual([false, false])
  })

  test('[NF11] projectiles of different sides destroy each other; those of one side do not', () => {
    const world = emptyField()
    const ids = [projectile(world, 100, 100), bullet(world, 106, 100), projectile(world, 101, 100)]
    bullet(world, 300, 100)
    bullet(world, 301, 100)
    step(world)
    expect(ids.map(exists)).toEqual([false, false, true])
    expect([world.events.clash.count, world.events.damage.count, world.tables.things.count]).toEqual([1, 0, 3])
  })

  test('[NF11] a projectile that has hit an enemy is no longer there for a bullet, and a bullet that was shot down does no harm', () => {
    const world = emptyField()
    const survivor = join(world)
    const saved = bullet(world, 100, 100)
    enemy(world, 100, 100)
    projectile(world, 100, 100)
    const shotDown = bullet(world, 410, 300)
    projectile(world, 410, 300)
    step(world)
    expect([exists(saved), exists(shotDown), survivor.hp]).toEqual([true, false, 100])
  })
})
