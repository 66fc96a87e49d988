import { createWorld, each, exists, step } from 'hurtbox'
import { spawnFrom } from 'hurtbox/combat'
import { describe, expect, test } from 'vitest'
import { HEIGHT, type JetWorld, KIND, WIDTH } from '../rules/declaration.ts'
import { jetRaiders } from '../rules/index.ts'
import { arena, bulletTo, ofKind, player, put, run, ship } from './support.ts'

// What the rules promise at their limits.

const bulletsOf = (world: JetWorld) => [...each(world, 'bullet')].map(({ x, y }) => ({ x, y }))

describe('bullets', () => {
  test('[JR44] a ship with little health still fires, a wreck and an idle trigger do not', () => {
    const shots = (hp: number, shoot: boolean) => {
      const world = arena([{ x: 0, hp }])
      return ofKind(run(world, 1, { players: [{ seat: 0, shoot }] }), 'shot').length
    }
    expect([shots(1, true), shots(0.5, true), shots(100, false), shots(0, true)]).toEqual([1, 1, 0, 0])
  })

  test('[JR44] where edges are walls a bullet ends when its rim is there, above and below as on the sides', () => {
    const ends = (x: number, y: number) => {
      const world = arena([{ x: 0 }], { options: { edges: 'wall' } })
      const { bulletRadius } = world.tuning
      run(world, 1, { players: [{ seat: 0, shoot: true }] })
      const [bullet] = [...each(world, 'bullet')]
      // Where its rim is half a px short of the edge, or half a px over it, after a step without speed.
      Object.assign(bullet, { vx: 0, vy: 0, x: x === 0 ? 0 : x - Math.sign(x) * bulletRadius })
      Object.assign(bullet, { y: y === 0 ? 0 : y - Math.sign(y) * bulletRadius })
      step(world)
      return bulletsOf(world).length === 0
    }
    const [w, h] = [WIDTH / 2, HEIGHT / 2]
    expect([ends(w - 0.5, 0), ends(0.5 - w, 0), ends(0, h - 0.5), ends(0, 0.5 - h)]).toEqual([
      false,
      false,
      false,
      false,
    ])
    expect([ends(w + 0.5, 0), ends(-w - 0.5, 0), ends(0, h + 0.5), ends(0, -h - 0.5)]).toEqual([true, true, true, true])
  })

  test('[JR44] on a closed plane a bullet that touches the edge with its rim flies on', () => {
    const world = arena([{ x: 0 }], { options: { edges: 'torus' } })
    run(world, 1, { players: [{ seat: 0, shoot: true }] })
    const [bullet] = [...each(world, 'bullet')]
    Object.assign(bullet, { vx: 0, vy: 0, x: WIDTH / 2 - 0.5, y: 0, teleports: 0 })
    step(world)
    expect(bullet).toMatchObject({ x: WIDTH / 2 - 0.5, teleports: 0 })
    bullet.x = WIDTH / 2 + 0.25
    step(world)
    expect(bullet).toMatchObject({ x: -WIDTH / 2 + 0.25, teleports: 1 })
  })

  test('[JR44] a bullet that only touches a shield is stopped by it, and its own ship never stops it', () => {
    const world = arena([{ x: 0 }, { x: 300 }])
    ship(world, 1).invulnerableUntil = 1e6
    ship(world, 0).invulnerableUntil = 1e6
    run(world, 1, { players: [{ seat: 0, shoot: true }] })
    expect(bulletsOf(world)).toHaveLength(1)
    const [bullet] = [...each(world, 'bullet')]
    Object.assign(bullet, { vx: 0, vy: 0, x: 300 - ship(world, 1).radius - bullet.radius, y: 0 })
    expect(ofKind(run(world, 1), 'block')).toHaveLength(1)
  })

  test('[JR44] swept, a bullet meets what it passed along both axes', () => {
    for (const heading of [0, Math.PI / 2, Math.PI / 4]) {
      const world = arena([{ x: 0, heading }, { x: 0 }], {
        options: { swept: true },
        tuning: { bulletSpeed: 4000, bulletLife: 1 },
      })
      const [dx, dy] = [Math.sin(heading), -Math.cos(heading)]
      // One tick of flight is 67 px: from the muzzle at 24 over a ship at 60 to beyond it.
      put(world, 1, { x: 60 * dx, y: 60 * dy })
      expect(ofKind(run(world, 1, { players: [{ seat: 0, shoot: true }] }), 'hit')).toHaveLength(1)
      const past = arena([{ x: 0, heading }, { x: 0 }], {
        options: { swept: true },
        tuning: { bulletSpeed: 4000, bulletLife: 1 },
      })
      put(past, 1, { x: 200 * dx, y: 200 * dy })
      expect(ofKind(run(past, 1, { players: [{ seat: 0, shoot: true }] }), 'hit')).toEqual([])
    }
  })
})

describe('room', () => {
  test('[JR44] a gun that cannot fire because the plane is full has not fired: no shot, no cooldown, no end of protection', () => {
    const world = arena([{ x: 0 }], { tuning: { protection: 10 } })
    const gunner = ship(world, 0)
    gunner.invulnerableUntil = gunner.protectedUntil = world.clock + 100
    while (
      exists(spawnFrom(gunner, 'bullet', { kind: KIND.bullet, radius: 1, x: 300, y: 200, endsAt: world.clock + 100 }))
    ) {
      // Until nothing fits any more.
    }
    const until = gunner.invulnerableUntil
    expect(ofKind(run(world, 1, { players: [{ seat: 0, shoot: true }] }), 'shot')).toEqual([])
    expect([player(world, 0).shots, gunner.readyAt, gunner.invulnerableUntil]).toEqual([0, 0, until])
  })

  test('[JR44] a player who joins while the plane is full waits without a ship, and the match goes on', () => {
    const world = arena([{ x: 0 }])
    while (exists(spawnFrom(ship(world, 0), 'bullet', { kind: KIND.bullet, endsAt: world.clock + 9 }))) {
      // Until nothing fits any more.
    }
    step(world, { controls: [{ control: 'join', seat: 1, team: 0 }] })
    expect(player(world, 1).thing).toBeUndefined()
    expect(run(world, 3, { players: [{ seat: 1, shoot: true, thrust: 1 }] })).toEqual([])
  })

  test('[JR44] on a closed plane a bullet comes in on the other side of each edge, and only there the pictures jump', () => {
    const fly = (x: number, y: number, vx: number, vy: number) => {
      const world = arena([{ x: 300, y: 200 }], { options: { edges: 'torus' } })
      const bullet = bulletTo(world, 0, x, y, vx, vy)
      run(world, 1)
      return [bullet.x, bullet.y, bullet.teleports].map((each) => Math.round(each * 1e6) / 1e6)
    }
    expect(fly(0, 0, 500, 500)).toEqual([0, 0, 0])
    expect([fly(402, 0, 500, 0), fly(-402, 0, -500, 0)]).toEqual([
      [-398, 0, 1],
      [398, 0, 1],
    ])
    expect([fly(0, 232, 0, 500), fly(0, -232, 0, -500)]).toEqual([
      [0, -228, 1],
      [0, 228, 1],
    ])
  })
})

describe('ships', () => {
  test('[JR44] a ship appears at rest, whole, as large as tuned, and the pictures know that it has not flown there', () => {
    const world = arena([{ x: 0 }, { x: 200 }], { tuning: { respawn: 0.1, shipRadius: 30 } })
    const dead = () => ship(world, 0)
    const { teleports } = dead()
    run(world, 30, { players: [{ seat: 0, thrust: 1 }] })
    expect(dead().vy).not.toBe(0)
    Object.assign(dead(), { dashUntil: 1e6, slowUntil: 1e6, hp: 0 })
    const events = run(world, 12)
    expect(ofKind(events, 'returned')).toHaveLength(1)
    const { vx, vy, heading, throttle, radius, dashUntil, slowUntil } = dead()
    expect([vx === 0, vy === 0, heading, throttle, radius, dashUntil, slowUntil]).toEqual([true, true, 0, 0, 30, 0, 0])
    expect(dead().hp).toBe(dead().maxHp)
    expect(dead().teleports).toBe(teleports + 1)
  })

  test('[JR44] of its places a ship takes the one farthest from the nearest foe, in the plane', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const world = arena([{ x: -300, y: 180 }, { x: -250, y: -150 }, { x: 0 }], {
        seed,
        tuning: { spawnChoices: 60, respawn: 0.1 },
      })
      const [a, b, back] = [ship(world, 0), ship(world, 1), ship(world, 2)]
      back.hp = 0
      run(world, 12)
      expect(back.hp).toBeGreaterThan(0)
      const room = Math.min(Math.hypot(back.x - a.x, back.y - a.y), Math.hypot(back.x - b.x, back.y - b.y))
      // The best there is, a corner on the right, is more than 600 away from both.
      expect(room, `seed ${seed}`).toBeGreaterThan(480)
    }
  })

  test('[JR44] alone, or among friends only, the first of its places is as good as any', () => {
    const place = (spawnChoices: number) => {
      const world = createWorld(jetRaiders, { seed: 4, tuning: { spawnChoices } })
      step(world, { controls: [{ control: 'join', seat: 0, team: 1 }] })
      return [player(world, 0).thing!.x, player(world, 0).thing!.y]
    }
    expect(place(20)).toEqual(place(1))
  })

  test('[JR44] a wreck does not ram', () => {
    const world = arena([{ x: 0 }, { x: 30 }], { options: { ramming: true } })
    const wreck = ship(world, 0)
    Object.assign(wreck, { hp: 0, returnsAt: world.clock + 100 })
    expect(ofKind(run(world, 3), 'damage')).toEqual([])
    expect(ship(world, 1).hp).toBe(100)
  })
})
