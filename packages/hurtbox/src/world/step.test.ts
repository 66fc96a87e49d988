import { describe, expect, test } from 'vitest'
import { bytesOf, expectRefusal } from '../../test/support.ts'
import type { Behaviour } from '../host/tools/index.ts'
import {
  axis,
  createWorld,
  declareGame,
  defineGame,
  emit,
  eventsOf,
  flag,
  listEvents,
  type Phase,
  playerAt,
  playerOf,
  spawn,
  step,
  thing,
  type World,
  wide,
} from '../index.ts'

const declaration = declareGame({
  id: 'ticks',
  tickRate: 60,
  seats: { min: 0, max: 2 },
  layers: { thing: [] },
  capacity: 4,
  input: { turn: axis() },
  events: { beep: { pitch: 'f64' }, boop: { at: 'timer', spot: wide('u8', 2) } },
  eventCapacity: 3,
})

interface Ticks extends World<typeof declaration> {}
type Phases = Readonly<Record<string, Phase<typeof declaration>>>

function playing(phases: Phases, log: string[] = [], more: Partial<Behaviour<typeof declaration>> = {}) {
  return createWorld(
    defineGame(declaration, {
      phases,
      onJoin: (_world, player) => void log.push(`join ${player.seat} team ${player.team}`),
      onLeave: (_world, player) => void log.push(`leave ${player.seat}`),
      ...more,
    }),
  )
}

describe('the tick', () => {
  test('[TK1] controls, then inputs, then phases in the order listed', () => {
    const log: string[] = []
    const phase = (name: string) => (world: Ticks) => {
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
      menu: { run: ({ tick, clock }) => void log.push(`menu ${tick} ${clock}`), whilePaused: true },
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
      menu: {
        whilePaused: true,
        run(inner) {
          inner.paused = inner.tick === 1 || inner.tick === 2
        },
      },
    })
    for (let i = 0; i < 5; i++) step(world)
    expect(log).toEqual(['fight 0', 'fight 1', 'fight 2'])
    expect([world.tick, world.clock]).toEqual([5, 3])
  })

  test('[TK9] from the moment a match is over none of its phases runs; the tick still ends', () => {
    const log: string[] = []
    const world = playing(
      {
        fight: ({ tick }) => void log.push(`fight ${tick}`),
        end: { run: ({ tick }) => void log.push(`end ${tick}`), whilePaused: true },
        after: ({ tick }) => void log.push(`after ${tick}`),
      },
      [],
      { isOver: ({ tick }) => log.includes('end 2') || tick > 5 },
    )
    step(world)
    step(world, { controls: [{ control: 'pause', paused: true }] })
    step(world, { controls: [{ control: 'pause', paused: false }] })
    step(world)
    // In tick 2 the phase after the one that ended it does not run.
    expect(log).toEqual(['fight 0', 'end 0', 'after 0', 'end 1', 'fight 2', 'end 2'])
    expect([world.tick, world.clock]).toEqual([4, 3])
  })

  test('[TK12] a phase that is created has scratch of its own in every world, and `endTick` is called', () => {
    const log: string[] = []
    const counting: Phase<typeof declaration> = {
      create(inner) {
        let runs = 0
        log.push(`made in ${inner.tables.things.capacity}`)
        return {
          run: ({ tick }) => void log.push(`run ${++runs} in ${tick}`),
          endTick({ tick, tables }) {
            log.push(`end ${tick} with ${tables.things.leaving[0]}`)
          },
        }
      },
    }
    const game = defineGame(declaration, {
      setup: (inner) => void spawn(inner, 'thing'),
      phases: { counting, reap: ({ tables }) => void (tables.things.leaving[0] = 1) },
    })
    const [one, other] = [createWorld(game), createWorld(game)]
    expect(log.splice(0)).toEqual(['made in 4', 'made in 4'])
    step(one)
    // Leaving rows are still there, and the tick has been counted.
    expect(log.splice(0)).toEqual(['run 1 in 0', 'end 1 with 1'])
    step(one)
    step(other)
    expect(log).toEqual(['run 2 in 1', 'end 2 with 1', 'run 1 in 0', 'end 1 with 1'])
  })

  test('[TK12] a paused phase does not run, but its `endTick` does; also in a match that is over', () => {
    const log: string[] = []
    const create = () => ({ run: () => void log.push('run'), endTick: () => void log.push('end') })
    const world = playing({ quiet: { create } }, [], { isOver: ({ tick }) => tick >= 2 })
    step(world, { controls: [{ control: 'pause', paused: true }] })
    step(world, { controls: [{ control: 'pause', paused: false }] })
    step(world)
    expect(log).toEqual(['end', 'run', 'end', 'end'])
    const always = playing({ menu: { create, whilePaused: true } })
    log.length = 0
    step(always, { controls: [{ control: 'pause', paused: true }] })
    expect(log).toEqual(['run', 'end'])
  })

  test('[TK12] phases may depend on the options of the match', () => {
    const { options: _, ...bare } = { ...declaration, options: undefined }
    const optional = declareGame({ ...bare, options: { hard: flag(false) } })
    const log: string[] = []
    const game = defineGame(optional, {
      phases: ({ hard }) => ({ walk: () => void log.push('walk'), ...(hard && { bite: () => void log.push('bite') }) }),
    })
    step(createWorld(game))
    step(createWorld(game, { options: { hard: true } }))
    expect(log).toEqual(['walk', 'walk', 'bite'])
  })

  test('[TK10] a player and its thing are found from either side; one that leaves is gone', () => {
    const world = playing({})
    const { players, things } = world.tables
    step(world, { controls: [0, 1].map((seat) => ({ control: 'join', seat })) })
    spawn(world, 'thing')
    playerAt(world, 1)!.thing = spawn(world, 'thing')
    expect([0, 1, 2, 3].map((id) => playerOf(world, id)?.seat)).toEqual([undefined, undefined, 1, undefined])
    expect([0, 1, 2].map((seat) => playerAt(world, seat)?.thing?.id)).toEqual([undefined, 2, undefined])
    expect([...players.thing.subarray(0, 2)]).toEqual([0, 2])
    things.leaving[1] = 1
    expect(playerAt(world, 1)?.thing).toBeUndefined()
  })

  test('[TK10] without onLeave the thing of a leaving player leaves, with all that it owns', () => {
    const world = createWorld(defineGame(declaration, { phases: {} }))
    step(world, { controls: [0, 1].map((seat) => ({ control: 'join', seat })) })
    const [body, other] = [spawn(world, 'thing'), spawn(world, 'thing')]
    spawn(world, 'thing', { owner: body })
    spawn(world, 'thing', { owner: other })
    playerAt(world, 1)!.thing = body
    // A player without a thing takes nothing along.
    step(world, { controls: [{ control: 'leave', seat: 0 }] })
    expect(world.tables.things.count).toBe(4)
    step(world, { controls: [{ control: 'leave', seat: 1 }] })
    expect([thing(world, 1), thing(world, 2)?.id, thing(world, 3), thing(world, 4)?.owner]).toEqual([
      undefined,
      2,
      undefined,
      2,
    ])
    expect(world.tables.players.count).toBe(0)
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
    expectRefusal(bad({ control: 'leave', seat: 1 }), /seat 1 is empty/, world)
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
    const error = expectRefusal(
      () => step(world),
      /half way \(GameFailure: phase fail failed in tick 0: bug\)\. Restore/,
    )
    expect(error.cause).toMatchObject({ cause: { message: 'bug' } })
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
      /free when this tick has ended/,
      world,
    )
  })

  test('[TK6] a step inside a step or a setup is refused, and misspelt inputs are', () => {
    const setUp = () => createWorld(defineGame(declaration, { setup: (inner) => step(inner), phases: {} }))
    expectRefusal(setUp, /inside a step or a setup/)
    expectRefusal(() => step(playing({}), { player: [] } as never), /no field of inputs "player"/)
    const world: Ticks = playing({ again: (inner) => step(inner) })
    expectRefusal(() => step(world), /inside a step/)
  })

  test('[TK7] events are those of the last step, in order, known by (tick, kind, n); more than fits are counted', () => {
    const world = playing({
      sound(inner) {
        const { tick } = inner
        if (tick > 1) return
        for (let i = 0; i < 2 + 3 * tick; i++) emit(inner, 'beep', { pitch: i + tick / 2 })
        emit(inner, 'boop', { at: tick, spot: [1, 2] })
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

  test('[TK11] a later phase reads the events of this tick so far by name; an event that lacks a field is refused', () => {
    const seen: number[][] = []
    const read = (inner: Ticks) => {
      const pitches: number[] = []
      for (const { pitch } of eventsOf(inner, 'beep')) pitches.push(pitch)
      seen.push(pitches)
    }
    const beep = (inner: Ticks) => emit(inner, 'beep', { pitch: inner.tick })
    const world = playing({ early: read, beep, middle: read, again: beep, late: read })
    step(world)
    step(world)
    expect(seen).toEqual([[], [0], [0, 0], [], [1], [1, 1]])
    expectRefusal(() => emit(world, 'beep', {} as never), /event beep needs pitch, got undefined/)
    expectRefusal(() => emit(world, 'bep' as never, {} as never), /no event "bep". Known: beep/)
  })
})
