import { describe, expect, test } from 'vitest'
import { createRateLimit } from './rates.ts'

describe('[SV18] so many at once, and so many more each second', () => {
  test('a burst of 3 and one a second: three, then one each second, each address for itself', () => {
    let ms = 0
    const may = createRateLimit({ burst: 3, perSecond: 1 }, () => ms)
    expect([may('a'), may('a'), may('a'), may('a')]).toEqual([true, true, true, false])
    expect(may('b')).toBe(true)
    ms += 999
    expect(may('a')).toBe(false)
    ms += 1
    expect([may('a'), may('a')]).toEqual([true, false])
    ms += 3_600_000
    expect([may('a'), may('a'), may('a'), may('a')]).toEqual([true, true, true, false])
  })

  test('20,000 addresses: only the quietest are forgotten', () => {
    const may = createRateLimit({ burst: 1, perSecond: 0 }, () => 0)
    may('busy')
    for (let i = 0; i < 20_000; i++) {
      may(`other ${i}`)
      if (i % 1_000 === 0) expect(may('busy'), `after ${i}`).toBe(false)
    }
    expect(may('other 0')).toBe(true)
  })
})
