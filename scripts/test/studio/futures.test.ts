/** Two futures of real matches, without a page: what is shown of both, in every moment of random use. */

import { readModule } from 'hurtbox/module'
import { expect, test } from 'vitest'
import jetRaiders from '../../../games/jet-raiders/index.ts'
import sumo from '../../../games/sumo/index.ts'
import { fallbackView } from '../../../packages/studio/src/draw/fallback-view.ts'
import { setupFor } from '../../../packages/studio/src/model/setup.ts'
import { createStudio, type Studio } from '../../../packages/studio/src/model/studio.ts'
import { tune } from '../../../packages/studio/src/model/tune.ts'
import { createClient } from '../../../packages/studio/src/show/client.ts'
import { createShow, seekShow, stepShow, tickShow, whenReady } from '../../../packages/studio/src/show/show.ts'
import { createSimHost } from '../../../packages/studio/src/sim/host.ts'
import type { Response } from '../../../packages/studio/src/sim/protocol.ts'

/** Small whole numbers from a seed. */
function chance(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return (state >>> 8) % below
  }
}

/** A studio whose answers come late, in bursts, and always in order, as those of a worker do. */
async function openLate(exported: object, seed: number, roll: (below: number) => number) {
  const module = readModule({ default: exported }, 'game')
  const waiting: Response[] = []
  let take: (response: Response) => void = () => {}
  const host = createSimHost({ load: async () => module, reply: (response) => waiting.push(structuredClone(response)) })
  const client = createClient({
    send: (request) => host.handle(structuredClone(request)),
    listen: (onResponse) => {
      take = onResponse
    },
    end() {},
  })
  const deliver = async (most: number) => {
    // What was sent is handled in turns of the event loop.
    for (let i = 0; i < 6; i++) await new Promise((resolve) => setImmediate(resolve))
    for (const response of waiting.splice(0, most)) take(response)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const show = createShow(client, module, setupFor(module, seed, -1), 240)
  const ready = whenReady(show)
  while (!show.isReady.value) await deliver(9)
  await ready
  const studio = createStudio(module, fallbackView(module), show, -1)
  return { studio, deliver: () => deliver(roll(4)), deliverAll: () => deliver(1000) }
}

const CHANGES = [
  [jetRaiders, 'shipSpeed', 300],
  [sumo, 'runSpeed', 9],
] as const

test.each([1, 2, 3, 4])(
  '[LB2] two futures show the same tick in every moment, whatever is clicked: seed %i',
  async (seed) => {
    const roll = chance(seed * 7919)
    const [exported, name, value] = CHANGES[seed % CHANGES.length]
    const { studio, deliver, deliverAll } = await openLate(exported, seed, roll)
    const { show } = studio
    seekShow(show, 100)
    await deliverAll()
    const opening = tune(studio, name, value)
    while (studio.fork.value === undefined) await deliverAll()
    await opening
    const seen = new Set<number>()
    const check = (what: string) => {
      const fork = (studio as Studio).fork.value!
      expect(fork.tick.value, `seed ${seed}: ${what}`).toBe(show.tick.value)
      expect(fork.states.after.tick, `seed ${seed}: ${what}`).toBe(show.states.after.tick)
      expect(fork.playhead, `seed ${seed}: ${what}`).toBe(show.playhead)
      seen.add(show.tick.value)
    }
    check('at first')
    for (let i = 0; i < 300; i++) {
      const what = ['play', 'pause', 'scrub', 'scrub', 'step', 'back', 'frame', 'frame', 'frame', 'frame', 'turn'][
        roll(11)
      ]
      if (what === 'play') show.playing.value = true
      else if (what === 'pause') show.playing.value = false
      else if (what === 'scrub') seekShow(show, roll(show.length.value + 1))
      else if (what === 'step') stepShow(show, 1)
      else if (what === 'back') stepShow(show, -1 - roll(12))
      else if (what === 'turn' && i % 3 === 0) void tune(studio, name, value + roll(3))
      else tickShow(show, 4 + roll(60))
      check(what)
      await deliver()
      check(`the answer to ${what}`)
    }
    // At rest, too, and the futures are not the same.
    show.playing.value = false
    seekShow(show, show.length.value)
    for (let i = 0; i < 8; i++) {
      await deliverAll()
      tickShow(show, 16)
    }
    check('at rest')
    expect(show.tick.value).toBe(show.length.value)
    expect(seen.size).toBeGreaterThan(40)
    expect(studio.fork.value!.hash.value).not.toBe(show.hash.value)
  },
)
