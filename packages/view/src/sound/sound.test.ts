/** Which sounds events make, and how loud. */

import { readModule } from 'hurtbox/module'
import { afterEach, expect, test, vi } from 'vitest'
import { module } from '../../test/support.ts'
import { createVolume, soundsOf } from './index.ts'

afterEach(() => vi.unstubAllGlobals())

test('[VW45] an event makes the sound that the module says, and one of no meaning makes none', () => {
  const meaning = { events: { goal: { is: 'score', sound: 'win' }, bounce: { is: 'other', sound: 'hit' } } }
  const loaded = readModule({ default: { ...module, meaning } }, 'roll')
  const events = ['bounce', 'goal', 'bounce', 'unknown'].map((kind) => ({ kind }))
  expect([...soundsOf(loaded, events as never)]).toEqual([
    ['hit', 2],
    ['win', 1],
  ])
})

test('[VW45] the volume is remembered, and a mute leaves it as it was', () => {
  const kept = new Map<string, string>([['hurtbox-volume', 'loud']])
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
  const volume = createVolume()
  // What was kept may be anything by now.
  expect([volume.level, volume.isMuted]).toEqual([0.6, false])
  const seen: number[] = []
  const end = volume.onChange(() => seen.push(volume.level))
  volume.level = 0.2
  volume.isMuted = true
  end()
  volume.level = 0.3
  expect(seen).toEqual([0.2, 0.2])
  const next = createVolume()
  expect([next.level, next.isMuted]).toEqual([0.3, true])
})
