import { createWorld, eventsOf, listEvents, step, thing } from 'hurtbox'
import { playScene, startScene } from 'hurtbox/tools'
import { describe, expect, test } from 'vitest'
import { crewOrders, TASK } from '../rules/crew.ts'
import { MATERIAL, ORDER, type VinylOptions, type VinylWorld } from '../rules/declaration.ts'
import { vinylFrontier } from '../rules/index.ts'
import { setVelocity, shipOf } from '../rules/setup.ts'
import { announcerText } from '../rules/text.ts'
import { toPolar } from '../rules/torus.ts'
import { scenes } from '../scenes/index.ts'
import { emptyWorld, gunner, rock, rocks, ship, tick } from './support.ts'

describe('legacy flags, one by one, in the rules of the document', () => {
  test('[VF37] physics: the lighter ship suffers more, and both are pushed by force', () => {
    const bump = (options: Partial<VinylOptions>) => {
      const world = emptyWorld(options)
      const light = ship(world, 0, { x: 0, y: 0, vx: 5 }, { fuel: 0 })
      const heavy = ship(world, 1, { x: 22, y: 0, vx: -5 }, { cargo: 30 })
      tick(world)
      return { light: 15 - light.shield, heavy: 15 - heavy.shield, speed: light.vx }
    }
    const [now, old] = [bump({}), bump({ legacyPhysics: true })]
    expect(now.light).toBeCloseTo(now.heavy, 12)
    expect(old.light).toBeCloseTo((100 * 10) / 1000, 12)
    expect(old.heavy).toBeCloseTo((40 * 10) / 1000, 12)
    // 15 units times the ratio of masses, added to the velocity.
    expect(old.speed).toBeCloseTo(5 - (15 * 100) / 40, 9)
  })

  test('[VF38] physics: lasers do not push, and follow their target', () => {
    const shot = (options: Partial<VinylOptions>) => {
      const world = emptyWorld(options)
      gunner(world, 0, { x: 0, y: 0 }, 0, 200)
      const target = ship(world, 1, { x: 80, y: 0, vy: 4 })
      tick(world)
      return { vx: target.vx, vy: target.vy, light: world.events.laser.figures[6] }
    }
    // The ship swallows 30 · (200 − 79) tons of light that move at 30.
    const light = 30 * (200 - (Math.hypot(80, 0.8) - 1))
    expect(shot({}).vx).toBeCloseTo((light * 30) / (70 + light), 6)
    expect(shot({})).toMatchObject({ light: 30 })
    expect(shot({ legacyPhysics: true })).toMatchObject({
      vx: expect.closeTo(0, 12),
      vy: expect.closeTo(4, 12),
      light: expect.closeTo(5, 12),
    })
  })

  test('[VF39] physics: the recoil of throwing overboard is counted twice', () => {
    const thrown = (options: Partial<VinylOptions>) => {
      const world = emptyWorld(options)
      const thrower = ship(world, 0, { x: 0, y: 0, vx: 10 }, { fuel: 20, cargo: 10 })
      thrower.orders.set(ORDER.jettison, -10)
      thrower.orient = Math.PI / 2
      tick(world)
      return thrower.vy
    }
    // 10 t at 10 sideways, off a ship of then 60 t.
    expect(thrown({})).toBeCloseTo(-100 / 60, 9)
    expect(thrown({ legacyPhysics: true })).toBeCloseTo(-200 / 60, 9)
  })

  test('[VF49] physics: a rock that breaks on a ship takes its mass times the speed off the shield, and its pieces forget it', () => {
    const world = emptyWorld({ legacyPhysics: true })
    const ram = ship(world, 0, { x: 0, y: 0, vx: 8 })
    rock(world, MATERIAL.generic, 40, { x: 24, y: 0, vx: -4 })
    tick(world)
    expect(15 - ram.shield).toBeCloseTo((40 * 12) / 1000, 12)
    // The ship takes the common velocity; the pieces spread with the relative speed, around the way the ship came.
    expect(ram.vx).toBeCloseTo((70 * 8 - 40 * 4) / 110, 9)
    const pieces = rocks(world)
    expect(pieces.map(({ speed }) => speed)).toEqual([12, 12, 12].map((speed) => expect.closeTo(speed, 9)))
    expect(pieces[0].vx).toBeCloseTo(12, 9)
    expect(pieces[1].vx).toBeCloseTo(-6, 9)
  })

  test('[VF49] physics: a rock that a laser breaks spreads with a third of the light per ton, no faster than anything else', () => {
    const speeds = (length: number) => {
      const world = emptyWorld({ legacyPhysics: true })
      gunner(world, 0, { x: 0, y: 0 }, 0, length)
      rock(world, MATERIAL.vinyl, 40, { x: 80, y: 0 })
      tick(world)
      return rocks(world).map(({ speed }) => speed)
    }
    const light = 30 * (130 - 79)
    expect(speeds(130)).toEqual([1, 1, 1].map(() => expect.closeTo(light / (3 * 40), 9)))
    expect(speeds(400)).toEqual([30, 30, 30])
  })

  test('[VF50] the old engine announces no ship that another or a rock destroys, only lasers do; the measured server does', () => {
    const said = (options: Partial<VinylOptions>, isLaser: boolean) => {
      const world = emptyWorld({ legacyCollisionHandling: true, ...options })
      const victim = ship(world, 0, { x: 100, y: 0, vx: -20 })
      victim.shield = 0.01
      if (isLaser) gunner(world, 1, { x: 0, y: 0 }, 0, 300)
      else ship(world, 1, { x: 80, y: 0, vx: 20 })
      tick(world)
      return announcerText(world)
    }
    expect(said({}, false)).not.toContain('destroyed')
    expect(said({}, true)).toContain('S0-0 destroyed by laser')
    expect(said({ preset: 'original' }, false)).toContain('S0-0 destroyed by ship')
  })

  test('[VF40] eating hurts only with its flag', () => {
    const lost = (options: Partial<VinylOptions>) => {
      const world = emptyWorld(options)
      const eater = ship(world, 0, { x: 0, y: 0, vx: 10 })
      rock(world, MATERIAL.vinyl, 6, { x: 12, y: 0 })
      tick(world)
      expect(eater.cargo).toBe(6)
      return 15 - eater.shield
    }
    expect(lost({})).toBe(0)
    expect(lost({ legacyAsteroidEatDamage: true })).toBeCloseTo((6 * 10) / 1000, 12)
  })

  test('[VF41] docking: launched too short, a ship docks again; with the old engine it gets a little further each time', () => {
    const launch = (options: Partial<VinylOptions>) => {
      const world = createWorld(vinylFrontier, { options: { vinyl: 0, uranium: 0, ...options } })
      const launched = shipOf(world, 0, 0)!
      launched.orders.set(ORDER.thrust, 5)
      const docked: number[] = []
      for (let i = 0; i < 4; i++) {
        tick(world)
        docked.push(launched.docked)
      }
      return docked
    }
    expect(launch({})).toEqual([0, 0, 0, 0])
    expect(launch({ legacyDocking: true })).toEqual([1, 1, 1, 1])
    expect(launch({ legacyDocking: true, legacyCollisionHandling: true })).toEqual([1, 1, 0, 0])
  })

  test('[VF42] the old engine logs one contact several times', () => {
    const contacts = (options: Partial<VinylOptions>) => {
      const world = emptyWorld(options)
      ship(world, 0, { x: 0, y: 0, vx: 5 })
      ship(world, 1, { x: 20, y: 0, vx: -5 })
      tick(world)
      return world.events.contact.count
    }
    expect([contacts({}), contacts({ legacyCollisionHandling: true })]).toEqual([1, 2])
  })
})

describe('playing by hand', () => {
  test('[VF43] what is held when a turn begins is the order of the chosen ship', () => {
    const world = createWorld(vinylFrontier, { options: { vinyl: 0, uranium: 0 } })
    step(world, { controls: [{ control: 'join', seat: 1 }] })
    for (let i = 1; i < 5; i++) step(world)
    for (let i = 0; i < 5; i++) step(world, { players: [{ seat: 1, thrust: 1, ship: '3', boost: true }] })
    const ships = [0, 1, 2, 3].map((number) => shipOf(world, 1, number)!)
    expect(ships.map(({ docked }) => docked === 0)).toEqual([false, false, true, false])
    expect(ships[2].speed).toBeCloseTo(15, 9)
    expect(ships[2].shield).toBe(20)
  })

  test('[VF44] orders last one turn', () => {
    const world = createWorld(vinylFrontier, { options: { vinyl: 0, uranium: 0 } })
    step(world, { controls: [{ control: 'join', seat: 0 }] })
    for (let i = 1; i < 5; i++) step(world)
    step(world, { players: [{ seat: 0, thrust0: 10 }] })
    for (let i = 1; i < 10; i++) step(world)
    expect(shipOf(world, 0, 0)!.speed).toBeCloseTo(10, 9)
    expect(listEvents(world)).toEqual([])
  })

  const start = (presses: Record<string, number | string | boolean>, turns = 12) => {
    const world = createWorld(vinylFrontier, { seed: 3 })
    step(world, { controls: [{ control: 'join', seat: 0 }] })
    for (let i = 1; i < 5; i++) step(world)
    step(world, { players: [{ seat: 0, ...presses } as never] })
    for (let i = 1; i < turns * 5; i++) step(world, { players: [{ seat: 0, ship: (presses.ship ?? '1') as never }] })
    return { world, ships: [0, 1, 2, 3].map((number) => shipOf(world, 0, number)!) }
  }

  test('[VF52] once a player has touched a control, the crews of the other ships work; until then all wait', () => {
    expect(start({}).ships.map(({ docked }) => docked)).toEqual([1, 1, 1, 1])
    const { ships } = start({ fire: true })
    expect(ships.map(({ docked }) => docked)).toEqual([1, 0, 0, 0])
    // The ship that is flown by hand does nothing by itself; another one is chosen, and it does.
    expect(start({ ship: '2' }).ships.map(({ docked }) => docked)).toEqual([0, 1, 0, 0])
  })

  test('[VF52] a press gives the chosen ship the next task, another gives it to all; tasks stay', () => {
    expect(start({ task: 2 }).ships.map(({ task }) => task)).toEqual([TASK.guard, 0, 0, 0])
    expect(start({ ship: '3', task: 5 }).ships.map(({ task }) => task)).toEqual([0, 0, TASK.hunt, 0])
    expect(start({ task: 1, taskForAll: 1 }).ships.map(({ task }) => task)).toEqual([1, 1, 1, 1])
    expect(
      start({ task: 3, taskForAll: 1 }).ships.map(({ docked }) => docked),
      'home',
    ).toEqual([1, 1, 1, 1])
  })

  test('[VF52] an order of its own goes before the task of a ship; its mates do theirs', () => {
    const world = createWorld(vinylFrontier, { seed: 3 })
    step(world, { controls: [{ control: 'join', seat: 0 }] })
    for (let i = 1; i < 5; i++) step(world)
    for (let i = 0; i < 2; i++) step(world, { players: [{ seat: 0, fire: true, thrust1: 10 }] })
    const orders = (number: number) => [0, 1, 2, 3, 4].map((kind) => shipOf(world, 0, number)!.orders.get(kind))
    expect(orders(1)).toEqual([0, 0, 10, 0, 0])
    for (const mate of [2, 3]) expect(orders(mate), `ship ${mate}`).not.toEqual([0, 0, 0, 0, 0])
  })
})

describe('crews', () => {
  const crew = (task: number, options: { fuel?: number; foeX?: number; foeDocked?: number } = {}) => {
    const world = emptyWorld()
    const own = ship(world, 0, { x: 0, y: 0 }, { fuel: options.fuel ?? 30 })
    const foe = ship(world, 1, { x: options.foeX ?? 100, y: 0 })
    foe.docked = options.foeDocked ?? 0
    return { world, own, foe, orders: crewOrders(world, own, task, new Set()) }
  }

  test('[VF53] a hunter turns to where the other will be and fires half of what a whole shield is worth; it hits in the same turn', () => {
    const { world, own, foe, orders } = crew(TASK.hunt)
    expect(orders.map(({ kind }) => kind)).toEqual([ORDER.turn, ORDER.laser])
    expect(orders[1].value).toBeCloseTo(100 + 250 + 4, 9)
    own.orient = 2
    setVelocity(foe, toPolar({ x: 0, y: 12 }))
    for (const { kind, value } of crewOrders(world, own, TASK.hunt, new Set())) own.orders.set(kind, value)
    for (let i = 0; i < 5; i++) tick(world)
    expect(world.events.laser.count).toBe(1)
    expect(foe.shield).toBeLessThan(8)
  })

  test('[VF53] without a foe under way a hunter mines, with too little fuel too; a guard watches only its station', () => {
    const isHunting = ({ orders }: ReturnType<typeof crew>) => orders.some(({ kind }) => kind === ORDER.laser)
    expect(isHunting(crew(TASK.hunt))).toBe(true)
    expect(isHunting(crew(TASK.hunt, { foeDocked: 1 }))).toBe(false)
    expect(isHunting(crew(TASK.hunt, { fuel: 2 }))).toBe(false)
    expect(isHunting(crew(TASK.guard))).toBe(false)
    const world = emptyWorld()
    const guard = ship(world, 0, { x: -200, y: -200 })
    ship(world, 1, { x: -120, y: -200 })
    expect(crewOrders(world, guard, TASK.guard, new Set()).some(({ kind }) => kind === ORDER.laser)).toBe(true)
    expect(crewOrders(world, guard, TASK.home, new Set()).some(({ kind }) => kind === ORDER.laser)).toBe(false)
  })

  test('[VF54] in a match of two bot teams ships are lost, and both teams deliver', () => {
    const [match] = scenes
    const session = startScene(match)
    const world = session.world as unknown as VinylWorld
    let destroyed = 0
    const teams = new Set<number>()
    for (let i = 0; i < match.ticks; i++) {
      playScene(match, session, 1)
      destroyed += world.events.destroyed.count
      for (const { ship: id, isHome } of eventsOf(world, 'delivered')) if (isHome) teams.add(thing(world, id)!.team)
    }
    expect(destroyed).toBeGreaterThan(0)
    expect([...teams].sort()).toEqual([1, 2])
  })
})
