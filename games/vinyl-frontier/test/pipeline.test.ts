import { each, exists, hashWorld, listEvents, step } from 'hurtbox'
import { playScene, startScene } from 'hurtbox/tools'
import { describe, expect, test } from 'vitest'
import { watchPair } from '../../../packages/hurtbox/src/rules/collide/explain.ts'
import { idle } from '../bots/team.ts'
import { logLines } from '../log.ts'
import { commandRows } from '../rows.ts'
import { MATERIAL, type VinylOptions, type VinylThing, type VinylWorld } from '../rules/declaration.ts'
import { applyCommands, type Command, PRIORITIES, sortCommands } from '../rules/pipeline/commands.ts'
import { detect } from '../rules/pipeline/pipeline.ts'
import { takeSnapshots } from '../rules/pipeline/states.ts'
import { stationOf } from '../rules/setup.ts'
import { announcerText } from '../rules/text.ts'
import { commandsScene, scenes } from '../scenes/index.ts'
import { teamMatch } from '../scenes/team-match.ts'
import { orderTeam, TESTS } from '../scenes/tests.ts'
import { emptyWorld, gunner, rock, rocks, ship, tick, totals } from './support.ts'

const COMMANDS = { preset: 'commands' } as const

type Told = { readonly kind: string; readonly target: number; readonly isDone: boolean }

/** The commands of the last tick, in the order in which they were carried out. */
function told(world: VinylWorld): Told[] {
  return listEvents(world).flatMap((event) =>
    event.kind === 'command'
      ? [{ kind: PRIORITIES[event.priority - 1], target: event.target, isDone: event.isDone === 1 }]
      : [],
  )
}

const kindsOf = (world: VinylWorld, id: number, isDone = true) =>
  told(world)
    .filter((one) => one.target === id && one.isDone === isDone)
    .map(({ kind }) => kind)

describe('snapshots first', () => {
  test('[VF56] a state is frozen, with its place and velocity, and the dead have none', () => {
    const world = emptyWorld(COMMANDS)
    ship(world, 0, { x: 0, y: 0, vx: 3 })
    ship(world, 1, { x: 100, y: 0 }).dead = 1
    const states = takeSnapshots(each(world))
    expect(states).toHaveLength(3)
    for (const state of states) {
      expect([state, state.place, state.velocity].map(Object.isFrozen)).toEqual([true, true, true])
    }
  })

  test('[VF56] up to the last command nothing in the world has changed', () => {
    const session = startScene(commandsScene)
    playScene(commandsScene, session, 9)
    const world = session.world as unknown as VinylWorld
    for (const thing of each(world)) {
      thing.x += thing.vx * 0.2
      thing.y += thing.vy * 0.2
    }
    const before = hashWorld(world)
    expect(detect(world).commands.length).toBeGreaterThan(10)
    expect(hashWorld(world)).toBe(before)
  })

  test('[VF56] each pair stands once, the older thing first; rocks make none, and touching is none', () => {
    const world = emptyWorld(COMMANDS)
    const late = ship(world, 0, { x: 0, y: 0 })
    const [near, far] = [
      rock(world, MATERIAL.vinyl, 40, { x: 20, y: 0 }),
      rock(world, MATERIAL.vinyl, 40, { x: 30, y: 0 }),
    ]
    const touching = ship(world, 1, { x: 0, y: 24 })
    const pairs = detect(world).meetings.map(({ pair: { first, second } }) => [first.thing.id, second.thing.id])
    expect(pairs).toEqual([[late.id, near.id]])
    expect([far.dead, touching.dead]).toEqual([0, 0])
  })
})

describe('seven priorities', () => {
  test('[VF57] the names of the document, in its order', () => {
    expect(PRIORITIES).toEqual([
      'KillSelf',
      'SetDocked',
      'SetVelocity',
      'SetPosition',
      'AdjustShield',
      'AdjustCargo',
      'Announce',
    ])
  })

  const commandOf = (kind: Command['kind'], target: VinylThing): Command => {
    const base = { target, by: undefined }
    const place = { x: 1, y: 2 }
    switch (kind) {
      case 'KillSelf':
        return { ...base, kind }
      case 'SetDocked':
      case 'SetPosition':
        return { ...base, kind, place }
      case 'SetVelocity':
        return { ...base, kind, velocity: { speed: 1, heading: 0 } }
      case 'AdjustShield':
        return { ...base, kind, value: -1 }
      case 'AdjustCargo':
        return { ...base, kind, value: 1, into: 'hold' }
      default:
        return { ...base, kind, text: 'said', isAlways: false }
    }
  }

  test.each(PRIORITIES.slice(1).map((kind, i) => [PRIORITIES[i], kind] as const))(
    '[VF57] %s comes before %s, whoever is older and whoever asked first',
    (before, after) => {
      const world = emptyWorld(COMMANDS)
      const [old, young] = [ship(world, 0, { x: 0, y: 0 }), ship(world, 0, { x: 90, y: 0 })]
      const sorted = sortCommands([commandOf(after, old), commandOf(before, young)])
      expect(sorted.map(({ kind }) => kind)).toEqual([before, after])
    },
  )

  test('[VF57] of one priority the older thing comes first, and of one thing what was asked first', () => {
    const world = emptyWorld(COMMANDS)
    const [old, young] = [ship(world, 0, { x: 0, y: 0 }), ship(world, 0, { x: 90, y: 0 })]
    const first = commandOf('AdjustShield', old)
    const second = { ...first, value: -2 } as Command
    const sorted = sortCommands([commandOf('AdjustShield', young), first, second])
    expect(sorted.map(({ target }) => target.id)).toEqual([old.id, old.id, young.id])
    expect(sorted.slice(0, 2)).toEqual([first, second])
  })

  test('[VF57] kill before dock: a ship that is destroyed as it docks delivers nothing', () => {
    const world = emptyWorld(COMMANDS)
    const docking = ship(world, 1, { x: 256, y: 230 }, { cargo: 7 })
    const { id } = docking
    docking.shield = 0.1
    ship(world, 0, { x: 256, y: 210, vy: 20 })
    tick(world)
    expect(kindsOf(world, id)).toEqual(['KillSelf', 'Announce', 'Announce'])
    expect(kindsOf(world, id, false)).toEqual([
      'SetDocked',
      'SetVelocity',
      'SetPosition',
      'AdjustShield',
      'AdjustCargo',
      'Announce',
    ])
    expect([exists(docking), stationOf(world, 1)!.vinyl]).toEqual([false, 0])
  })

  test('[VF57] dock before velocity and place: a ship that is bumped as it docks stays in its dock, and is hurt', () => {
    const world = emptyWorld(COMMANDS)
    const docking = ship(world, 1, { x: 256, y: 230 })
    const { id } = docking
    ship(world, 0, { x: 256, y: 210, vy: 10 })
    tick(world)
    expect(kindsOf(world, id, false)).toEqual(['SetVelocity', 'SetPosition'])
    expect([docking.x, docking.y, docking.speed, docking.docked]).toEqual([256, 256, 0, 1])
    expect(docking.shield).toBeLessThan(15)
  })

  test('[VF57] shield before cargo: what two hits destroy together neither eats nor delivers', () => {
    const world = emptyWorld(COMMANDS)
    const docking = ship(world, 1, { x: 256, y: 230 }, { cargo: 7 })
    const { id } = docking
    docking.shield = 0.5
    ship(world, 0, { x: 250, y: 210, vy: 5 })
    ship(world, 0, { x: 262, y: 210, vy: 5 })
    tick(world)
    expect(kindsOf(world, id).filter((kind) => kind === 'AdjustShield')).toHaveLength(2)
    expect(kindsOf(world, id, false)).toContain('AdjustCargo')
    expect([exists(docking), stationOf(world, 1)!.vinyl, world.events.destroyed.count]).toEqual([false, 0, 1])
  })

  test('[VF57] announcements come last: they are in the order of the ships, behind everything else', () => {
    const { count } = countedKinds()
    expect(count).toEqual({
      KillSelf: 1,
      SetDocked: 1,
      SetVelocity: 3,
      SetPosition: 2,
      AdjustShield: 3,
      AdjustCargo: 1,
      Announce: 3,
    })
  })

  function countedKinds() {
    const rows = commandRows(commandsScene, 1)
    const kinds = rows.map(([, kind]) => kind)
    expect(kinds).toEqual([...kinds].sort())
    const count: Record<string, number> = {}
    for (const kind of kinds) count[kind.slice(2)] = (count[kind.slice(2)] ?? 0) + 1
    return { count, rows }
  }

  test('[VF57] the table of a turn names who, by whom, how much, and whether it was done', () => {
    const { rows } = countedKinds()
    expect(rows.every(([step]) => step === '4')).toBe(true)
    expect(rows[0]).toEqual(['4', '1 KillSelf', 'Vinyl 40.0', 'Drift-1', '', 'yes'])
    expect(rows[1]).toEqual(['4', '2 SetDocked', 'Drift-3', 'Void Station', '-256, -256', 'yes'])
    expect(rows.find(([, kind]) => kind === '6 AdjustCargo')).toEqual([
      '4',
      '6 AdjustCargo',
      'Drift-3',
      'Void Station',
      '-13',
      'yes',
    ])
    expect(commandRows(commandsScene, 0)).toEqual([])
  })
})

describe('each thing is killed once', () => {
  test('[VF58] of two ships and two lasers on one rock the first breaks it, the others find it taken', () => {
    const world = emptyWorld(COMMANDS)
    const target = rock(world, MATERIAL.vinyl, 40, { x: 0, y: 0 })
    const ram = ship(world, 0, { x: -20, y: 0, vx: 5 })
    const late = ship(world, 1, { x: 20, y: 8, vx: -5 })
    gunner(world, 0, { x: 0, y: 100 }, -Math.PI / 2, 300)
    gunner(world, 1, { x: 100, y: -4 }, Math.PI, 300)
    const before = totals(world).mass
    const { id } = target
    tick(world)
    expect(told(world).filter(({ kind }) => kind === 'KillSelf')).toEqual([
      { kind: 'KillSelf', target: id, isDone: true },
    ])
    expect([kindsOf(world, ram.id), kindsOf(world, late.id)]).toEqual([['SetVelocity', 'AdjustShield'], []])
    expect([rocks(world).length, world.events.laser.count, late.shield]).toEqual([3, 0, 15])
    expect(totals(world).mass).toBeCloseTo(before - 12, 9)
  })

  test('[VF58] a ship is destroyed once, however many ram it and shoot it', () => {
    const world = emptyWorld(COMMANDS)
    const victim = ship(world, 0, { x: 0, y: 0 })
    victim.shield = 0.5
    ship(world, 1, { x: -20, y: 0, vx: 25 })
    ship(world, 1, { x: 20, y: 0, vx: -25 })
    gunner(world, 1, { x: 0, y: 100 }, -Math.PI / 2, 300)
    tick(world)
    expect([world.events.destroyed.count, world.events.laser.count]).toEqual([1, 0])
    expect(announcerText(world).match(/S0-0 destroyed by/g)).toHaveLength(1)
    expect(exists(victim)).toBe(false)
  })

  test('[VF58] what a dead ship has fired still arrives', () => {
    const world = emptyWorld(COMMANDS)
    const shooter = gunner(world, 0, { x: 0, y: 0 }, 0, 200)
    shooter.shield = 0.1
    ship(world, 1, { x: -20, y: 0, vx: 25 })
    const target = ship(world, 1, { x: 90, y: 0 })
    tick(world)
    expect([exists(shooter), world.events.laser.count]).toEqual([false, 1])
    expect(target.shield).toBeLessThan(15)
  })

  test('[VF58] a shield that is exactly used up destroys, and a hair more does not', () => {
    for (const [left, dead] of [
      [0.7, 1],
      [0.7000001, 0],
    ]) {
      const world = emptyWorld(COMMANDS)
      const victim = ship(world, 0, { x: 0, y: 0 })
      ship(world, 1, { x: 22, y: 0, vx: -10 })
      victim.shield = left
      tick(world)
      expect(exists(victim), `${left}`).toBe(!dead)
    }
  })
})

describe('what frozen snapshots cost', () => {
  test('[VF59] two rocks that fit one by one are both swallowed, and what does not fit together is lost', () => {
    for (const [preset, cargo] of [
      ['commands', 30],
      ['document', 20],
    ] as const) {
      const world = emptyWorld({ preset })
      const eater = ship(world, 0, { x: 0, y: 0, vx: 10 })
      for (const y of [1, -1]) rock(world, MATERIAL.vinyl, 20, { x: 16, y })
      tick(world)
      expect(eater.cargo, preset).toBe(cargo)
    }
  })

  test('[VF59] of two velocities that are set the last stands', () => {
    const world = emptyWorld(COMMANDS)
    const eater = ship(world, 0, { x: 0, y: 0, vx: 10 })
    rock(world, MATERIAL.vinyl, 10, { x: 16, y: 1 })
    rock(world, MATERIAL.vinyl, 4, { x: 16, y: -1 })
    tick(world)
    expect(eater.speed).toBeCloseTo((70 * 10) / 74, 9)
  })
})

describe('the same physics as in the preset document', () => {
  test.each<[string, (world: VinylWorld) => unknown]>([
    [
      'a bump',
      (world) => [ship(world, 0, { x: 0, y: 0, vx: 9, vy: 2 }), ship(world, 1, { x: 20, y: 4, vx: -4 }, { cargo: 13 })],
    ],
    [
      'a rock eaten',
      (world) => [ship(world, 0, { x: 0, y: 0, vx: 8 }), rock(world, MATERIAL.vinyl, 6, { x: 14, y: 2, vx: -3 })],
    ],
    [
      'uranium eaten',
      (world) => [
        ship(world, 0, { x: 0, y: 0, vx: 8 }, { fuel: 10 }),
        rock(world, MATERIAL.uranium, 6, { x: 14, y: 2 }),
      ],
    ],
    [
      'a rock broken',
      (world) => [ship(world, 0, { x: 0, y: 0, vx: 8 }), rock(world, MATERIAL.vinyl, 40, { x: 20, y: 2, vx: -3 })],
    ],
    [
      'a rock too small to break',
      (world) => [ship(world, 0, { x: 0, y: 0, vx: 8 }), rock(world, MATERIAL.generic, 8, { x: 15, y: 2 })],
    ],
    [
      'a rock that flies away',
      (world) => [ship(world, 0, { x: 0, y: 0 }), rock(world, MATERIAL.vinyl, 40, { x: 20, y: 2, vx: 3 })],
    ],
    ['a rock at a station', (world) => [rock(world, MATERIAL.vinyl, 10, { x: 256, y: 226, vy: 9, vx: 1 })]],
    ['a ship shot', (world) => [gunner(world, 0, { x: 0, y: 0 }, 0, 150), ship(world, 1, { x: 80, y: 0, vy: 3 })]],
    [
      'a rock shot to pieces',
      (world) => [gunner(world, 0, { x: 0, y: 0 }, 0, 200), rock(world, MATERIAL.vinyl, 40, { x: 80, y: 0 })],
    ],
    [
      'a rock pushed by light',
      (world) => [gunner(world, 0, { x: 0, y: 0 }, 0, 100), rock(world, MATERIAL.vinyl, 40, { x: 80, y: 0 })],
    ],
    ['a station shot', (world) => [gunner(world, 0, { x: 156, y: 256 }, 0, 200)]],
    ['a delivery', (world) => [ship(world, 1, { x: 256, y: 230, vy: 4 }, { cargo: 7 })]],
    ['a delivery to the enemy', (world) => [ship(world, 0, { x: 256, y: 230, vy: 4 }, { cargo: 7 })]],
  ])('[VF56] %s', (_, fill) => {
    for (const legacyPhysics of [false, true]) {
      const [ours, theirs] = (['commands', 'document'] as const).map((preset) => {
        const world = emptyWorld({ preset, legacyPhysics, legacyAsteroidEatDamage: legacyPhysics })
        fill(world)
        tick(world)
        return [...each(world)].flatMap(({ x, y, vx, vy, shield, cargo, fuel, mass, vinyl, docked }) => [
          x,
          y,
          vx,
          vy,
          shield,
          cargo,
          fuel,
          mass,
          vinyl,
          docked,
        ])
      })
      expect(ours).toHaveLength(theirs.length)
      ours.forEach((value, i) => {
        expect(value).toBeCloseTo(theirs[i], 9)
      })
    }
  })
})

describe('a match stands still', () => {
  test.each(['document', 'original', 'commands'] as const)('[VF60] after its last turn, in %s', (preset) => {
    const world = emptyWorld({ preset, maxTurns: 2 })
    const moving = ship(world, 0, { x: 0, y: 0, vx: 10 })
    for (let i = 0; i < 10; i++) step(world)
    const { x } = moving
    expect(x).toBeCloseTo(20, 9)
    for (let i = 0; i < 5; i++) step(world)
    expect([moving.x, world.globals.turn, world.globals.step]).toEqual([x, 2, 0])
  })
})

describe('where the counts of the document come from', () => {
  const old = (file: string, options: Partial<VinylOptions>) => {
    const test = TESTS.find((one) => one.file.startsWith(file))!
    const { turns: maxTurns, counts } = test
    const scene = teamMatch({
      name: file,
      about: '',
      seed: 42,
      teams: [idle, orderTeam(test.file)],
      options: { maxTurns, ...options },
    })
    const session = startScene(scene)
    const world = session.world as unknown as VinylWorld
    const ticks: number[] = []
    const launches: number[] = []
    for (let i = 0; i < scene.ticks; i++) {
      playScene(scene, session, 1)
      for (const line of logLines(world)) if (counts(line)) ticks.push(i)
      for (const event of listEvents(world)) if (event.kind === 'launch') launches.push(event.distance)
    }
    return { count: ticks.length, ticks: new Set(ticks).size, launches: [...new Set(launches)] }
  }
  const ALL = {
    legacyCollisionHandling: true,
    legacyPhysics: true,
    legacyAsteroidEatDamage: true,
    legacyDocking: true,
  }

  test('[VF62] the 4 of test 1 is one docking in one tick, after a launch of 48', () => {
    expect(old('test1', { legacyCollisionHandling: true })).toEqual({ count: 4, ticks: 1, launches: [48] })
  })

  test('[VF62] the re-docking bug gives 25, and all flags 20, 12 and 8', () => {
    expect(old('test1', { legacyDocking: true })).toEqual({ count: 25, ticks: 25, launches: [35] })
    expect(['test1', 'test3', 'test5'].map((file) => old(file, ALL).count)).toEqual([20, 12, 8])
    expect(old('test1', ALL).launches.length).toBeGreaterThan(1)
  })
})

describe('what the scenes show, and why', () => {
  const playTo = (name: string, tick: number) => {
    const scene = scenes.find((one) => one.name === name)!
    const session = startScene(scene)
    playScene(scene, session, tick)
    return { world: session.world as unknown as VinylWorld, play: () => playScene(scene, session, 1) }
  }
  const why = (name: string, tick: number, a: number, b: number): string[] => {
    const { world, play } = playTo(name, tick)
    const entries = watchPair(world as never, a, b)
    play()
    return entries.filter(({ phase }) => /^(pipeline|moveAndMeet|simulate)$/.test(phase)).map(({ text }) => text)
  }

  test('[VF61] the pile breaks into three in the pipeline, and once for each of four in the old engine', () => {
    const fragments = (name: string) => {
      const { world, play } = playTo(name, 9)
      play()
      return world.events.fragment.count
    }
    expect([fragments('commands'), fragments('multi-hit')]).toEqual([3, 12])
  })

  test('[VF61] a launch of little thrust docks again at 35 and 40, and gets away from 45', () => {
    const { world, play } = playTo('re-docking', 5)
    const launches: number[] = []
    for (let i = 0; i < 20; i++) {
      play()
      for (const event of listEvents(world)) if (event.kind === 'launch') launches.push(Math.trunc(event.distance))
    }
    expect(launches).toEqual([35, 40, 45])
  })

  test('[VF61] why says whether two met, how deep, and what became of it', () => {
    expect(why('commands', 9, 2, 11)).toEqual([
      'pair 2 of 4: they overlap by 0.100; commands: AdjustShield of 2, SetVelocity of 2, KillSelf of 11',
    ])
    expect(why('commands', 9, 7, 11)).toEqual([
      'pair 4 of 4: they overlap by 0.100; skipped, one of them is killed by an earlier pair',
    ])
    expect(why('commands', 8, 2, 11)).toEqual(['no pair: they do not overlap, 0.300 apart'])
    expect(why('commands', 9, 2, 9)).toEqual(['no pair: 9 is docked'])
    expect(why('multi-hit', 9, 2, 11)).toEqual(['they met 2 times: overlap 0.100'])
    expect(why('multi-hit', 8, 2, 11)).toEqual(['they did not meet: 0.300 apart at the end of this phase'])
    expect(why('original', 60, 4, 8)).toEqual(['they did not meet: 581.574 apart at the end of this phase'])
  })
})

test('[VF57] what is carried out is what was sorted: a command that comes too late is told as not done', () => {
  const world = emptyWorld(COMMANDS)
  const target = ship(world, 0, { x: 0, y: 0 })
  applyCommands(world, [
    { kind: 'KillSelf', target, by: undefined },
    { kind: 'AdjustShield', target, by: undefined, value: -1 },
  ])
  expect([target.dead, target.shield, world.events.hurt.count, world.events.destroyed.count]).toEqual([1, 15, 0, 1])
  expect(told(world).map(({ isDone }) => isDone)).toEqual([true, false])
})
