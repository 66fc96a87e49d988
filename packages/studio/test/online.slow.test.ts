/** The studio with a server behind it: rooms, and the names of strangers in them. */

import { gameRoom } from '@hurtbox/colyseus'
import { type GameConnection, joinGame } from '@hurtbox/colyseus/client'
import { type Datagrams, startDatagrams } from '@hurtbox/datagrams'
import { bots } from '@hurtbox/games/jet-raiders/bots'
import { jetRaiders as game } from '@hurtbox/games/jet-raiders/rules'
import { defineGame } from 'hurtbox'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freeUdpPort } from '../../datagrams/test/channels.ts'
import { LOAD_TEST_LIMITS } from '../../server/src/limits.ts'
import { createServer, type HurtboxServer } from '../../server/src/server.ts'
import { buildStudio, openPage, startBrowser } from './browser.ts'
import { poll } from './pages.ts'

// Browsers on a busy machine take their time.
vi.setConfig({ testTimeout: 180_000 })

let server: HurtboxServer | undefined
let browser: Browser | undefined
let url = ''
let datagrams: Datagrams | undefined

/** The server's game fails from then on; pages have it as it is. */
let isSprung = false
const { result } = game.behaviour
const trapped = defineGame(game.declaration, {
  ...game.behaviour,
  result(world) {
    if (isSprung) throw new Error('sprung by rules.ts:7')
    return result!(world)
  },
})

beforeAll(async () => {
  const pageFolder = await buildStudio()
  datagrams = await startDatagrams({ port: await freeUdpPort() })
  server = createServer({
    rooms: [
      {
        name: 'jet-raiders',
        room: gameRoom({
          game: trapped,
          bots,
          fill: 2,
          tellErrors: true,
          replays: () => ({ address: 'replays/match.hbr', write() {}, async end() {} }),
          ...(datagrams && { datagrams }),
        }),
      },
    ],
    pageFolder,
    limits: LOAD_TEST_LIMITS,
  })
  url = await server.listen(0, '127.0.0.1')
  browser = await startBrowser()
}, 400_000)

afterAll(async () => {
  await browser?.close()
  await server?.close()
  datagrams?.close()
}, 60_000)

/** Fifty ways in which a name has become a script on some page. They must survive a room's 24 letters, so they are short. */
const payloads = [
  '<img src onerror=pwn()>',
  '<svg onload=pwn()>',
  '<script>pwn()</script>',
  '"><img src onerror=pwn()',
  "'><svg onload=pwn()>",
  '<b onclick=pwn()>x</b>',
  '<a href=javascript:pwn()>',
  '<iframe srcdoc=pwn>',
  '<body onload=pwn()>',
  '<details ontoggle=pwn()>',
  '</span><img src=x>',
  '</title><svg>',
  '<math><mi>x',
  '<style>*{}</style>',
  '<input autofocus>',
  '<video src onerror=pwn()>',
  '<object data=x>',
  '<embed src=x>',
  '<base href=//x>',
  '<link rel=import href=x>',
  '<meta http-equiv=refresh>',
  '<form action=x><input>',
  '<marquee onstart=pwn()>',
  '<table background=x>',
  '<!--><img src=x>',
  '<![CDATA[<img>]]>',
  '&lt;img src=x&gt;',
  '&#60;svg onload=pwn()>',
  '$' + '{pwn()}',
  '{{pwn()}}',
  '#{pwn()}',
  '`$' + '{pwn()}`',
  'javascript:pwn()',
  'data:text/html,<svg>',
  '__proto__',
  'constructor',
  '{"type":"img","props":{}}',
  '{"dangerouslySetInner',
  '[object Object]',
  'null',
  'undefined',
  '0',
  '\u202e<img src=x>',
  '<img\tsrc=x onerror=pwn()',
  '<img/src/onerror=pwn()>',
  '<svg/onload=pwn()>',
  '<IMG SRC=x ONERROR=pwn()',
  '＜img src=x＞',
  '<sCrIpT>pwn()//',
  '"onmouseover="pwn()',
]

test('[ST16] [PL24] a room is created, listed to oneself and played from the page, whose figures follow the match', async () => {
  const { page, problems } = await openPage(browser!, { url: `${url}/`, close: async () => {} })
  await page.getByTestId('rooms').waitFor()
  await page.goto(`${url}/#game=jet-raiders&page=online&join=create`)
  const online = page.getByTestId('online')
  await online.waitFor()
  // Bots shoot at a ship that does nothing.
  const figures = () => page.locator('[data-part=hud]').textContent()
  const atFirst = await figures()
  const tick = async () => Number(await online.getAttribute('data-tick'))
  const first = await tick()
  await poll(tick).toBeGreaterThan(first + 60)
  await poll(figures).not.toBe(atFirst)
  expect(await page.getByTestId('room').textContent()).toMatch(/^room \S+/)
  expect(problems.filter((text) => !text.includes('404'))).toEqual([])
  await page.context().close()
})

test('[DG17] the page of a room shows the path, loss each way, late inputs and the lead, and changes the path in mid-match', async () => {
  const { page, problems } = await openPage(
    browser!,
    { url: `${url}/`, close: async () => {} },
    '#game=jet-raiders&page=online&join=create',
  )
  const path = page.getByTestId('path')
  await page.getByText('The connection').click()
  const words = async () => (await path.textContent()) ?? ''
  await poll(words).toMatch(
    /^By datagrams: [\d.]+ % of yours and [\d.]+ % of the server’s are lost\. Your inputs are sent [1-9]\d* ticks ahead; [\d.]+ % of them come too late\.$/,
  )
  const wanted = page.getByLabel('Send by datagrams')
  await wanted.uncheck()
  await poll(words).toMatch(/^By a web socket\. Your inputs are sent [1-9]\d* ticks ahead/)
  await wanted.check()
  await poll(words).toMatch(/^By datagrams/)
  expect(problems).toEqual([])
  await page.context().close()
})

test('[FM6] the page of a room says that the match has failed, offers the replay, and leads to a new match', async () => {
  const { page } = await openPage(
    browser!,
    { url: `${url}/`, close: async () => {} },
    '#game=jet-raiders&page=online&join=create',
  )
  await page.getByTestId('online').waitFor()
  const room = await page.getByTestId('room').textContent()
  isSprung = true
  const ended = page.getByTestId('ended')
  await ended.waitFor()
  isSprung = false
  expect(await ended.textContent()).toMatch(/^The match has failed\..*sprung by rules\.ts:7/)
  expect(await page.getByTestId('online').getAttribute('data-status')).toBe('failed')
  const replay = ended.getByRole('link', { name: 'Replay up to there' })
  await poll(() => replay.getAttribute('href')).toBe(`${url}/replays/match.hbr`)
  await ended.getByRole('button', { name: 'New match' }).click()
  await poll(() => page.getByTestId('room').textContent()).not.toBe(room)
  await poll(() => page.getByTestId('online').getAttribute('data-status')).toBe('playing')
  await page.context().close()
})

test('[ST17] fifty markup payloads as names are shown as text and run nothing', async () => {
  expect(payloads).toHaveLength(50)
  const { page } = await openPage(browser!, { url: `${url}/`, close: async () => {} })
  await page.addInitScript('globalThis.pwned = 0; globalThis.pwn = () => { globalThis.pwned++ }')
  const seats = game.declaration.seats.max
  for (let from = 0; from < payloads.length; from += seats) {
    const names = payloads.slice(from, from + seats)
    const guests: GameConnection[] = []
    for (const name of names) {
      const place = guests[0] === undefined ? { create: true } : { roomId: guests[0].room.roomId }
      guests.push(await joinGame(url, game, { name, ...place }))
    }
    await page.goto(`${url}/?${from}#game=jet-raiders&page=online&join=watch&room=${guests[0].room.roomId}`)
    const roster = page.getByTestId('roster')
    await poll(() => roster.locator('li').count()).toBeGreaterThanOrEqual(names.length)
    const shown = await roster.locator('li > span').allTextContents()
    // A room cuts and cleans names; what is left is there letter by letter.
    for (const name of names) expect(shown).toContain(cleaned(name))
    expect(await roster.locator('li span *').count()).toBe(0)
    expect(await page.evaluate('globalThis.pwned')).toBe(0)
    expect(await page.locator('#app').locator('img, iframe, script, object, embed, video, form[action]').count()).toBe(
      0,
    )
    await Promise.all(guests.map((guest) => guest.leave()))
  }
  await page.context().close()
})

function cleaned(name: string): string {
  return name
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, 24)
}
