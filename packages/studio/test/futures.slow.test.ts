/** Two futures of real matches, without a page: what is shown of both, in every moment of random use. */

import { expect, test } from 'vitest'
import jetRaiders from '../../../games/jet-raiders/index.ts'
import sumo from '../../../games/sumo/index.ts'
import type { Studio } from '../src/model/studio.ts'
import { tune } from '../src/model/tune.ts'
import { seekShow, stepShow, tickShow } from '../src/show/show.ts'
import { chance, openStudio } from './studio.ts'

const CHANGES = [
  [jetRaiders, 'shipSpeed', 300],
  [sumo, 'runSpeed', 9],
] as const

test.each([1, 2, 3, 4])(
  '[LB2] two futures show the same tick in every moment, whatever is clicked: seed %i',
  async (seed) => {
    const roll = chance(seed * 7919)
    const [exported, name, value] = CHANGES[seed % CHANGES.length]
    const { studio, deliver } = await openStudio(exported, seed, 240)
    const { show } = studio
    seekShow(show, 100)
    await deliver()
    const opening = tune(studio, name, value)
    while (studio.fork.value === undefined) await deliver()
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
      await deliver()
      tickShow(show, 16)
    }
    check('at rest')
    expect(show.tick.value).toBe(show.length.value)
    expect(seen.size).toBeGreaterThan(40)
    expect(studio.fork.value!.hash.value).not.toBe(show.hash.value)
  },
)
