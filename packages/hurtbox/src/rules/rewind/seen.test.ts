/**
 * Judged as seen: attacks of `collide` meet the boxes that the attacker saw.
 *
 * Runners go 10 units a tick and are 1 unit wide, so being one tick off is a miss.
 */

import { expect, test } from 'vitest'
import { unitAt } from '../../geometry/math/index.ts'
import { box } from '../../geometry/shapes/index.ts'
import { type AnyWorld, collisionsOf } from '../../host/tools/index.ts'
import {
  addCircle,
  addShape,
  advance,
  collide,
  createSession,
  declareGame,
  defineGame,
  each,
  emit,
  findRow,
  fixed,
  type Game,
  players,
  press,
  type Session,
  spawn,
  sweepBox,
  syncTest,
  why,
} from '../../index.ts'
import { loadReplay, saveReplay, verifyReplay } from '../../record/replay/index.ts'
import { judgeAsSeen } from './index.ts'

const SPEED = 10
const TICKS = 16
const place = fixed({ min: -4000, max: 4000, step: 0.125 })

const declaration = declareGame({
  id: 'duel',
  tickRate: 50,
  seats: { min: 1, max: 4 },
  layers: { shot: ['runner'], runner: [] },
  capacity: 16,
  things: { hp: 'f64', at: 'f64', hits: 'u32', shoots: 'u8', facingX: 'f64', facingY: 'f64' },
  input: { shoot: press(), at: place, blink: press(), turn: press() },
  events: { hit: { shooter: 'id', victim: 'id' } },
})

/** A shot goes along y at x = `at`; a runner is a plank of 2 by 40, along its way or, when it has turned, across. */
const PLANK = box(1, 20)

const duel = defineGame(declaration, {
  onJoin(world, player) {
    player.thing = spawn(world, 'runner', { hp: 100, facingX: 1 })
  },
  phases: {
    aim(world) {
      for (const { thing: runner, shoot, at, blink, turn } of players(world)) {
        if (runner === undefined) continue
        runner.shoots = shoot
        runner.at = at
        if (turn > 0) [runner.facingX, runner.facingY] = [0, 1]
        if (blink > 0) {
          runner.x -= 500
          runner.teleports++
        }
      }
    },
    run(world) {
      for (const runner of each(world)) {
        if (runner.hp > 0) runner.x += SPEED
        // The dead are back after three ticks, where they were.
        if (runner.hp <= 0) runner.hp = runner.hp <= -3 ? 100 : runner.hp - 1
      }
    },
    hits: collide(
      declaration,
      {
        'shot hits runner': {
          between: ['shot', 'runner'],
          gates: ['owner', 'dead'],
          decide(shooter, victim, { world }) {
            emit(world, 'hit', { shooter, victim })
            victim.hits++
          },
        },
      },
      {
        pose: {
          runner(runner, boxes) {
            addShape(boxes, PLANK, runner)
            if (runner.shoots === 0) return
            addCircle(boxes, { x: runner.at, y: 300, radius: 0 }, 'shot')
            sweepBox(boxes, 0, 600)
          },
        },
      },
    ),
  },
})
const game = judgeAsSeen(duel, { ticks: TICKS, between: [['shot', 'runner']] })

type Duel = Session<AnyWorld>

/** A match of so many; the place of every runner before tick t (t > 0) is 10 t. */
function start(seats = 2, of: Game<never> = game as never): Duel {
  const session = createSession(of as never) as unknown as Duel
  const seatNumbers = Array.from({ length: seats }, (_, seat) => seat)
  advance(session, { controls: seatNumbers.map((seat) => ({ control: 'join', seat })) })
  return session
}

function runTo(session: Duel, tick: number): void {
  while (session.world.tick < tick) advance(session)
}

/** Seat 0 shoots in the next tick; returns the seats that were hit. */
function shot(session: Duel, at: number, seenAgo: number, others: readonly object[] = []): number[] {
  advance(session, { players: [{ seat: 0, shoot: 1, at, seenAgo }, ...others] as never })
  return hitsOf(session.world, 0)
}

function hitsOf(world: AnyWorld, seat: number): number[] {
  const { hit } = world.events
  const { players: table } = world.tables
  const found: number[] = []
  for (let n = 0; n < hit.count; n++) {
    if (hit.shooter[n] === table.thing[seat]) found.push(table.thing.indexOf(hit.victim[n]))
  }
  return found
}

test('[JS1] an attack meets the boxes of the moment that its player saw: an eighth of a tick off either way is another place', () => {
  for (let ago = 1; ago <= 15; ago += 0.625) {
    for (const off of [-1.25, -0.625, 0.625, 1.25]) {
      const session = start()
      runTo(session, 40)
      const isHit = Math.abs(off) < 1
      expect([ago, off, shot(session, 10 * (40 - ago) + off, ago)]).toEqual([ago, off, isHit ? [1] : []])
    }
  }
})

test('[JS1] who saw no past is judged in the present: after this tick’s moves, as in the game without it', () => {
  for (const off of [-1.25, 0, 1.25]) {
    const [judged, plain] = [start(), start(2, duel as never)]
    for (const session of [judged, plain]) runTo(session, 40)
    const { players: inputs } = { players: [{ seat: 0, shoot: 1, at: 410 + off }] }
    advance(plain, { players: inputs as never })
    expect(shot(judged, 410 + off, 0)).toEqual(hitsOf(plain.world, 0))
    expect(hitsOf(plain.world, 0)).toEqual(off === 0 ? [1] : [])
  }
})

test('[JS2] the poser of the game poses the past: a runner that has turned since is judged as it stood then', () => {
  const session = start()
  runTo(session, 40)
  advance(session, { players: [{ seat: 1, turn: 1 }] as never })
  // The plank lies across the way now: 40 wide. Two ticks ago it was 2 wide, at 390.
  expect(shot(session, 390 + 15, 2)).toEqual([])
  expect(shot(session, 420 + 15, 0)).toEqual([1])
  runTo(session, 50)
  expect(shot(session, 480 + 15, 2)).toEqual([1])
})

test('[JS3] a look back ends at the bound, at a spawn, a death, a return and a jump', () => {
  const far = start()
  runTo(far, 40)
  expect(shot(far, 10 * (40 - 15), 15)).toEqual([1])
  // More than the input can say is the bound.
  const young = start()
  runTo(young, 5)
  // Kept from state 1 on.
  expect(shot(young, 10, 15)).toEqual([1])
  const jumped = start()
  runTo(jumped, 40)
  advance(jumped, { players: [{ seat: 1, blink: 1 }] as never })
  // The first state after the jump is that of tick 41.
  expect(shot(jumped, 400, 3)).toEqual([])
  const after = start()
  runTo(after, 40)
  advance(after, { players: [{ seat: 1, blink: 1 }] as never })
  expect(shot(after, 410 - 500, 3)).toEqual([1])
  const dead = start()
  runTo(dead, 40)
  const row = findRow(dead.world.tables.things, dead.world.tables.players.thing[1])
  dead.world.tables.things.hp[row] = 0
  // Dead: the gate refuses. Back after some ticks: nothing from before the return counts.
  expect(shot(dead, 390, 1)).toEqual([])
  runTo(dead, 50)
  const { x } = dead.world.tables.things
  expect(shot(dead, 330, 15)).toEqual([])
  expect(x[row]).toBeGreaterThan(400)
})

test('[JS4] each attacker is judged by its own moment, against a brute-force search over random matches', () => {
  for (let seed = 1; seed <= 12; seed++) {
    const session = start(4)
    const states: number[][] = []
    const note = () => {
      const { things, players: table } = session.world.tables
      states[session.world.tick] = [0, 1, 2, 3].map((seat) => things.x[findRow(things, table.thing[seat])])
    }
    note()
    const random = (purpose: number) => unitAt(seed, session.world.tick, 0, 0, purpose)
    while (session.world.tick < 60) {
      const { tick } = session.world
      const shots = [0, 1, 2, 3].map((seat) => {
        const seenAgo = Math.floor(random(seat) * 121) / 8
        const at = Math.round(8 * (10 * (tick - seenAgo) + (random(10 + seat) - 0.5) * 8)) / 8
        return { seat, shoot: random(20 + seat) < 0.5 ? 1 : 0, at, seenAgo }
      })
      advance(session, { players: shots as never })
      note()
      for (const { seat, shoot, at, seenAgo } of shots) {
        const ago = Math.min(seenAgo, tick - 1, TICKS - 1)
        const moment = seenAgo === 0 ? tick + 1 : tick - ago
        const expected = [0, 1, 2, 3].filter((victim) => {
          if (victim === seat || shoot === 0 || tick < 1) return false
          const [a, b] = [states[Math.floor(moment)], states[Math.min(Math.floor(moment) + 1, tick + 1)]]
          const x = a[victim] + (b[victim] - a[victim]) * (moment - Math.floor(moment))
          return Math.abs(x - at) < 1
        })
        expect({ seed, tick, seat, hits: hitsOf(session.world, seat) }).toEqual({ seed, tick, seat, hits: expected })
      }
    }
  }
})

test('[JS5] the past is state and the moment is input: rollbacks, fresh worlds and replays agree', () => {
  const session = start(3)
  while (session.world.tick < 120) {
    const { tick } = session.world
    const seat = tick % 3
    const seenAgo = Math.floor(unitAt(7, tick, 0, 0, 1) * 100) / 8
    advance(session, {
      players: [{ seat, shoot: 1, at: 10 * (tick - seenAgo), seenAgo, blink: tick % 31 === 0 ? 1 : 0 }] as never,
    })
  }
  // Verdicts are in the state, or nothing could differ.
  expect(Math.min(...session.world.tables.things.hits.subarray(0, 3))).toBeGreaterThan(10)
  expect(verifyReplay(game, loadReplay(game, saveReplay(session as never))).mismatch).toBeUndefined()
  expect(syncTest(session as never, 8).mismatch).toBeUndefined()
  expect(syncTest(session as never, 20, { fresh: true }).mismatch).toBeUndefined()
})

test('[JS6] why says how long ago a contact was judged, hit or miss, and the boxes of the past are in the list that is drawn', () => {
  const session = start()
  runTo(session, 40)
  const { thing } = session.world.tables.players
  const [shooter, victim] = [thing[0], thing[1]]
  shot(session, 10 * (40 - 4), 4)
  const hits = collisionsOf(session.world).get('hits')!
  const drawn = Array.from({ length: hits.boxes.count }, (_, b) => [hits.boxes.poseX[b], hits.judged!.agoOf(b)])
  expect(drawn).toContainEqual([360, 4])
  const [accepted] = why(session as never, 40, shooter, victim)
  expect(accepted.verdict).toBe('accepted')
  expect(accepted.text).toContain('judged 80 ms ago, where the attacker saw it')
  shot(session, 100, 4)
  const [missed] = why(session as never, 41, shooter, victim)
  expect(missed.verdict).toBe('apart')
  expect(missed.text).toContain('judged 80 ms ago')
  shot(session, 10 * 43, 0)
  expect(why(session as never, 42, shooter, victim)[0].text).not.toContain('ago')
})

test('[JS7] layers and columns that are not there, and pairs of one layer, are refused with what to do', () => {
  const judge = (options: object) => () => judgeAsSeen(duel, { ticks: 8, between: [['shot', 'runner']], ...options })
  expect(judge({ between: [['shto', 'runner']] })).toThrow(/shto.*shot/s)
  expect(judge({ between: [['runner', 'runner']] })).toThrow(/one layer/)
  expect(judge({ between: [] })).toThrow(/pairs of layers/)
  expect(judge({ columns: ['hight'] })).toThrow(/hight/)
  expect(judge({ ticks: 1 })).toThrow(/ticks/)
  expect(judge({ tick: 1 })).toThrow(/tick/)
})
