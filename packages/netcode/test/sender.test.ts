import { hashWorld } from 'hurtbox'
import { expect, test } from 'vitest'
import { bots } from '../../../games/jet-raiders/bots/index.ts'
import { jetRaiders } from '../../../games/jet-raiders/rules/index.ts'
import { createInputSender, type InputSender, makePacket, sendLater } from '../src/client/sender.ts'
import { addPeer, createHost, receive, stepHost } from '../src/host/index.ts'
import { MESSAGES, readMessage } from '../src/index.ts'
import { createChance } from './hostile.ts'
import { tag } from './support.ts'

type Input = { thrust: number; turn: number; shoot: boolean; slot: number }

/** What a hand does: holds for a while, then does something else, and presses now and then. */
function handOf(seed: number): () => Input {
  const chance = createChance(seed)
  let held: Input = { thrust: 0, turn: 0, shoot: false, slot: 0 }
  return () => {
    if (chance(20) === 0) held = { thrust: chance(3) - 1, turn: chance(3) - 1, shoot: chance(2) === 0, slot: 0 }
    return { ...held, slot: chance(60) === 0 ? 1 : 0 }
  }
}

/** Plays some ticks by hand; `sameEvery` as the sender has it, or 1 for an input in every tick. */
function play(seed: number, sameEvery: number | undefined): { hash: string; packets: number; accepted: number } {
  const host = createHost(jetRaiders, { seed, nonce: 3, bots, fill: 4, replay: false })
  const peer = addPeer(host, 0, 'terminal')
  const sender: InputSender = createInputSender(jetRaiders, 3, 'stream')
  if (sameEvery !== undefined) Object.assign(sender, { sameEvery })
  const hand = handOf(seed)
  let packets = 0
  for (let tick = 0; tick < 600; tick++) {
    sendLater(sender, tick + 2, hand(), tick * 16)
    if (sender.fresh > 0) {
      packets++
      receive(host, peer, makePacket(sender, tick, 0))
    }
    stepHost(host)
    peer.outbox.length = 0
  }
  return { hash: hashWorld(host.world), packets, accepted: peer.counts.accepted }
}

test('[SV60] what a player holds is sent 20 times a second, and the match is the same as with an input in every tick', () => {
  for (let seed = 1; seed <= 8; seed++) {
    const [sparing, full] = [play(seed, undefined), play(seed, 1)]
    expect(full.packets, `seed ${seed}`).toBe(600)
    expect(sparing.packets, `seed ${seed}`).toBeLessThan(270)
    expect(sparing.accepted).toBe(sparing.packets)
    expect(sparing.hash, `seed ${seed}`).toBe(full.hash)
  }
})

test('[SV60] a change and a press are sent at once, each press once', () => {
  const sender = createInputSender(jetRaiders, 3, 'stream')
  const sent: number[] = []
  for (let tick = 0; tick < 40; tick++) {
    const input = { thrust: tick >= 13 ? 1 : 0, slot: tick === 20 || tick === 21 ? 1 : 0 }
    sendLater(sender, tick, input, tick * 16)
    if (sender.fresh > 0) sent.push(tick)
    makePacket(sender, 0, 0)
  }
  for (const tick of [0, 13, 20, 21]) expect(sent).toContain(tick)
  // After a press the same levels without it are what the host holds already.
  expect(sent).not.toContain(22)
  const gaps = sent.slice(1).map((tick, i) => tick - sent[i])
  expect(Math.max(...gaps)).toBe(3)
})

test('[SV60] on a stream nothing is sent twice; where inputs say what was seen, each tick has one', () => {
  const sender = createInputSender(jetRaiders, 3, 'stream')
  for (let tick = 0; tick < 9; tick += 3) {
    sendLater(sender, tick, {}, tick * 16)
    const coding = { layout: jetRaiders.input, idle: sender.idle }
    expect(readMessage(makePacket(sender, 0, 0), MESSAGES.inputs, coding)?.inputs.map((input) => input.tick)).toEqual([
      tick,
    ])
  }
  expect(createInputSender(tag, 3, 'stream').sameEvery).toBe(1)
})
