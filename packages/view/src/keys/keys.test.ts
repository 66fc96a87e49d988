/** What is said of a view's controls, for each device. */

import { afterEach, expect, test, vi } from 'vitest'
import { createRemap } from '../hand/remap.ts'
import type { Controls, View } from '../view.ts'
import { capOf, keyNameOf, rowsOf, withoutArrows } from './rows.ts'

const fields: Controls['fields'] = {
  moveX: { kind: 'axis', less: ['KeyA', 'ArrowLeft'], more: ['KeyD', 'ArrowRight'], stick: 'leftX', label: 'walk' },
  moveY: { kind: 'axis', less: ['KeyW', 'ArrowUp'], more: ['KeyS', 'ArrowDown'], stick: 'leftY', label: 'walk' },
  aimX: { kind: 'axis', stick: 'rightX', pointer: 'aimX', label: 'aim' },
  fire: { kind: 'press', keys: ['Space'], pad: [0], pointer: 'primary', touch: 'Fire', label: 'shoot' },
  item: { kind: 'choice', keys: { map: ['KeyM'], bag: ['KeyB'] }, touch: { map: 'Map' }, label: 'open' },
}
const view = { controls: { fields, sticks: { left: 'Walk' } } } as unknown as View

const said = (device: 'keys' | 'pad' | 'touch') =>
  rowsOf(view, device).map(({ label, codes, choices }) => [label, ...codes, ...choices.map(({ name }) => name)])

afterEach(() => vi.unstubAllGlobals())

test('[VW44] what one presses follows from the controls, in the words of the device', () => {
  expect(said('keys')).toEqual([
    ['walk', 'KeyW', 'KeyA', 'KeyS', 'KeyD', 'ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight'],
    ['aim', 'mouse'],
    ['shoot', 'Space', 'click'],
    ['open', 'map', 'bag'],
  ])
  expect(said('pad')).toEqual([
    ['walk', 'left stick'],
    ['aim', 'right stick'],
    ['shoot', 'pad0'],
  ])
  expect(said('touch')).toEqual([
    ['Walk', 'left thumb'],
    ['shoot', 'Fire'],
    ['open', 'Map'],
  ])
  expect(withoutArrows(rowsOf(view, 'keys')[0].codes)).toEqual(['KeyW', 'KeyA', 'KeyS', 'KeyD', 'arrows'])
})

test('[VW44] a key that was changed is named instead of the one before, and two change places', () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
  const remap = createRemap('pit')
  remap.change('Space', 'KeyF')
  remap.change('pad0', 'pad5')
  expect(keyNameOf(view, 'fire', remap)).toBe('F')
  expect([capOf('Space', remap), capOf('KeyF', remap), capOf('pad0', remap)]).toEqual(['F', 'Space', 'RB'])
  expect(remap.acts('KeyF')).toBe('Space')
  // The next visit.
  expect(createRemap('pit').keyFor('Space')).toBe('KeyF')
  expect(createRemap('other').keyFor('Space')).toBe('Space')
})
