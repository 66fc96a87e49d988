import { describe, expect, test } from 'vitest'
import { type Random, randomOf } from '../../../test/random.ts'
import {
  advance,
  axis,
  collide,
  createSession,
  createWorld,
  declareGame,
  defineGame,
  despawn,
  each,
  eventsOf,
  players,
  spawn,
  step,
  syncTest,
  thing,
  why,
} from '../../index.ts'
import { defineCombat } from '../combat/index.ts'
import {
  comesBack,
  isPlaying,
  leader,
  matchFlow,
  nextWave,
  playRounds,
  returnIn,
  STAGE,
  safestPlace,
  score,
  ticksLeft,
  waveAt,
} from './index.ts'

type Plan = {
  readonly rounds: number
  readonly points: number
  readonly time: number
  readonly suddenDeath: number
  readonly countdown: number
  readonly breather: number
  readonly mayDraw: boolean
}
/** What the match is told in a tick: who scores how much. */
type Goals = readonly (readonly [side: number, points: number])[]

const byTeam = declareGame({
  id: 'by-team',
  tickRate: 60,
  globals: { ...matchFlow.globals, ...matchFlow.teams(3) },
  events: matchFlow.events,
})
const alone = declareGame({
  id: 'alone',
  tickRate: 60,
  globals: matchFlow.globals,
  players: matchFlow.players,
  events: matchFlow.events,
})

/** A match of three sides that plays goals as they are given, and says what happened in each tick. */
function createMatch(plan: Partial<Plan>, isByTeam: boolean): (goals: Goals) => string[] {
  const declaration = (isByTeam ? byTeam : alone) as typeof byTeam
  const rounds = playRounds(declaration, plan)
  let goals: Goals = []
  const game = defineGame(declaration, {
    phases: {
      nextStage: rounds.nextStage,
      goals: (world) => {
        for (const [side, points] of goals) score(world, side, points)
      },
      judge: rounds.judge,
      // After the end no phase of a game runs; here all do, so that an event too many would be seen.
    },
  })
  const world = createWorld(game)
  const controls = [0, 1, 2].map((seat) => ({ control: 'join', seat }) as const)
  return (given) => {
    goals = given
    step(world, world.tick === 0 ? { controls } : {})
    return [
      ...Array.from(eventsOf(world, 'matchOver'), ({ side }) => `match to ${side}`),
      ...Array.from(eventsOf(world, 'roundStart'), ({ round }) => `round ${round}`),
      ...Array.from(eventsOf(world, 'suddenDeath'), ({ round }) => `sudden death in ${round}`),
      ...Array.from(eventsOf(world, 'roundOver'), ({ round, side }) => `round ${round} to ${side}`),
    ]
  }
}

const aheadOf = (counts: readonly number[]) => {
  const most = Math.max(...counts)
  return counts.filter((count) => count === most).length === 1 ? counts.indexOf(most) + 1 : 0
}

/** The same as a story that is read from top to bottom: no stages, no clock. Each turn is a tick; `said` is what happens in it. */
function* tell(plan: Plan, given: { goals: Goals }): Generator<string[], void, void> {
  const wins = [0, 0, 0]
  for (let round = 1; ; round++) {
    yield [`round ${round}`]
    for (let n = 1; n < plan.countdown; n++) yield []
    const counts = [0, 0, 0]
    let [left, isSudden, winner] = [plan.time === 0 ? Number.POSITIVE_INFINITY : plan.time, false, -1]
    for (; winner < 0; left--) {
      for (const [side, points] of given.goals) counts[side - 1] = Math.max(0, counts[side - 1] + points)
      const ahead = aheadOf(counts)
      if (ahead > 0 && (isSudden || (plan.points > 0 && counts[ahead - 1] >= plan.points))) winner = ahead
      else if (left === 0 && ahead === 0 && !isSudden && plan.suddenDeath > 0) {
        ;[left, isSudden] = [plan.suddenDeath, true]
        yield [`sudden death in ${round}`]
        continue
      } else if (left === 0) winner = ahead
      yield winner < 0 ? [] : [`round ${round} to ${winner}`]
    }
    if (winner > 0) wins[winner - 1]++
    for (let n = 1; n < plan.breather; n++) yield []
    const best = aheadOf(wins)
    const isLast = round >= plan.rounds
    const isWon = best > 0 && (isLast || wins[best - 1] > plan.rounds / 2)
    if (isWon || (isLast && best === 0 && plan.mayDraw)) {
      yield [`match to ${best}`]
      for (;;) yield []
    }
  }
}

function planOf(random: Random): Plan {
  const upTo = (most: number) => Math.floor(random() * (most + 1))
  return {
    rounds: 1 + upTo(4),
    points: upTo(3),
    time: upTo(3) === 0 ? 0 : 1 + upTo(30),
    suddenDeath: upTo(1) * (1 + upTo(12)),
    countdown: upTo(4),
    breather: upTo(4),
    mayDraw: random() < 0.5,
  }
}

describe('rounds', () => {
  test.each([
    ['teams', true],
    ['players', false],
  ])(
    '[MF1] rounds, points, time limits, sudden death and the end are those of a story told tick by tick: %s',
    (_, isByTeam) => {
      const seen: Record<string, number> = {}
      for (let seed = 1; seed <= 120; seed++) {
        const random = randomOf(seed)
        const plan = planOf(random)
        const play = createMatch(plan, isByTeam)
        const given = { goals: [] as Goals }
        const story = tell(plan, given)
        const [played, told]: string[][] = [[], []]
        for (let tick = 0; tick < 200; tick++) {
          const goals: [number, number][] = []
          while (random() < 0.06) goals.push([1 + Math.floor(random() * 3), random() < 0.2 ? -1 : 1])
          given.goals = goals
          for (const sentence of play(goals)) played.push(`${tick}: ${sentence}`)
          for (const sentence of story.next().value ?? []) told.push(`${tick}: ${sentence}`)
        }
        expect(played, `seed ${seed}, ${JSON.stringify(plan)}`).toEqual(told)
        for (const sentence of played) {
          const kind = sentence
            .replace(/^\d+: /, '')
            .replace(/ [1-9]\d*$/, ' n')
            .replace(/\d+ to/, 'n to')
          seen[kind] = (seen[kind] ?? 0) + 1
        }
      }
      // Every way to end a round and a match came about.
      const ways = ['match to 0', 'match to n', 'round n', 'round n to 0', 'round n to n', 'sudden death in n']
      expect(Object.keys(seen).sort()).toEqual(ways)
      expect(Math.min(...Object.values(seen))).toBeGreaterThan(8)
    },
  )

  test('[MF2] a round waits for enough players, also the next one; points count only in play', () => {
    const rounds = playRounds(byTeam, { needs: 2, rounds: 3, points: 1, countdown: 2 })
    const world = createWorld(
      defineGame(byTeam, {
        phases: { nextStage: rounds.nextStage, goal: (world) => void score(world, 1), judge: rounds.judge },
        isOver: rounds.isOver,
      }),
    )
    const { globals } = world
    const join = (seat: number) => step(world, { controls: [{ control: 'join', seat }] })
    join(0)
    for (let tick = 0; tick < 5; tick++) step(world)
    expect([globals.stage, globals.round, globals.score1]).toEqual([STAGE.waiting, 0, 0])
    join(1)
    expect([globals.stage, globals.round, ticksLeft(world)]).toEqual([STAGE.countdown, 1, 1])
    step(world)
    expect([globals.score1, isPlaying(world)]).toEqual([0, false])
    step(world, { controls: [{ control: 'leave', seat: 1 }] })
    expect([globals.score1, globals.wins1]).toEqual([1, 1])
    for (let tick = 0; tick < 5; tick++) step(world)
    expect([globals.stage, globals.round]).toEqual([STAGE.waiting, 1])
    join(1)
    expect([globals.stage, globals.round, globals.score1]).toEqual([STAGE.countdown, 2, 0])
    for (let tick = 0; tick < 4; tick++) step(world)
    expect(rounds.isOver(world)).toBe(true)
    expect(rounds.result(world)).toEqual({ over: true, winner: 'team 1', summary: 'round 2, rounds won 2 : 0 : 0' })
  })

  test('[MF3] a game decides a round in its own way, before points and time; every amount may come from the world', () => {
    const last = declareGame({
      id: 'last',
      tickRate: 60,
      layers: { fighter: [] },
      globals: matchFlow.globals,
      players: { wins: 'u8' },
      events: matchFlow.events,
      input: { falls: axis() },
    })
    const asked: boolean[] = []
    const rounds = playRounds(last, {
      rounds: (world) => world.game.declaration.tickRate / 20,
      time: () => 3,
      begin(world) {
        for (const player of players(world)) player.thing ??= spawn(world, 'fighter')
      },
      decide(world, isTimeUp) {
        asked.push(isTimeUp)
        const standing = [...players(world)].filter((player) => player.thing !== undefined)
        if (standing.length === 1) return standing[0].seat + 1
        return standing.length === 0 || isTimeUp ? 0 : undefined
      },
    })
    const game = defineGame(last, {
      phases: {
        nextStage: rounds.nextStage,
        fall(world) {
          for (const player of players(world)) if (player.falls > 0 && player.thing) despawn(player.thing)
        },
        judge: rounds.judge,
      },
    })
    const world = createWorld(game)
    step(world, { controls: [0, 1].map((seat) => ({ control: 'join', seat }) as const) })
    const wins = () => Array.from(players(world), (player) => player.wins)
    step(world, { players: [{ seat: 0, falls: 1 }] })
    expect([wins(), Array.from(eventsOf(world, 'roundOver'), ({ side, winner }) => [side, winner])]).toEqual([
      [0, 1],
      [[2, 2]],
    ])
    step(world, { players: [{ seat: 0, falls: 0 }] })
    asked.length = 0
    for (let tick = 0; tick < 4; tick++) step(world)
    expect([asked, wins()]).toEqual([
      [false, false, false, true],
      [0, 1],
    ])
    step(world)
    step(world, { players: [0, 1].map((seat) => ({ seat, falls: 1 })) })
    expect([world.globals.round, wins()]).toEqual([3, [0, 1]])
    step(world)
    expect(rounds.result(world)).toEqual({ over: true, winner: 'seat 1', summary: 'round 3, rounds won 0 : 1' })
  })

  test('[MF3] who has won no round has not won the match, alone or not', () => {
    const rounds = playRounds(alone, { needs: 1, decide: () => 0 })
    const game = defineGame(alone, { phases: { nextStage: rounds.nextStage, judge: rounds.judge } })
    const world = createWorld(game)
    step(world, { controls: [{ control: 'join', seat: 0 }] })
    for (let tick = 0; tick < 4; tick++) step(world)
    expect([world.globals.round, rounds.isOver(world)]).toEqual([3, false])
  })

  test('[MF4] a point is part of the hit: refused, nothing has happened; why tells it', () => {
    const ball = (isRefused: boolean) => {
      const declaration = declareGame({
        id: 'ball',
        tickRate: 60,
        layers: { ball: ['goal'], goal: [] },
        globals: { ...matchFlow.globals, ...matchFlow.teams(2) },
        events: matchFlow.events,
      })
      const rounds = playRounds(declaration, { needs: 0 })
      return createSession(
        defineGame(declaration, {
          setup(world) {
            spawn(world, 'ball', { radius: 5 })
            spawn(world, 'goal', { radius: 5, team: 2 })
          },
          phases: {
            nextStage: rounds.nextStage,
            hits: collide(declaration, {
              'ball enters goal': {
                between: ['ball', 'goal'],
                decide(_ball, goal, { world }) {
                  if (!score(world, goal)) return 'no goal now'
                  if (isRefused) return 'offside'
                },
              },
            }),
            judge: rounds.judge,
          },
        }),
      )
    }
    const [scored, refused] = [ball(false), ball(true)]
    for (const session of [scored, refused]) for (let tick = 0; tick < 2; tick++) advance(session)
    expect([scored.world.globals.score2, refused.world.globals.score2]).toEqual([1, 0])
    expect(JSON.stringify(why(scored, 1, 1, 2))).toContain('score2: 0 → 1')
  })

  test('[MF5] a declaration without a place for wins is refused, with what to add', () => {
    const bare = declareGame({ id: 'bare', tickRate: 60, globals: matchFlow.globals, events: matchFlow.events })
    expect(() => playRounds(bare)).toThrow(/matchFlow\.players.*matchFlow\.teams/)
    expect(() => playRounds(byTeam, { needs: -1 })).toThrow(/needs/)
  })
})

const combat = defineCombat({ damageTypes: ['blow'] })
const field = declareGame({
  id: 'field',
  tickRate: 60,
  layers: { hero: [], tree: [] },
  capacity: 64,
  things: { ...combat.columns, ...matchFlow.columns },
  events: combat.events,
  globals: matchFlow.waves,
})

describe('coming back', () => {
  test('[MF6] each comes back once, when its time has come or with its wave, whole, at rest and protected', () => {
    const [wrong, back] = [[] as string[], new Set<string>()]
    for (let seed = 1; seed <= 40; seed++) {
      const random = randomOf(seed)
      const every = seed % 2 === 0 ? 1 : 1 + Math.floor(random() * 40)
      /** By id: the tick in which it has to come back. */
      const due = new Map<number, number>()
      const game = defineGame(field, {
        phases: {
          act(world) {
            for (const hero of each(world, 'hero')) {
              const isBack = comesBack(hero, 20)
              if (isBack !== (due.get(hero.id) === world.tick)) wrong.push(`seed ${seed}, tick ${world.tick}`)
              if (isBack) {
                back.add([hero.hp, hero.vx, hero.vy, hero.invulnerableUntil - world.clock].join())
                due.delete(hero.id)
              } else if (hero.hp > 0 && random() < 0.05) {
                const wait = Math.floor(random() * 50)
                Object.assign(hero, { hp: 0, vx: 3 })
                returnIn(hero, wait, every)
                // The first tick from then on that is a multiple, in whole steps.
                let then = world.tick + wait
                while (then % every !== 0) then++
                due.set(hero.id, Math.max(then, world.tick + 1))
              }
            }
          },
        },
      })
      const world = createWorld(game)
      for (let i = 0; i < 12; i++) spawn(world, 'hero', { hp: 50, maxHp: 50 })
      for (let tick = 0; tick < 200; tick++) step(world)
    }
    expect([wrong, [...back]]).toEqual([[], ['50,0,0,20']])
  })

  test('[MF6] who is sent back in the very first tick comes back in the next one', () => {
    const came: number[] = []
    const game = defineGame(field, {
      setup: (world) => returnIn(spawn(world, 'hero', { maxHp: 5 }), 0),
      phases: {
        comeBack(world) {
          for (const hero of each(world, 'hero')) if (comesBack(hero)) came.push(world.clock)
        },
      },
    })
    const world = createWorld(game)
    for (let tick = 0; tick < 5; tick++) step(world)
    expect([came, thing(world, 1)!.hp, thing(world, 1)!.invulnerableUntil]).toEqual([[1], 5, 0])
  })

  test('[MF7] the safest place is the one whose nearest foe is farthest: living, of its layer, not of its team', () => {
    const random = randomOf(7)
    const whole = (most: number) => Math.floor(random() * most)
    for (let round = 0; round < 200; round++) {
      const world = createWorld(defineGame(field, { phases: {} }))
      for (let i = 0; i < 12; i++) {
        const values = { team: whole(3), hp: whole(3), x: whole(9), y: whole(9) }
        spawn(world, whole(4) === 0 ? 'tree' : 'hero', values)
      }
      const [hero] = each(world, 'hero')
      if (hero === undefined) continue
      const places = Array.from({ length: 5 }, () => ({ x: whole(9), y: whole(9) }))
      const foes = [...each(world, 'hero')].filter(
        (other) => other.id !== hero.id && other.hp > 0 && (other.team === 0 || other.team !== hero.team),
      )
      const room = places.map((place) =>
        Math.min(...foes.map((foe) => (foe.x - place.x) ** 2 + (foe.y - place.y) ** 2)),
      )
      expect(safestPlace(places, hero)).toBe(places[room.indexOf(Math.max(...room))])
    }
  })
})

test('[MF8] the leader is ahead of all others; level there is none', () => {
  const random = randomOf(3)
  for (let round = 0; round < 300; round++) {
    const scores = Array.from({ length: Math.floor(random() * 5) }, () => Math.floor(random() * 4))
    const sorted = [...scores].sort((a, b) => b - a)
    const expected = sorted.length === 0 || sorted[0] === sorted[1] ? undefined : sorted[0]
    expect(
      leader(scores, (a, b) => a - b),
      scores.join(),
    ).toBe(expected)
  }
})

describe('waves', () => {
  test('[MF9] by the clock: the first at its tick, the next ones as far apart', () => {
    const comes = Array.from({ length: 100 }, (_, clock) => waveAt({ clock }, 7, 30))
    expect(comes.flatMap((number, clock) => (number === 0 ? [] : [[clock, number]]))).toEqual([
      [7, 1],
      [37, 2],
      [67, 3],
      [97, 4],
    ])
    expect(waveAt({ clock: 0 }, 90, 30)).toBe(0)
  })

  test('[MF10] when the one before is beaten, after a pause, each once', () => {
    for (const pause of [0, 1, 9]) {
      const came: [clock: number, number: number][] = []
      const world = { clock: 0, globals: { wave: 0, waveAt: 0 } }
      let left = 0
      for (; world.clock < 200; world.clock++) {
        const number = nextWave(world, left, pause)
        if (number > 0) {
          came.push([world.clock, number])
          left = 3
        } else if (world.clock % 10 === 0 && left > 0) left--
      }
      // Three are beaten by the third tick from then on that ends on 0.
      let beaten = 0
      for (const [i, [clock, number]] of came.entries()) {
        expect([clock, number], `pause ${pause}`).toEqual([beaten + pause, i + 1])
        beaten = (Math.floor(clock / 10) + 3) * 10 + 1
      }
      expect(came.length).toBeGreaterThan(4)
    }
  })
})

test('[MF11] rolled back on every tick, a match with rounds, returns and waves ends with the same bits', () => {
  const declaration = declareGame({
    id: 'whole',
    tickRate: 60,
    layers: { hero: [] },
    things: { ...combat.columns, ...matchFlow.columns },
    globals: { ...matchFlow.globals, ...matchFlow.teams(2), ...matchFlow.waves },
    events: { ...combat.events, ...matchFlow.events },
    streams: ['luck'],
  })
  const rounds = playRounds(declaration, { needs: 0, rounds: 3, points: 4, time: 40, suddenDeath: 10, breather: 5 })
  const game = defineGame(declaration, {
    setup(world) {
      for (let i = 0; i < 6; i++) spawn(world, 'hero', { hp: 9, maxHp: 9, team: 1 + (i % 2) })
    },
    phases: {
      nextStage: rounds.nextStage,
      act(world) {
        let left = 0
        for (const hero of each(world, 'hero')) {
          if (comesBack(hero, 5))
            hero.x = safestPlace(
              [
                { x: 1, y: 0 },
                { x: 9, y: 0 },
              ],
              hero,
            ).x
          if (hero.hp > 0 && (world.clock * 7 + hero.id * 5) % 23 === 0) {
            score(world, 3 - hero.team)
            hero.hp = 0
            returnIn(hero, 12, 4)
          }
          if (hero.hp > 0) left++
        }
        nextWave(world, left - 4, 3)
      },
      judge: rounds.judge,
    },
  })
  const session = createSession(game)
  for (let tick = 0; tick < 200; tick++) advance(session)
  const { globals } = session.world
  expect([globals.stage, globals.wave > 3, thing(session.world, 1)!.x > 0]).toEqual([STAGE.over, true, true])
  for (const depth of [1, 8, 30]) expect(syncTest(session, depth).mismatch).toBeUndefined()
})
