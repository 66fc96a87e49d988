import { describe, expect, test } from 'vitest'
import {
  alsoWhilePaused,
  axis,
  createWorld,
  declareGame,
  defineGame,
  emit,
  listEvents,
  playerOf,
  seatRow,
  spawn,
  step,
  takeAlong,
  thingOf,
  untilOver,
  type World,
} from '../src/index.ts'
import { bytesOf, expectRefusal } from './support.ts'

const declaration = declareGame({
  id: 'ticks',
  rulesVersion: 1,
  tickRate: 60,
  seats: { min: 0, max: 2 },
  tables: { things: { capacity: 4, columns: {} } },
  input: { turn: axis() },
  events: { beep: { pitch: 'f64' }, boop: { at: 'timer', spot: { type: 'u8', width: 2 } } },
  eventCapacity: 3,
})

function playing(phases: Record<string, (world: World<typeof declaration>) => void>, log: string[] = []) {
  return createWorld(
    defineGame(declaration, {
      phases: () => phases,
      onJoin: (world, row) =>
        void log.push(`join ${world.tables.players.seat[row]} team ${world.tables.players.team[row]}`),
      onLeave: (world, row) => void log.push(`leave ${world.tables.players.seat[row]}`),
    }),
  )
}

describe('the tick', () => {
  test('[TK1] controls, then inputs, then phases in the order listed', () => {
    const log: string[] = []
    const phase = (name: string) => (world: World<typeof declaration>) => {
      log.push(`${name} turn ${world.tables.players.turn[0]} tick ${world.tick}`)
    }
    const world = playing({ zebra: phase('zebra'), apple: phase('apple') }, log)
    step(world, { controls: [{ control: 'join', seat: 1, team: 3 }], players: [{ seat: 1, turn: 1 }] })
    expect(log).toEqual(['join 1 team 3', 'zebra turn 1 tick 0', 'apple turn 1 tick 0'])
    expectRefusal(() => playing({ '1st': () => {} }), /must not start with a digit/)
    expectRefusal(() => playing({ none: undefined as never }), /phase "none" must be a function/)
  })

  test('[TK2] while paused the clock stands, the tick goes on, and only phases made for it run', () => {
    const log: string[] = []
    const world = playing({
      fight: ({ clock }) => void log.push(`fight ${clock}`),
      menu: alsoWhilePaused(({ tick, clock }) => void log.push(`menu ${tick} ${clock}`)),
    })
    step(world)
    step(world, { controls: [{ control: 'pause', paused: true }] })
    step(world)
    step(world, { controls: [{ control: 'pause', paused: false }] })
    expect(log).toEqual(['fight 0', 'menu 0 0', 'menu 1 1', 'menu 2 1', 'fight 1', 'menu 3 1'])
    expect([world.tick, world.clock]).toEqual([4, 2])
  })

  test('[TK8] a phase that pauses or goes on lets its tick end as it began: no clock value runs twice or never', () => {
    const log: string[] = []
    const world = playing({
      fight: ({ clock }) => void log.push(`fight ${clock}`),
      menu: alsoWhilePaused((world) => {
        world.paused = world.tick === 1 || world.tick === 2
      }),
    })
    for (let i = 0; i < 5; i++) step(world)
    expect(log).toEqual(['fight 0', 'fight 1', 'fight 2'])
    expect([world.tick, world.clock]).toEqual([5, 3])
  })

  test('[TK9] from the moment a match is over none of its phases runs, and each stays what else it was', () => {
    const log: string[] = []
    const check = () => void log.push('checked')
    const end = alsoWhilePaused(({ tick }: World<typeof declaration>) => void log.push(`end ${tick}`))
    const fight = Object.assign(({ tick }: World<typeof declaration>) => void log.push(`fight ${tick}`), {
      prepare: check,
    })
    const world = playing(untilOver(({ tick }) => log.includes('end 2') || tick > 5, { fight, end }))
    step(world)
    step(world, { controls: [{ control: 'pause', paused: true }] })
    step(world, { controls: [{ control: 'pause', paused: false }] })
    step(world)
    expect(log).toEqual(['checked', 'fight 0', 'end 0', 'end 1', 'fight 2', 'end 2'])
    expect([world.tick, world.clock]).toEqual([4, 3])
  })

  test('[TK10] playerOf and thingOf find who controls what; nobody is nobody, and who leaves is gone', () => {
    const world = playing({})
    const { players, things } = world.tables
    step(world, { controls: [0, 1].map((seat) => ({ control: 'join', seat })) })
    spawn(things)
    players.thing[1] = spawn(things)
    expect([0, 1, 2, 3].map((thing) => playerOf(world, thing))).toEqual([-1, -1, 1, -1])
    expect([-1, 0, 1].map((player) => thingOf(world, player))).toEqual([-1, -1, 1])
    expect([0, 1, 2].map((seat) => thingOf(world, seatRow(world, seat)))).toEqual([-1, 1, -1])
    things.leaving[1] = 1
    expect(thingOf(world, 1)).toBe(-1)
  })

  test('[TK10] takeAlong takes a thing and what it owns; who has none takes nothing', () => {
    const world = playing({})
    const { players, things } = world.tables
    step(world, { controls: [0, 1].map((seat) => ({ control: 'join', seat })) })
    players.thing[1] = spawn(things)
    spawn(things)
    spawn(things, { owner: 1 })
    spawn(things, { owner: 2 })
    takeAlong(world, 0)
    expect([...things.leaving.subarray(0, 4)]).toEqual([0, 0, 0, 0])
    takeAlong(world, 1)
    expect([...things.leaving.subarray(0, 4)]).toEqual([1, 0, 1, 0])
  })

  test('[TK3] a step with a bad input throws and changes nothing', () => {
    const world = playing({})
    step(world, { controls: [{ control: 'join', seat: 0 }] })
    const bad =
      (...controls: unknown[]) =>
      () =>
        step(world, { controls } as never)
    expectRefusal(bad({ control: 'join', seat: 1 }, { control: 'join', seat: 1 }), /seat 1 is taken/, world)
    expectRefusal(bad({ control: 'join', seat: 0 }), /seat 0 is taken/, world)
    expectRefusal(bad({ control: 'join', seat: 2 }), /seat must be a whole number from 0 to 1/, world)
    expectRefusal(bad({ control: 'join', seat: 1, team: -1 }), /team/, world)
    expectRefusal(bad({ control: 'leave', seat: 1 }), /nobody sits on seat 1/, world)
    expectRefusal(bad({ control: 'pause', paused: 1 }), /paused must be true or false/, world)
    expectRefusal(bad({ control: 'entropy', bits: 2 ** 32 }), /bits/, world)
    expectRefusal(bad({ control: 'dance' }), /one of join, leave/, world)
    expectRefusal(bad(null), /one of join, leave/, world)
    step(world)
    expect(world.tick).toBe(2)
  })

  test('[TK4] a phase that throws breaks the world until it is restored', () => {
    const world = playing({
      fail: () => {
        throw new Error('bug')
      },
    })
    expect(() => step(world)).toThrow('bug')
    const error = expectRefusal(() => step(world), /\(Error: bug\), so the state is half done. Restore/)
    expect(error.cause).toMatchObject({ message: 'bug' })
  })

  test('[TK5] joining takes a seat and a row, leaving gives it back when the tick ends', () => {
    const log: string[] = []
    const counts: number[] = []
    const world = playing({ look: ({ tables }) => void counts.push(tables.players.count) }, log)
    const { players } = world.tables
    step(world, {
      controls: [
        { control: 'join', seat: 1 },
        { control: 'join', seat: 0 },
      ],
    })
    step(world, { controls: [{ control: 'leave', seat: 1 }] })
    expect([players.count, players.seat[0], counts]).toEqual([1, 0, [2, 2]])
    step(world, { controls: [{ control: 'join', seat: 1 }] })
    expect(log).toEqual(['join 1 team 0', 'join 0 team 0', 'leave 1', 'join 1 team 0'])
    expectRefusal(
      () =>
        step(world, {
          controls: [
            { control: 'leave', seat: 1 },
            { control: 'join', seat: 1 },
          ],
        }),
      /free only when this tick has ended/,
      world,
    )
  })

  test('[TK6] a step inside a step or a setup is refused, and misspelt inputs are', () => {
    const setUp = () => createWorld(defineGame(declaration, { setup: (inner) => step(inner), phases: () => ({}) }))
    expectRefusal(setUp, /inside a step or a setup/)
    expectRefusal(() => step(playing({}), { player: [] } as never), /no field of inputs "player"/)
    const world: World<typeof declaration> = playing({ again: (inner) => step(inner) })
    expectRefusal(() => step(world), /inside a step/)
  })

  test('[TK7] events are those of the last step, in order, known by (tick, kind, n); more than fits are counted', () => {
    const world = playing({
      sound: ({ tick, events }) => {
        if (tick > 1) return
        for (let i = 0; i < 2 + 3 * tick; i++) emit(events.beep, { pitch: i + tick / 2 })
        emit(events.boop, { at: tick, spot: [1, 2] })
      },
    })
    step(world)
    expect(listEvents(world)).toEqual([
      { tick: 0, kind: 'beep', n: 0, pitch: 0 },
      { tick: 0, kind: 'beep', n: 1, pitch: 1 },
      { tick: 0, kind: 'boop', n: 0, at: 0, spot: [1, 2] },
    ])
    step(world)
    expect([world.events.beep.count, world.events.beep.refused]).toEqual([3, 2])
    expect([...world.events.beep.pitch.subarray(0, 3)]).toEqual([0.5, 1.5, 2.5])
    step(world)
    expect(listEvents(world)).toEqual([])
    expect(world.events.beep.refused).toBe(0)
    expect(bytesOf(world).length).toBeGreaterThan(0)
    const named = (field: string) => () => declareGame({ ...declaration, events: { beep: { [field]: 'f64' } } })
    for (const field of ['tick', 'kind', 'n']) expectRefusal(named(field), /of event .* is the engine's own/)
  })
})
