import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Control, type PlayerInput, sameSnapshot, seatRow } from '../../host/tools/index.ts'
import { advance, createSession, type Session, seek, snapshot } from '../../index.ts'
import { createArena } from './fixtures/arena.ts'
import { logOf } from './fixtures/support.ts'
import {
  createReplayWriter,
  drainReplay,
  finishReplay,
  loadReplay,
  saveReplay,
  sessionFromReplay,
  verifyReplay,
} from './index.ts'

const RUNS = process.env.HURTBOX_LONG === undefined ? 150 : 10_000
const game = createArena()

const at = fc.record({ x: fc.double({ min: -200, max: 200, noNaN: true }), y: fc.integer({ min: -100, max: 100 }) })
const hand = fc.record(
  {
    walk: fc.double({ min: -1, max: 1, noNaN: true }),
    strafe: fc.constantFrom(-1, -0, 0, 0.5, 1),
    block: fc.boolean(),
    fire: fc.constantFrom(0, 0, 0, 1, 2, 255),
    stance: fc.constantFrom('low', 'middle', 'high'),
    aim: at,
    power: fc.double({ min: 0, max: 2, noNaN: true }),
    target: fc.constantFrom(0, 1, 2, 3, 0xffffffff),
    orders: fc.array(fc.record({ at, size: fc.constantFrom('s', 'm', 'l') }, { requiredKeys: [] }), { maxLength: 2 }),
  },
  { requiredKeys: [] },
)
const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant('input' as const), seat: fc.nat(4), hand }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('sit' as const), seat: fc.nat(4), team: fc.nat(255) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('stand' as const), seat: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('pause' as const), paused: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('tune' as const), value: fc.double({ min: -0, max: 100, noNaN: true }) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('entropy' as const), bits: fc.nat(0xffffffff) }) },
)
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never
/** Ticks of acts; an empty one is a tick without any. */
const program = fc.record({
  seed: fc.maxSafeNat(),
  coins: fc.nat(20),
  ticks: fc.array(fc.array(act, { maxLength: 4 }), { maxLength: 60 }),
  hashEvery: fc.integer({ min: 1, max: 40 }),
  keyframeEvery: fc.nat(30),
  /** How often a running writer is drained, in ticks. */
  rhythm: fc.integer({ min: 1, max: 20 }),
  cutAt: fc.double({ min: 0, max: 1, noNaN: true }),
})

test('[RE50] any match comes back exactly: inputs, states, hashes, whole, in pieces, cut and slim', {
  timeout: 3_600_000,
}, () => {
  fc.assert(
    fc.property(program, ({ seed, coins, ticks, hashEvery, keyframeEvery, rhythm, cutAt }) => {
      const options = { hashEvery, keyframeEvery }
      const session = createSession(game, { seed, options: { coins } }) as Session
      const writer = createReplayWriter(session, options)
      const pieces: Uint8Array[] = []
      ticks.forEach((acts, tick) => {
        advance(session, inputsFrom(session, acts) as never)
        if (tick % rhythm === 0) pieces.push(drainReplay(writer))
      })
      const bytes = saveReplay(session, options)
      expect(Buffer.concat([...pieces, finishReplay(writer)]).equals(bytes)).toBe(true)

      const replay = loadReplay(game, bytes)
      expect(replay).toMatchObject({ ticks: ticks.length, complete: true, problems: [] })
      expect(logOf(replay.log)).toEqual(logOf(session.log))
      expect(verifyReplay(game, replay)).toMatchObject({ ok: true, ticks: ticks.length })
      expect(saveReplay(sessionFromReplay(game, replay), options)).toEqual(bytes)

      const tick = Math.round(cutAt * ticks.length)
      seek(session, tick)
      const ends = [
        sessionFromReplay(game, replay),
        sessionFromReplay(game, loadReplay(game, saveReplay(session, { ...options, keyframeEvery: 0 }))),
      ]
      for (const each of ends) {
        seek(each, tick)
        expect(sameSnapshot(snapshot(each.world), snapshot(session.world))).toBe(true)
      }
    }),
    { numRuns: RUNS },
  )
})

/** What of `acts` is possible: a seat is taken once, and only seated players have inputs. */
function inputsFrom(session: Session, acts: readonly Act[]): { controls: Control[]; players: PlayerInput[] } {
  const { world } = session
  const sits = Array.from({ length: 5 }, (_, seat) => seatRow(world, seat) >= 0)
  let rows = world.tables.players.count as number
  const controls: Control[] = []
  const hands = new Map<number, PlayerInput>()
  for (const each of acts) {
    if (each.does === 'sit' && !sits[each.seat] && rows < 5) {
      controls.push({ control: 'join', seat: each.seat, team: each.team })
      sits[each.seat] = true
      rows++
    } else if (each.does === 'stand' && sits[each.seat]) {
      controls.push({ control: 'leave', seat: each.seat })
      sits[each.seat] = false
      hands.delete(each.seat)
    } else if (each.does === 'pause') controls.push({ control: 'pause', paused: each.paused })
    else if (each.does === 'tune') controls.push({ control: 'tune', name: 'damage', value: each.value })
    else if (each.does === 'entropy') controls.push({ control: 'entropy', bits: each.bits })
    else if (each.does === 'input' && sits[each.seat]) {
      hands.set(each.seat, { seat: each.seat, ...each.hand } as PlayerInput)
    }
  }
  return { controls, players: [...hands.values()] }
}
