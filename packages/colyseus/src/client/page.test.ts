/** What a page tells its room: over a browser that is not there. */

import { afterEach, expect, test, vi } from 'vitest'
import { watchPage } from './page.ts'

afterEach(() => void vi.unstubAllGlobals())

/** A browser with its events. */
function openBrowser() {
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const window = new EventTarget()
  const connection = new EventTarget()
  vi.stubGlobal('document', document)
  vi.stubGlobal('navigator', { connection, onLine: true })
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window))
  const said: (boolean | 'network')[] = []
  const end = watchPage({ onAway: (isAway) => void said.push(isAway), onNetwork: () => void said.push('network') })
  const fire = (target: EventTarget, type: string) => {
    target.dispatchEvent(new Event(type))
    return said.splice(0)
  }
  return { document, window, connection, said, end, fire }
}

test('[AW11] a page that is hidden, frozen or left is away, one that is looked at again is back, and a new network is told', () => {
  const { document, window, connection, said, fire, end } = openBrowser()
  expect(said.splice(0), 'as it is when it begins').toEqual([false])
  document.visibilityState = 'hidden'
  expect(fire(document, 'visibilitychange')).toEqual([true])
  expect(fire(document, 'freeze')).toEqual([true])
  expect(fire(document, 'resume'), 'still hidden').toEqual([true])
  document.visibilityState = 'visible'
  expect(fire(document, 'visibilitychange')).toEqual([false])
  expect([fire(window, 'pagehide'), fire(window, 'pageshow')]).toEqual([[true], [false]])
  for (const type of ['online', 'offline']) expect(fire(window, type)).toEqual(['network'])
  expect(fire(connection, 'change')).toEqual(['network'])
  end()
  for (const type of ['visibilitychange', 'freeze', 'resume']) expect(fire(document, type)).toEqual([])
  expect([...fire(window, 'pagehide'), ...fire(window, 'online'), ...fire(connection, 'change')]).toEqual([])
})

test('[AW11] a program without a page is never away', () => {
  const said: boolean[] = []
  watchPage({ onAway: (isAway) => void said.push(isAway), onNetwork: () => {} })()
  expect(said).toEqual([])
})
