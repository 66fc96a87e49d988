/** The log of a match: what is in it, what waits for it, and going on from it. */

import {
  drainTrack,
  loadReplay,
  logTick,
  readMatchLog,
  readTrack,
  replayUpTo,
  splitLog,
  verifyReplay,
} from 'hurtbox/replay'
import { createHeldInputs } from 'hurtbox/wire'
import { expect, test } from 'vitest'
import { hashToken, seatOfToken } from '../../colyseus/src/room/tokens.ts'
import { createHost, finishHost, resumeHost, stepHost } from '../src/host/host.ts'
import {
  createKeeper,
  type Keeper,
  type KeeperOptions,
  keepTick,
  mayStep,
  sayWhenKept,
  tendKeeper,
} from '../src/host/keeper.ts'
import { openLog } from '../src/host/open-log.ts'
import { addPeer, dismissBots } from '../src/host/peers.ts'
import type { Host } from '../src/host/state.ts'
import { Fenced, type TakenMatch } from '../src/host/store.ts'
import { canBeTaken, type ListedMatch, type Looks, matchesToTake, withoutOwner } from '../src/host/takeover.ts'
import { createTracker, notePacket } from '../src/host/tracking.ts'
import { memoryStore, RECORD } from './memory-store.ts'
import { RATE, tag, whimsical } from './support.ts'

const BOTS = { bots: [whimsical], fill: 3 } as const

/** An owner as the room is one: a host, a keeper and the replay so far. */
function startOwner(store = memoryStore(), options: KeeperOptions = {}) {
  const host = createHost(tag, { ...BOTS, seed: RECORD.setup.seed, nonce: RECORD.nonce })
  const replay: Uint8Array[] = []
  const keeper = createKeeper(host, openLog(store, RECORD), { ...options, onReplay: (bytes) => replay.push(bytes) })
  return { store, host, keeper, replay }
}

function run(keeper: Keeper, ticks: number): void {
  for (let i = 0; i < ticks; i++) {
    if (mayStep(keeper)) {
      stepHost(keeper.host)
      keepTick(keeper)
    }
    tendKeeper(keeper)
  }
}

function takeOver(store: ReturnType<typeof memoryStore>, options: KeeperOptions = {}) {
  let taken: TakenMatch | undefined
  store.take('room', (_error, found) => {
    taken = found
  })
  const logged = readMatchLog(tag, taken!.record.setup, taken!.entries)!
  const host = resumeHost(logged, { ...BOTS, nonce: RECORD.nonce })
  dismissBots(host)
  const replay: Uint8Array[] = [taken!.replay.slice(0, logged.replayAt!.length)]
  const replayKept = logged.replayAt!.length
  const onReplay = (bytes: Uint8Array) => void replay.push(bytes)
  const keeper = createKeeper(host, taken!.log, { ...options, replayKept, onReplay })
  return { host, keeper, replay, logged }
}

function finished(host: Host, replay: readonly Uint8Array[]): Uint8Array {
  finishHost(host)
  return new Uint8Array(Buffer.concat([...replay, ...host.replay]))
}

test('[ML1] after any number of takeovers the match is the one that would have been, and its replay is whole', () => {
  const alone = startOwner()
  run(alone.keeper, 1_500)
  const whole = finished(alone.host, alone.replay)
  for (const cuts of [[1], [255, 256, 257], [3, 40, 700, 1_024, 1_499], [32, 256, 992]]) {
    const { store, keeper } = startOwner()
    let owner: { host: Host; keeper: Keeper; replay: Uint8Array[] } = { host: keeper.host, keeper, replay: [] }
    for (const [i, cut] of [...cuts, 1_500].entries()) {
      run(owner.keeper, cut - owner.host.world.tick)
      if (i < cuts.length) owner = takeOver(store)
      expect(owner.host.world.tick).toBe(cut)
    }
    const bytes = finished(owner.host, owner.replay)
    const replay = loadReplay(tag, bytes)
    expect(replay.complete, String(cuts)).toBe(true)
    expect(verifyReplay(tag, replay).mismatch).toBeUndefined()
    expect(replay.ticks).toBe(1_500)
    expect(replay.checksums.at(-1)).toEqual(loadReplay(tag, whole).checksums.at(-1))
    // Takers begin with a checkpoint, and so with a block. Where a block ends anyway nothing shows.
    if (cuts.every((cut) => cut % 32 === 0)) expect(Buffer.compare(bytes, whole)).toBe(0)
  }
})

test('[ML2] a tick that is missing, damaged or of another history ends the log, and the tick before it is known to be good', () => {
  const { store, keeper } = startOwner()
  run(keeper, 300)
  const { entries } = store
  const setup = RECORD.setup
  expect(readMatchLog(tag, setup, entries)).toMatchObject({ problem: undefined, from: 256 })
  const without = entries.filter((_, i) => i !== 20)
  expect(readMatchLog(tag, setup, without)!.session.world.tick).toBe(275)
  expect(readMatchLog(tag, setup, without)!.problem).toContain('tick 275')
  const damaged = entries.map((entry, i) => (i === 30 ? entry.map((byte, at) => (at === 4 ? byte ^ 1 : byte)) : entry))
  expect(readMatchLog(tag, setup, damaged)!.session.world.tick).toBe(285)
  const other = startOwner()
  addPeer(other.host, 5, 'mirror')
  run(other.keeper, 300)
  const mixed = [...entries.slice(0, 10), ...other.store.entries.slice(10)]
  expect(readMatchLog(tag, setup, mixed)!.session.world.tick).toBe(265)
  expect(readMatchLog(tag, setup, entries.slice(1)), 'no checkpoint').toBeUndefined()
})

test('[ML2] a log that does not lead to its own hashes goes back to the last state that was right', () => {
  const { store, host, keeper } = startOwner()
  const [checkpoint] = store.entries
  // Hashes are for mirrors.
  addPeer(host, 5, 'mirror')
  run(keeper, 40)
  // Sealed well, but one tick is not the one that was played.
  const chain = { seal: checkpoint.slice(-8) }
  const quiet = Uint8Array.of(0)
  const { recent } = host.inside
  const changed = recent.findIndex(({ length }, tick) => tick > 16 && length > 1)
  expect(changed).toBeLessThan(31)
  const forged = recent.map((bytes, tick) => logTick(chain, tick, tick === changed ? quiet : bytes))
  const logged = readMatchLog(tag, RECORD.setup, [checkpoint, ...forged])!
  expect(logged.problem).toContain('does not lead to the state')
  expect(logged.session.world.tick).toBe(16)
  expect(logged.ticks).toHaveLength(16)
})

test('[ML3] nothing is said before the log has it, and then in order', () => {
  const { store, host, keeper } = startOwner()
  store.isPrompt = false
  const said: number[] = []
  for (let i = 0; i < 3; i++) {
    run(keeper, 1)
    const { tick } = host.world
    sayWhenKept(keeper, () => said.push(tick))
  }
  expect([host.world.tick, said]).toEqual([3, []])
  store.waiting.shift()!()
  expect(said).toEqual([1])
  store.answerAll()
  expect(said).toEqual([1, 2, 3])
  sayWhenKept(keeper, () => said.push(99))
  expect(said, 'nothing to wait for').toEqual([1, 2, 3, 99])
})

test('[ML4] an owner that was fenced says nothing more, and its match stands still', () => {
  const states: string[] = []
  const { store, keeper, host } = startOwner(memoryStore(), { onState: (state) => void states.push(state) })
  run(keeper, 10)
  const next = takeOver(store)
  const said: number[] = []
  run(keeper, 1)
  sayWhenKept(keeper, () => said.push(host.world.tick))
  expect([keeper.state, mayStep(keeper), said, states]).toEqual(['fenced', false, [], ['fenced']])
  run(next.keeper, 10)
  expect(next.host.world.tick).toBe(20)
  keeper.log.keepSeats([], (error) => expect(error).toBeInstanceOf(Fenced))
})

test.each(['go-on', 'freeze'] as const)(
  '[ML5] while the store is away a match does as configured (%s)',
  (whenStoreFails) => {
    const states: string[] = []
    const { store, keeper, host } = startOwner(memoryStore(), {
      whenStoreFails,
      onState: (state) => void states.push(state),
    })
    run(keeper, 10)
    store.isPrompt = false
    let said = 0
    for (let i = 0; i < RATE + 5; i++) {
      run(keeper, 1)
      sayWhenKept(keeper, () => said++)
    }
    expect(states).toEqual(['away'])
    const wentOn = whenStoreFails === 'go-on'
    expect(said).toBe(wentOn ? RATE + 5 : 0)
    expect(host.world.tick).toBe(wentOn ? 10 + RATE + 5 : 10 + RATE + 1)
    run(keeper, 200)
    expect(store.waiting.length, 'no heap of requests grows').toBeLessThan(RATE + 10)
    // It answers again: a checkpoint first, and then the match is kept as before.
    store.answerAll()
    store.isPrompt = true
    run(keeper, 100)
    expect(states).toEqual(['away', 'kept'])
    const { tick } = host.world
    expect(takeOver(store).host.world.tick).toBe(tick)
  },
)

test('[ML5] a full disk or a broken connection is not the end: the next checkpoint tries again', () => {
  const { store, keeper } = startOwner()
  run(keeper, 10)
  store.failure = new Error('ENOSPC: no space left on device')
  run(keeper, 90)
  expect(keeper.state).toBe('away')
  store.failure = undefined
  run(keeper, 90)
  expect(keeper.state).toBe('kept')
  expect(takeOver(store).host.world.tick).toBe(190)
})

test('[ML6] patience is counted in turns: a process that was stopped does not go on with a match it has lost', () => {
  const { store, keeper, host } = startOwner()
  run(keeper, 10)
  store.isPrompt = false
  run(keeper, 2)
  let said = 0
  sayWhenKept(keeper, () => said++)
  store.isPrompt = true
  takeOver(store)
  store.isPrompt = false
  // Hours may have passed: nothing was said, and the first answer tells the truth.
  expect([keeper.state, said]).toEqual(['kept', 0])
  run(keeper, 1)
  store.answerAll()
  expect([keeper.state, host.world.tick]).toEqual(['fenced', 13])
})

test('[ML7] a seat is opened by its token, not by what the store has of it', () => {
  const seats = [{ seat: 3, tokens: [hashToken('new'), hashToken('old')] }]
  expect(seatOfToken(seats, 'new')?.seat).toBe(3)
  expect(seatOfToken(seats, 'old')?.seat).toBe(3)
  for (const token of ['', 'other', hashToken('new'), undefined, 3, ['new']]) {
    expect(seatOfToken(seats, token), String(token)).toBeUndefined()
  }
})

test('[ML8] matches of dead processes go to exactly one of the others each, and spread', () => {
  const processes = ['a', 'b', 'c'].map((id) => ({ id, games: { tag: 'build' }, isLeaving: false }))
  const matches = Array.from({ length: 60 }, (_, i): ListedMatch => {
    return { id: `match ${i}`, room: 'tag', fingerprint: 'build', owner: i % 4 === 0 ? 'a' : 'dead' }
  })
  const looks = new Map(processes.map(({ id }) => [id, new Map() as Looks]))
  const look = (id: string) => matchesToTake(id, processes, matches, looks.get(id)!)
  for (const { id } of processes) expect(look(id), 'one look is not enough').toEqual([])
  const taken = processes.map(({ id }) => look(id).map((match) => match.id))
  expect(taken.flat().sort()).toEqual(
    matches
      .filter(({ owner }) => owner === 'dead')
      .map(({ id }) => id)
      .sort(),
  )
  for (const each of taken) expect(each.length).toBeGreaterThan(5)
})

test('[ML8] a released match is taken at the first look, and one of other rules or of a leaving process never', () => {
  const self = { id: 'a', games: { tag: 'build' }, isLeaving: false }
  const match = { id: 'm', room: 'tag', fingerprint: 'build', owner: '' }
  expect(matchesToTake('a', [self], [match], new Map())).toEqual([match])
  const others = [
    { ...match, fingerprint: 'another build' },
    { ...match, room: 'chess' },
  ]
  for (let i = 0; i < 9; i++) expect(matchesToTake('a', [self], others, new Map())).toEqual([])
  expect(matchesToTake('a', [{ ...self, isLeaving: true }], [match], new Map())).toEqual([])
  expect(canBeTaken('a', [self], match), 'not by itself').toBe(false)
  expect(canBeTaken('b', [self], match)).toBe(true)
  expect(withoutOwner({ ...match, owner: 'a' }, 'a', false).owner, 'taken, but the answer got lost').toBe('')
  expect(withoutOwner({ ...match, owner: 'a' }, 'a', true).owner).toBe('a')
})

test('[ML2] a file of entries is read up to where the power went out', () => {
  const { store, keeper } = startOwner()
  run(keeper, 20)
  const file = new Uint8Array(Buffer.concat(store.entries))
  expect(splitLog(file)).toEqual(store.entries)
  for (let cut = 1; cut < store.entries.at(-1)!.length; cut++) {
    expect(splitLog(file.subarray(0, file.length - cut)), String(cut)).toEqual(store.entries.slice(0, -1))
  }
})

test('[ML21] a replay of which the store has lost a part is not continued', () => {
  const { keeper, store } = startOwner()
  run(keeper, 600)
  const { logged } = takeOver(store)
  let kept: Uint8Array | undefined
  store.take('room', (_error, taken) => {
    kept = taken!.replay
  })
  const whole = kept!.slice(0, logged.replayAt!.length)
  expect(replayUpTo(kept!, logged.replayAt!)).toEqual(whole)
  expect(replayUpTo(whole.subarray(0, -1), logged.replayAt!), 'its end is missing').toBeUndefined()
  // As Redis fills what was never written, in the beginning or between two pieces.
  for (const [from, to] of [
    [0, 300],
    [whole.length - 200, whole.length - 100],
  ]) {
    const holed = whole.slice().fill(0, from, to)
    expect(replayUpTo(holed, logged.replayAt!), `bytes ${from} to ${to}`).toBeUndefined()
  }
  expect(
    replayUpTo(whole, { ...logged.replayAt!, seal: logged.replayAt!.seal.map((byte) => byte ^ 1) }),
  ).toBeUndefined()
})

test('[ML20] inputs that packets repeat until they are acknowledged are in the track once', () => {
  const host = createHost(tag, { seed: 1 })
  const peer = addPeer(host, 2, 'mirror', 'datagram')
  const tracker = createTracker(host.session, () => performance.now())
  const codes = createHeldInputs(tag).idle
  const packet = (...sequences: number[]) => ({
    nonce: 0,
    received: 0,
    seenAgo: 0,
    inputs: sequences.map((sequence) => ({ sequence, tick: sequence + 5, codes })),
  })
  for (const each of [packet(1, 2), packet(1, 2, 3), packet(), packet(3, 4)]) notePacket(tracker, peer, each)
  const { packets } = readTrack(tag, drainTrack(tracker.writer))
  expect(packets.map(({ inputs }) => inputs.map(({ sequence }) => sequence))).toEqual([[1, 2], [3], [], [4]])
})
