import { createWorld, despawn, each, eventsOf, spawn, step } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { WAVES } from '../rules/content/waves.ts'
import { KIND, type NightWorld, SOURCES } from '../rules/declaration.ts'
import { addHazard } from '../rules/hazards.ts'
import { nightfall } from '../rules/index.ts'
import { stats } from '../rules/match.ts'
import { nearestOf } from '../rules/survivors.ts'
import {
  allOf,
  bullet,
  disarm,
  emptyField,
  enemy,
  give,
  join,
  pickup,
  play,
  player,
  projectile,
  quietNight,
  reload,
} from './support.ts'

// What the rules promise at their limits.

/** The survivors of two players, at these places. */
function two(world: NightWorld, a: readonly [number, number], b: readonly [number, number]) {
  const survivors = [join(world, 0), join(world, 1)]
  for (const [i, [x, y]] of [a, b].entries()) Object.assign(survivors[i], { x, y })
  disarm(world)
  return survivors
}

describe('survivors', () => {
  test('[NF51] the nearest survivor is the nearest in the plane; of two as near it is the older', () => {
    const [a, b] = two(emptyField(), [100, 500], [300, 100])
    expect(nearestOf([a, b], 90, 480)).toBe(a)
    expect(nearestOf([a, b], 320, 90)).toBe(b)
    expect(nearestOf([a, b], 100, 120), 'far along one axis').toBe(b)
    expect(nearestOf([a, b], 290, 480), 'far along the other').toBe(a)
    Object.assign(b, { x: 100, y: 300 })
    expect(nearestOf([a, b], 100, 400)).toBe(a)
    expect(nearestOf([b, a], 100, 400)).toBe(b)
  })

  test('[NF51] the fallen are not touched, and more health does not raise them', () => {
    const world = emptyField()
    const survivor = join(world)
    survivor.hp = 0
    enemy(world, survivor.x + 5, survivor.y)
    step(world)
    expect([...eventsOf(world, 'hit')]).toEqual([])
    give(world, 'vitality')
    expect(survivor).toMatchObject({ hp: 0, maxHp: 120 })
  })

  test('[NF51] books of one survivor are made anew without those of another', () => {
    const world = quietNight()
    two(world, [100, 100], [700, 500])
    for (const seat of [0, 1]) give(world, 'bible', 2, seat)
    reload(world)
    play(world, 2)
    const books = () => [...each(world, 'strike')].map(({ id, owner }) => `${id} of ${owner}`)
    const before = books()
    expect(before).toHaveLength(4)
    give(world, 'power', 1, 0)
    const own = player(world, 0).thing!.id
    const others = before.filter((book) => !book.endsWith(` of ${own}`))
    expect(books()).toEqual(others)
    expect(others).toHaveLength(2)
  })

  test('[NF51] with no players the level of the match is 0, and a pause by hand is not ended by the draft', () => {
    const world = emptyField()
    expect(stats(world)).toMatchObject({ level: 0, kills: 0 })
    join(world)
    step(world, { controls: [{ control: 'pause', paused: true }] })
    play(world, 3)
    expect(world.paused).toBe(true)
  })
})

describe('hits', () => {
  test('[NF51] the cause of a hit is told in the words of the document', () => {
    const causes = (act: (world: NightWorld, x: number, y: number) => void) => {
      const world = emptyField()
      const survivor = join(world)
      disarm(world)
      for (const shot of each(world, 'projectile')) despawn(shot)
      step(world)
      act(world, survivor.x, survivor.y)
      step(world)
      return Array.from(eventsOf(world, 'hit'), ({ source }) => SOURCES[source])
    }
    expect(causes((world, x, y) => enemy(world, x + 5, y))).toEqual(['enemy'])
    expect(causes((world, x, y) => bullet(world, x, y))).toEqual(['projectile'])
    expect(causes((world, x, y) => addHazard(world, { x, y, slot: 0 }, 0))).toEqual(['hazard'])
    const shot = (world: NightWorld) => {
      enemy(world, 100, 100)
      projectile(world, 100, 100)
    }
    expect(causes(shot)).toEqual(['projectile'])
    const strike = (world: NightWorld) => {
      enemy(world, 100, 100)
      spawn(world, 'strike', { kind: KIND.strike, x: 100, y: 100, radius: 5, damage: 1, weapon: 4, endsAt: 99 })
    }
    expect(causes(strike)).toEqual(['projectile'])
  })

  test('[NF51] each level of size lets a whip reach 30 px further', () => {
    for (const size of [0, 1, 2, 3]) {
      const world = quietNight({ tuning: { gemWorth: 0 } })
      const { x, y } = join(world)
      disarm(world)
      give(world, 'whip')
      give(world, 'size', size)
      reload(world)
      const reach = 100 + 30 * size + 8
      const [near, far] = [reach - 0.5, reach + 0.5].map((way) => enemy(world, x - way, y))
      step(world, { players: [{ seat: 0, aimX: -1 }] })
      expect([near.hp < near.maxHp, far.hp < far.maxHp], `size ${size}`).toEqual([true, false])
    }
  })

  test('[NF51] a volley fans out around an aim in any direction', () => {
    const world = quietNight()
    join(world)
    disarm(world)
    for (const shot of each(world, 'projectile')) shot.kind = KIND.bullet
    give(world, 'knife', 3)
    reload(world)
    player(world).facingX = 0.6
    player(world).facingY = 0.8
    step(world)
    const angles = allOf(world, KIND.projectile).map(({ vx, vy }) => Math.atan2(vy, vx))
    const ahead = Math.atan2(0.8, 0.6)
    for (const [i, angle] of angles.entries()) expect(angle).toBeCloseTo(ahead + (i - 1) * 0.1, 6)
    expect(angles).toHaveLength(3)
  })

  test('[NF51] a link of lightning is where its victim is', () => {
    const world = quietNight({ tuning: { gemWorth: 0 } })
    const { x, y } = join(world)
    disarm(world)
    give(world, 'lightning')
    reload(world)
    enemy(world, x + 40, y + 90, { hp: 500 })
    step(world)
    const [link] = allOf(world, KIND.strike)
    expect([link.x, link.y]).toEqual([x + 40, y + 90])
  })

  test('[NF51] enemies aim within a tenth of a radian, also from where the survivor stands', () => {
    for (const [dx, dy] of [
      [150, 0],
      [-90, 120],
      [0, 0],
    ]) {
      const world = emptyField({ tuning: { survivorHp: 1e6 } })
      const { x, y } = join(world)
      const shooter = enemy(world, x + dx, y + dy, { name: 'ranged' })
      let shots = 0
      for (let i = 0; i < 1200 && shots < 4; i++) {
        shooter.hp = 20
        Object.assign(shooter, { x: player(world).thing!.x + dx, y: player(world).thing!.y + dy })
        step(world)
        for (const one of allOf(world, KIND.bullet)) {
          const speed = Math.sqrt(one.vx * one.vx + one.vy * one.vy)
          expect(speed).toBeCloseTo(200, 6)
          const way = Math.sqrt(dx * dx + dy * dy)
          if (way > 0) expect(-(one.vx * dx + one.vy * dy) / (way * speed)).toBeGreaterThan(Math.cos(0.1001))
          one.endsAt = world.clock
          shots++
        }
      }
      expect(shots).toBeGreaterThanOrEqual(4)
    }
  })
})

describe('what lies around', () => {
  test('[NF51] a gem does not explode, a blast clears 600 px and no more', () => {
    const hurtBy = (kind: number, way: number) => {
      const world = emptyField()
      const { x, y } = join(world)
      const victim = enemy(world, x + way, y, { hp: 5000 })
      pickup(world, kind, x, y, 1)
      play(world, 3)
      return victim.hp < 5000
    }
    expect([hurtBy(KIND.gem, 200), hurtBy(KIND.heal, 200), hurtBy(KIND.flame, 200)]).toEqual([false, false, false])
    expect([hurtBy(KIND.clear, 607.5), hurtBy(KIND.clear, 608.5)]).toEqual([true, false])
  })

  test('[NF51] where there are as many gems as there may be, the youngest grows: also with several deaths in a tick', () => {
    const world = emptyField({ tuning: { gemLimit: 2, gemWorth: 5 } })
    join(world)
    for (const x of [100, 200, 300, 400]) {
      enemy(world, x, 50, { hp: 1 })
      projectile(world, x, 50)
    }
    play(world, 2)
    expect(allOf(world, KIND.gem).map(({ worth }) => worth)).toEqual([5, 15])
  })

  test('[NF51] burning ground is drawn as large as it burns', () => {
    const world = emptyField()
    const hurt = (dx: number, dy: number) => {
      const field = emptyField()
      const victim = enemy(field, 300 + dx, 300 + dy, { hp: 500 })
      addHazard(field, { x: 300, y: 300, slot: 0 }, 0)
      step(field)
      return victim.hp < 500
    }
    const { radius } = addHazard(world, { x: 300, y: 300, slot: 0 }, 0)
    expect([hurt(radius + 7, 0), hurt(radius + 9, 0), hurt(0, radius / 2 + 7), hurt(0, radius / 2 + 9)]).toEqual([
      true,
      false,
      true,
      false,
    ])
  })
})

describe('waves and storms', () => {
  test('[NF51] newcomers appear from 400 to 500 px from a survivor, all around', () => {
    const world = createWorld(nightfall, {
      seed: 3,
      options: { fromMinute: 5 },
      tuning: { spawnRate: 100, crowdLimit: 8000, survivorHp: 1e6 },
    })
    join(world)
    disarm(world)
    const far: number[] = []
    for (let i = 0; i < 60; i++) {
      const { x, y } = player(world).thing!
      const known = new Set([...each(world, 'enemy')].map(({ id }) => id))
      step(world)
      for (const newcomer of each(world, 'enemy')) {
        if (!known.has(newcomer.id)) far.push(Math.hypot(newcomer.x - x, newcomer.y - y))
        newcomer.speed = 0
      }
    }
    expect(far.length).toBeGreaterThan(500)
    expect(Math.min(...far)).toBeGreaterThanOrEqual(399)
    expect(Math.min(...far)).toBeLessThan(400.9)
    expect(Math.max(...far)).toBeLessThanOrEqual(501)
    expect(Math.max(...far)).toBeGreaterThan(499)
  })

  test('[NF51] fortune brings more elites', () => {
    const share = (fortune: number) => {
      const tuning = { spawnRate: 100, crowdLimit: 8000, survivorHp: 1e6 }
      const world = createWorld(nightfall, { seed: 5, tuning, options: { fromMinute: 5 } })
      join(world)
      disarm(world)
      give(world, 'fortune', fortune)
      for (let i = 0; i < 60; i++) step(world)
      const all = [...each(world, 'enemy')]
      return all.filter(({ isElite }) => isElite === 1).length / all.length
    }
    // 15 % in this minute, three tenths more with fortune at its best.
    expect(share(3) / share(0)).toBeGreaterThan(1.15)
  })

  test('[NF51] a storm has as many enemies and projectiles as asked for, all over its field, and keeps them', () => {
    const options = { start: 'storm', stormShots: 300, stormEnemies: 200 } as const
    const world = createWorld(nightfall, { seed: 9, options })
    const counts = () => [allOf(world, KIND.projectile).length, [...each(world, 'enemy')].length]
    expect(counts()).toEqual([300, 200])
    const shots = allOf(world, KIND.projectile)
    const enemies = [...each(world, 'enemy')]
    for (const { vx, vy } of shots) expect(Math.hypot(vx, vy)).toBeCloseTo(300, 6)
    for (const [axis, most] of [
      ['x', 3200],
      ['y', 2400],
    ] as const) {
      const places = [...shots, ...enemies].map((one) => one[axis])
      expect(Math.min(...places)).toBeGreaterThanOrEqual(0)
      expect(Math.max(...places)).toBeLessThanOrEqual(most)
      expect(Math.max(...places)).toBeGreaterThan(0.98 * most)
    }
    // Five times as tough as in the last minute of the table, elites aside.
    const zombie = WAVES['seven-kinds'].at(-1)!.mix[0]
    expect(enemies.filter(({ kind, isElite }) => kind === 1 && isElite === 0)[0].maxHp).toBe(5 * zombie[2])
    // What does not hit ends within two seconds.
    for (const { endsAt } of shots) {
      expect(endsAt).toBeGreaterThan(0)
      expect(endsAt).toBeLessThanOrEqual(120)
    }
    expect(Math.max(...shots.map(({ endsAt }) => endsAt))).toBeGreaterThan(110)
    for (let i = 0; i < 5; i++) step(world)
    expect(counts()[0]).toBeLessThanOrEqual(300)
    expect(counts()[0]).toBeGreaterThan(200)
  })
})
