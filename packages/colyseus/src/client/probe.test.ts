/** The watch of a dead line, with sockets that a test opens and refuses. */

import { expect, test, vi } from 'vitest'
import { watchLine } from './probe.ts'

/** A browser's sockets: how many are open or opening, and the newest. */
function inBrowser(browser: object) {
  const made: { url: string; isClosed: boolean; onopen: (() => void) | null; onerror: (() => void) | null }[] = []
  class Fake {
    isClosed = false
    onopen: (() => void) | null = null
    onerror: (() => void) | null = null
    readonly url: string
    constructor(url: string) {
      this.url = url
      made.push(this)
    }
    close() {
      this.isClosed = true
    }
  }
  vi.stubGlobal('navigator', browser)
  vi.stubGlobal('WebSocket', Fake)
  const settings = { secure: true, hostname: 'play.example.org', port: 8443, pathname: '/game' }
  let reached = 0
  const end = new AbortController()
  watchLine({ settings } as never, end.signal, () => void reached++)
  return { made, end, reached: () => reached, open: () => made.filter(({ isClosed }) => !isClosed).length }
}

test('[AW18] where requests wait for dead connections, a fresh socket is tried every few seconds until the server is reached', () => {
  vi.useFakeTimers()
  try {
    const line = inBrowser({ connection: {} })
    expect(line.made.map(({ url }) => url)).toEqual(['wss://play.example.org:8443/game/'])
    vi.advanceTimersByTime(55_000)
    expect([line.open(), line.reached()]).toEqual([1, 0])
    expect(line.made.length).toBeGreaterThan(10)
    // Chromium makes sockets wait after more failures than that.
    expect(line.made.length).toBeLessThan(16)
    const last = line.made.at(-1)!
    last.onerror!()
    expect([line.open(), line.reached()]).toEqual([0, 1])
    vi.advanceTimersByTime(20_000)
    expect([line.open(), line.reached()]).toEqual([0, 1])

    const given = inBrowser({ connection: {} })
    given.end.abort()
    vi.advanceTimersByTime(20_000)
    expect([given.made.length, given.open(), given.reached()]).toEqual([1, 0, 0])
    expect(inBrowser({}).made).toEqual([])
  } finally {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})
