/** Following a match that a page plays, without a page. */

import { bots } from '@hurtbox/games/jet-raiders/bots'
import { jetRaiders as game } from '@hurtbox/games/jet-raiders/rules'
import { advanceMirror, createMirror, createTerminal, receiveAtMirror } from '@hurtbox/netcode/client'
import { addPeer, createHost, receive, stepHost } from '@hurtbox/netcode/host'
import { advance, createSession, hashWorld, playBots, seek, why } from 'hurtbox'
import { botInput } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import { followMirror, followSession } from '../src/attach/follow.ts'
import { readMatch } from '../src/attach/page-match.ts'
import type { ShownMatch } from '../src/model/attach-types.ts'

test('[AS2] the copy of a session plays to the same hashes, wherever it is sought, and the session stays where it is', () => {
  const session = createSession(game, { seed: 5 })
  const inputs = playBots(bots[0], 3, 5)
  const play = (ticks: number) => {
    for (let i = 0; i < ticks; i++) advance(session, inputs(session.world.tick, session.world as never) as never)
  }
  play(100)
  const follower = followSession(session as never)
  for (const looked of [0, 57, 130, 3]) {
    seek(follower.session, Math.min(looked, follower.session.log.length))
    play(40)
    let ticks = 0
    expect(follower.catchUp(() => ticks++)).toBe(true)
    expect(ticks).toBe(40)
    expect(follower.session.world.tick).toBe(session.world.tick)
    expect(hashWorld(follower.session.world)).toBe(hashWorld(session.world as never))
  }
  // The page goes back and on differently: that is another match.
  seek(session as never, 50)
  play(1)
  expect(follower.catchUp(() => {})).toBe(false)
})

test('[AS2] the copy of a client that predicts has what was confirmed since, answers why, and notices when ticks are missing', () => {
  const host = createHost(game, { seed: 7, bots, fill: 3, replay: false })
  const peer = addPeer(host, 0, 'mirror', 'stream')
  const mirror = createMirror(game, peer.outbox.shift()!, 0)
  let now = 0
  const play = (ticks: number) => {
    for (let i = 0; i < ticks; i++) {
      now += 1000 / game.declaration.tickRate
      for (const message of mirror.outbox.splice(0)) receive(host, peer, message)
      stepHost(host)
      for (const message of peer.outbox.splice(0)) receiveAtMirror(mirror, message, now)
      advanceMirror(mirror, now, (_tick, world) => botInput(bots[0] as never, world, peer.seat, 7))
    }
  }
  play(60)
  const follower = followMirror(mirror)
  const { from } = follower.session.log
  expect(from).toBe(mirror.confirmed.tick)
  play(120)
  seek(follower.session, from)
  expect(follower.catchUp(() => {})).toBe(true)
  expect(follower.session.world.tick).toBe(mirror.confirmed.tick)
  expect(hashWorld(follower.session.world)).toBe(hashWorld(mirror.confirmed))
  expect(why(follower.session, from + 100, 1, 2).length).toBeGreaterThan(0)
  follower.end()
  play(1)
  expect(follower.catchUp(() => {})).toBe(false)
})

test('[AS3] a client that is only shown the match says what it cannot know', () => {
  const host = createHost(game, { seed: 7, bots, fill: 3, replay: false })
  const terminal = createTerminal(game, addPeer(host, 0, 'terminal').outbox.shift()!)
  const match: ShownMatch = { game, seat: 0, update: () => undefined, terminal }
  const live = readMatch(match)!
  expect(live.unknown).toMatch(/cannot know why/)
  expect(live.cannotSave).toMatch(/server keeps the replay/)
  expect(live.follower).toBeUndefined()
  expect(() => live.tune('shipSpeed', 1)).toThrow(/the server’s/)
  // Before the first message it is neither.
  expect(readMatch({ ...match, terminal: undefined } as never)).toBeUndefined()
})
