/**
 * Hostile messages by the million, against the host and against clients: no throw, no number that is not finite, and the match
 * goes as its own record says. The long suite sends ten million; what was accepted is printed, because messages that are all
 * refused at the first byte prove little.
 */

import { hashWorld, snapshot } from 'hurtbox'
import { loadReplay, verifyReplay } from 'hurtbox/replay'
import type { AnyBot, AnyGame, AnyWorld } from 'hurtbox/tools'
import { createByteWriter, takeBytes, writeBytes } from 'hurtbox/wire'
import { expect, test } from 'vitest'
import jetRaiders from '../../../games/jet-raiders/index.ts'
import siege from '../../../games/siege/index.ts'
import sumo from '../../../games/sumo/index.ts'
import {
  advanceMirror,
  advanceTerminal,
  createMirror,
  createTerminal,
  type Mirror,
  receiveAtMirror,
  receiveAtTerminal,
  showTerminal,
  type Terminal,
} from '../src/client/index.ts'
import {
  addPeer,
  createHost,
  finishHost,
  type Host,
  type InputCounts,
  receive,
  removePeer,
  stepHost,
  suspendPeer,
  takeReplay,
} from '../src/host/index.ts'
import { MESSAGES, SPECTATOR, writeMessage } from '../src/index.ts'
import { ATTACKS, createChance, createHostileClient, mutate, nextAttack, randomBytes } from './hostile.ts'
import { fogTag, tag, whimsical } from './support.ts'

const isLong = process.env.HURTBOX_LONG !== undefined
/** Of all messages, half go to hosts and half to clients. */
const MESSAGES_PER_SIDE = isLong ? 5_000_000 : 100_000
const PATIENCE_MS = isLong ? 3_600_000 : 120_000

/** Games, and their part of the messages: a step of a large game costs as much as hundreds of messages to a small one. */
const GAMES: readonly { readonly game: AnyGame; readonly bots: readonly AnyBot[]; readonly part: number }[] = [
  { game: tag, bots: [whimsical], part: 0.4 },
  { game: fogTag, bots: [whimsical], part: 0.3 },
  { game: jetRaiders.game, bots: jetRaiders.bots!, part: 0.15 },
  { game: sumo.game, bots: sumo.bots!, part: 0.1 },
  { game: siege.game, bots: siege.bots!, part: 0.05 },
]

/** Messages between two ticks of the host. */
const PER_TICK = 12
/** Messages of a client before it drops out, on average. */
const PER_CONNECTION = 60

const nameOf = (game: AnyGame) => `${game.declaration.id}${game === fogTag ? ' with fog' : ''}`
const share = (part: number, whole: number) => `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`

/** Messages to one host. A match ends, and its record is played again in one piece. */
const PER_HOST = 40_000

type HostTotals = {
  sent: number
  ticks: number
  states: number
  differences: number
  readonly attacks: Record<string, { sent: number; refused: number }>
  readonly counts: InputCounts[]
}

test.each(GAMES)(
  '[FZ1] hostile clients of $game.declaration.id cannot stop the host, and its record plays to the same hash',
  ({ game, bots, part }) => {
    const runs = MESSAGES_PER_SIDE * part
    const attacks = Object.fromEntries(ATTACKS.map((attack) => [attack, { sent: 0, refused: 0 }]))
    const totals: HostTotals = { sent: 0, ticks: 0, states: 0, differences: 0, attacks, counts: [] }
    for (let seed = 1; totals.sent < runs; seed++) {
      attackHost(game, bots, seed, Math.min(runs - totals.sent, PER_HOST), totals)
    }
    const sum = (fate: keyof InputCounts) => totals.counts.reduce((total, counts) => total + counts[fate], 0)
    const shares = ATTACKS.map((attack) => {
      const { sent, refused } = attacks[attack]
      return `${attack} ${share(sent - refused, sent)}`
    })
    console.log(
      `${nameOf(game)}: ${totals.sent} messages to hosts in ${totals.ticks} ticks. Accepted: ${shares.join(', ')}. ` +
        `${sum('accepted')} inputs, ${totals.states} states sent, ${totals.differences} differences kept.`,
    )
    expect(attacks.valid.refused / attacks.valid.sent).toBeLessThan(0.3)
    expect(sum('accepted')).toBeGreaterThan(runs / 10)
    for (const fate of ['late', 'duplicate', 'stale', 'future', 'folded', 'malformed'] as const) {
      expect(sum(fate), fate).toBeGreaterThan(0)
    }
    expect(totals.states).toBeGreaterThan(0)
  },
  PATIENCE_MS,
)

/** One match with two hostile players and a hostile spectator, for at most `runs` messages. */
function attackHost(game: AnyGame, bots: readonly AnyBot[], seed: number, runs: number, totals: HostTotals): void {
  const where = `${nameOf(game)}, seed ${seed}`
  const host = createHost(game, { seed, nonce: 9, bots, fill: 2, hashEvery: 16 })
  const places = [
    { seat: 0, mode: 'terminal', link: 'datagram' },
    { seat: 1, mode: game.behaviour.visible ? 'terminal' : 'mirror', link: 'stream' },
    { seat: SPECTATOR, mode: 'terminal', link: 'stream' },
  ] as const
  let joined = 0
  const join = ({ seat, mode, link }: (typeof places)[number]) => {
    const peer = addPeer(host, seat, mode, link)
    totals.counts.push(peer.counts)
    return createHostileClient(game, host, peer, seed * 1000 + joined++)
  }
  const clients = places.map(join)
  for (let run = 0; run < runs && host.status === 'running'; run++) {
    const turn = run % clients.length
    let client = clients[turn]
    // A client that sent the largest number can send nothing more. It drops out and comes back, as a room would let it.
    if (client.chance(PER_CONNECTION) === 0) {
      suspendPeer(host, client.peer)
      if (client.chance(2) === 0) removePeer(host, client.peer)
      totals.differences += client.peer.differences.length
      client = clients[turn] = join(places[turn])
    }
    const { attack, message } = nextAttack(client)
    const before = client.peer.counts.malformed
    receive(host, client.peer, message)
    totals.sent++
    totals.attacks[attack].sent++
    if (client.peer.counts.malformed > before) totals.attacks[attack].refused++
    if (run % PER_TICK !== 0) continue
    stepHost(host)
    // Throws on a number that is not finite.
    if (run % (PER_TICK * 20) === 0) hashWorld(host.world)
    for (const { peer } of clients) peer.outbox.length = 0
  }
  expect(host.failure, where).toBeUndefined()
  totals.ticks += host.totals.ticks
  totals.states += host.totals.statesSent
  finishHost(host)
  const verified = verifyReplay(game, loadReplay(game, replayOf(host)))
  expect([verified.mismatch, verified.hash], where).toEqual([undefined, hashWorld(host.world)])
}

function replayOf(host: Host): Uint8Array {
  const writer = createByteWriter()
  for (const part of takeReplay(host)) writeBytes(writer, part)
  return takeBytes(writer)
}

test(
  '[FZ2] what spectators send changes nothing, whatever it is',
  () => {
    const seed = 18
    const [clean, dirty] = [0, 1].map(() => createHost(tag, { seed, nonce: 9, bots: [whimsical], fill: 4 }))
    const spectators = (['terminal', 'mirror'] as const).map((mode, i) =>
      createHostileClient(tag, dirty, addPeer(dirty, SPECTATOR, mode, i === 0 ? 'datagram' : 'stream'), seed + i),
    )
    for (let run = 0; run < MESSAGES_PER_SIDE / 10; run++) {
      const client = spectators[run % 2]
      receive(dirty, client.peer, nextAttack(client).message)
      if (run % PER_TICK !== 0) continue
      stepHost(clean)
      stepHost(dirty)
      for (const { peer } of spectators) peer.outbox.length = 0
      if (run % (PER_TICK * 20) === 0) expect(hashWorld(dirty.world), `run ${run}`).toBe(hashWorld(clean.world))
    }
    expect(dirty.status).toBe('running')
    expect(hashWorld(dirty.world)).toBe(hashWorld(clean.world))
  },
  PATIENCE_MS,
)

/** Messages to the clients of one match. After these they start again, since a hostile state leads them astray. */
const PER_MATCH = 500

test.each(GAMES)(
  '[FZ3] hostile messages to clients of $game.declaration.id: none throws, and a refused one changes nothing',
  ({ game, bots, part }) => {
    const runs = MESSAGES_PER_SIDE * part
    const totals = { sent: 0, refused: 0, ticks: 0, states: 0, frames: 0 }
    for (let seed = 1; totals.sent < runs; seed++) attackClients(game, bots, seed, totals)
    console.log(
      `${nameOf(game)}: ${totals.sent} messages to clients, ${share(totals.sent - totals.refused, totals.sent)} accepted: ` +
        `${totals.ticks} changed ticks, ${totals.states} changed states, ${totals.frames} changed frames.`,
    )
    expect(totals.sent - totals.refused).toBeGreaterThan(totals.sent / 20)
    expect(totals.frames).toBeGreaterThan(0)
    if (!game.behaviour.visible) expect(Math.min(totals.ticks, totals.states)).toBeGreaterThan(0)
  },
  PATIENCE_MS,
)

type Totals = { sent: number; refused: number; ticks: number; states: number; frames: number }

/** One match: a mirror and a terminal follow it, and get changed messages between the host's own. */
function attackClients(game: AnyGame, bots: readonly AnyBot[], seed: number, totals: Totals): void {
  const chance = createChance(seed)
  const where = `${nameOf(game)}, seed ${seed}`
  const host = createHost(game, { seed, bots, fill: 4, hashEvery: 4, replay: false })
  const toMirror = game.behaviour.visible ? undefined : addPeer(host, 0, 'mirror')
  const toTerminal = addPeer(host, 1, 'terminal')
  const mirror = toMirror && createMirror(game, toMirror.outbox.shift()!, 0)
  const terminal = createTerminal(game, toTerminal.outbox.shift()!)
  const seen: Uint8Array[] = []
  let misled = false
  let replaced = false
  for (let run = 0, now = 0; run < PER_MATCH; ) {
    stepHost(host)
    now += 1000 / game.declaration.tickRate
    const honest = [...(toMirror?.outbox.splice(0) ?? []), ...toTerminal.outbox.splice(0)]
    for (const message of honest) if (seen.push(message) > 12) seen.shift()
    for (let attack = 0; seen.length > 0 && attack < 8 && run < PER_MATCH; attack++, run++) {
      const good = mirror && chance(12) === 0 ? wholeState(host) : seen[chance(seen.length)]
      const message = chance(12) === 0 ? randomBytes(chance, 200) : mutate(chance, good, chance(4) === 0 ? seen : [])
      totals.sent++
      const kind = message[0]
      if (mirror && kind !== MESSAGES.frame.kind) {
        const before = stateOf(mirror)
        const wasRefused = receiveOrRefuse(mirror, (each) => receiveAtMirror(each, message, now))
        if (wasRefused) {
          totals.refused++
          if (stateOf(mirror) !== before) throw new Error(`${where}, run ${run}: a refused message changed the mirror`)
        } else if (stateOf(mirror) !== before) {
          misled = true
          totals[kind === MESSAGES.ticks.kind ? 'ticks' : 'states']++
          replaced ||= kind === MESSAGES.state.kind
        }
        continue
      }
      const newest = terminal.frames.at(-1)
      const events = terminal.inside.events.length
      const wasRefused = receiveOrRefuse(terminal, (each) => receiveAtTerminal(each, message, now))
      const hasChanged = terminal.frames.at(-1) !== newest || terminal.inside.events.length !== events
      if (wasRefused) totals.refused++
      else if (hasChanged) totals.frames++
      if (wasRefused && hasChanged) throw new Error(`${where}, run ${run}: a refused message changed the terminal`)
    }
    for (const message of honest) {
      if (mirror && message[0] !== MESSAGES.frame.kind) receiveAtMirror(mirror, message, now)
      if (message[0] === MESSAGES.frame.kind) receiveAtTerminal(terminal, message, now)
    }
    if (mirror) advanceMirror(mirror, now, () => ({}))
    advanceTerminal(terminal, now, () => ({}))
    const shown = showTerminal(terminal, now)
    if (shown !== undefined && run % 100 === 0) requireFinite(shown.after, where)
    // Huge numbers of a state that was made up can end as infinity; those of inputs and ticks cannot.
    if (mirror && !replaced && run % 100 === 0) hashWorld(mirror.confirmed)
    if (mirror) mirror.outbox.length = 0
    terminal.outbox.length = 0
  }
  if (mirror && !misled) expect(hashWorld(mirror.confirmed), where).toBe(hashWorld(host.world))
}

/** The message that replaces the state of a mirror. */
function wholeState({ world, inside, game }: Host): Uint8Array {
  const { bytes, byteLength } = snapshot(world)
  const full = { held: inside.held.codes, snapshot: bytes.subarray(0, byteLength) }
  const writer = createByteWriter(byteLength + 256)
  writeMessage(writer, MESSAGES.state, { tick: world.tick, full }, game)
  return takeBytes(writer)
}

/** Whether the client counted the message as malformed. */
function receiveOrRefuse<C extends Mirror | Terminal>(client: C, receiveIt: (client: C) => void): boolean {
  const before = client.stats.malformed
  receiveIt(client)
  return client.stats.malformed > before
}

/** Everything of a mirror that a message can change, as text. */
function stateOf({ confirmed, inside, sender, clock }: Mirror): string {
  // A rule threw in a state that was made up. Nothing but another state changes it.
  if (confirmed.memory.status !== 'ready') return `broken at ${confirmed.tick}`
  const { bytes, byteLength } = snapshot(confirmed)
  let sum = 0
  for (let i = 0; i < byteLength; i++) sum = (Math.imul(sum, 31) + bytes[i]) | 0
  return [confirmed.tick, sum, inside.held.codes.join(), sender.open.length, clock.lead, clock.fastest].join(' ')
}

function requireFinite(world: AnyWorld, where: string): void {
  for (const table of Object.values(world.tables) as AnyWorld['tables'][string][]) {
    for (const { name, array, width } of table.columns as { name: string; array: Float64Array; width: number }[]) {
      for (let i = 0; i < table.count * width; i++) {
        if (!Number.isFinite(array[i]))
          throw new Error(`${where}: ${name} of row ${Math.floor(i / width)} is ${array[i]}`)
      }
    }
  }
}
