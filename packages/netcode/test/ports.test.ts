/** A whole match over two bare MessagePorts: what a second kind of host needs is all there. */

import { hashWorld } from 'hurtbox'
import { loadReplay, verifyReplay } from 'hurtbox/replay'
import { expect, test } from 'vitest'
import { type Follower, follow } from '../src/client/index.ts'
import { addPeer, createHost, finishHost, receive, stepHost, takeReplay } from '../src/host/index.ts'
import { tag } from './support.ts'

/** Everything that was posted has arrived at the other port. */
const delivered = () => new Promise((go) => setTimeout(go, 0))

test('[NC80] a host and two kinds of clients play a match over two bare MessagePorts', async () => {
  const host = createHost(tag, { seed: 7 })
  const tickMs = 1000 / tag.declaration.tickRate
  let now = 0
  const players = (['mirror', 'terminal'] as const).map((mode, seat) => {
    const { port1: near, port2: far } = new MessageChannel()
    const peer = addPeer(host, seat, mode)
    near.onmessage = ({ data }) => receive(host, peer, data)
    let follower: Follower | undefined
    far.onmessage = ({ data }) => {
      if (follower === undefined) follower = follow(tag, data, now)
      else follower.receive(data, now)
    }
    return { peer, near, far, client: () => follower }
  })
  for (let tick = 0; tick < 300; tick++) {
    stepHost(host)
    for (const { peer, near } of players) for (const message of peer.outbox.splice(0)) near.postMessage(message)
    await delivered()
    now += tickMs
    for (const { client, far } of players) {
      client()?.advance(now, () => ({ moveX: Math.sign(Math.sin(now / 500)) }))
      client()?.picture(now)
      for (const message of client()?.outbox.splice(0) ?? []) far.postMessage(message)
    }
    await delivered()
  }
  const [{ mirror }, { terminal }] = players.map(({ client }) => client()!)
  expect(mirror!.confirmed.tick).toBe(host.world.tick)
  expect(hashWorld(mirror!.confirmed)).toBe(hashWorld(host.world))
  expect(mirror!.stats.mismatches).toBe(0)
  expect(terminal!.frames.at(-1)!.tick).toBeGreaterThan(290)
  for (const { peer } of players) {
    expect(peer.counts.malformed).toBe(0)
    expect(peer.counts.accepted).toBeGreaterThan(50)
  }
  finishHost(host)
  const replay = loadReplay(tag, new Uint8Array(Buffer.concat(takeReplay(host))))
  expect(verifyReplay(tag, replay)).toMatchObject({ ok: true, ticks: 300 })
  for (const { near } of players) near.close()
})
