import { expect, test } from 'vitest'
import { int, seedStream } from '../../geometry/math/index.ts'
import { sortPlaces } from './stable-sort.ts'

test('[CO30] ordering by a key keeps the order of equals, in any part of a list of any length', () => {
  const random = new Uint32Array(4)
  for (let seed = 0; seed < 400; seed++) {
    seedStream(random, seed, 'sort')
    const count = int(random, 0, 70)
    const from = int(random, 0, count)
    const keys = Float64Array.from({ length: count }, () => int(random, 0, 9))
    const list = { places: new Uint32Array(count), spare: new Uint32Array(count) }
    for (let i = 0; i < count; i++) list.places[i] = i
    const places = [...list.places]
    sortPlaces(list, keys, from, count)
    const expected = [...places.slice(0, from), ...places.slice(from).sort((a, b) => keys[a] - keys[b])]
    expect([...list.places], `seed ${seed}`).toEqual(expected)
  }
})
