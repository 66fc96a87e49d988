/** What tests of terminals share, here and beside games with fog. */

import { type AnyGame, type AnyWorld, createEmptyWorld } from 'hurtbox/tools'
import { expect } from 'vitest'
import { newestWorld, receiveAtTerminal, type Terminal } from '../src/client/index.ts'
import { type Host, type Peer, stepHost } from '../src/host/index.ts'

/** Runs ticks and delivers; returns the bytes that were sent. */
export function run(
  host: Host,
  peer: Peer,
  terminal: Terminal,
  ticks: number,
  afterFrame: () => void = () => {},
): number {
  let bytes = 0
  for (let i = 0; i < ticks; i++) {
    stepHost(host)
    for (const message of peer.outbox.splice(0)) {
      bytes += message.length
      receiveAtTerminal(terminal, message, (host.world.tick * 1000) / host.game.declaration.tickRate)
      afterFrame()
    }
  }
  return bytes
}

/** Shown worlds are made once per game: they are large. */
const shownWorlds = new Map<AnyGame, AnyWorld>()
export function shownBy(terminal: Terminal): AnyWorld {
  const { game } = terminal
  if (!shownWorlds.has(game)) shownWorlds.set(game, createEmptyWorld(game))
  newestWorld(terminal, shownWorlds.get(game)!)
  return shownWorlds.get(game)!
}

/** Frames of a watcher on seat 0, in two matches that differ in what the other side does unseen; and how much that was. */
export function compareUnseen(
  messages: readonly (readonly Uint8Array[])[],
  spawned: readonly number[],
  least: number,
): void {
  const [quiet, busy] = messages.map((each) => each.map((message) => Buffer.from(message).toString('hex')))
  expect(spawned[1] - spawned[0], 'things that only one of the matches has had').toBeGreaterThanOrEqual(least)
  expect(quiet.length).toBeGreaterThan(100)
  const different = quiet.flatMap((message, i) => (message === busy[i] ? [] : [i]))
  expect(different, `frames of ${quiet.length} that differ`).toEqual([])
  expect(busy).toHaveLength(quiet.length)
}

/** The id that was given out last. */
export function lastId(world: AnyWorld): number {
  const { things } = world.tables
  return things.counters[things.countersAt + 1]
}
