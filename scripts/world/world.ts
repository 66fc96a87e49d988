/**
 * The words that scenarios are written in: `place` a server, `visit` it, let something happen, `see` what must be seen.
 *
 * `see` waits for what is wanted and keeps what it saw last: that is what a scenario that fails prints.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { repositoryRoot } from '../engines/install-npm.ts'
import { createNet, type Net } from './net.ts'
import { openPlace, type Place, type Setting } from './place.ts'
import type { BrowserName, OpenOptions } from './tab.ts'
import { type Look, openVisitor, type Visitor } from './visitor.ts'

/** What has to be installed, by the command that shows it. */
export type Need = 'chromium' | 'firefox-esr' | 'nginx' | 'Xvfb' | 'redis-server'

export type Scenario = {
  readonly name: string
  /** What must be seen, in one sentence. */
  readonly says: string
  readonly needs: readonly Need[]
  /** Quick and important: it runs in `npm test` too. */
  readonly ci?: boolean
  run(world: World): Promise<void>
}

export type World = {
  /** Puts a server somewhere, with a way to it. */
  place(setting: Setting): Promise<Place>
  /** Opens an address in a browser on the client's host. */
  visit(url: string, browser?: BrowserName, options?: OpenOptions): Promise<Visitor>
  /** Waits until `isSo`; returns what was seen then. */
  see<T>(wanted: string, read: () => T | Promise<T>, isSo: (seen: T) => boolean, seconds?: number): Promise<T>
  /** Joins a match from the page that is open, in a certain room if given, and sees it drawn and played. */
  seeJoined(visitor: Visitor, room?: string): Promise<Look>
  /** Sees a match being drawn and played: by the same player as in `before`, if given. */
  seePlaying(visitor: Visitor, before?: Look): Promise<Look>
  /** Lets time pass that something must outlast. */
  wait(seconds: number): Promise<void>
  /** Runs commands in the namespaces, for what has no word of its own. */
  net(setting?: Setting): Net
}

export type Outcome = {
  readonly seconds: number
  /** What was seen, in words. */
  readonly seen: readonly string[]
  /** Everything that helps to find out why; undefined when it passed. */
  readonly failure?: string
}

const SEE_SECONDS = 30
const PICTURES = join(repositoryRoot, '.cache/world')

/** Plays a scenario in a world of its own, and clears it. */
export async function play(scenario: Scenario): Promise<Outcome> {
  const startedAt = performance.now()
  const seen: string[] = []
  const nets: Net[] = []
  const places: Place[] = []
  const visitors: Visitor[] = []
  const netOf = (setting?: Setting) => {
    if (nets.length === 0) nets.push(createNet(setting?.family))
    return nets[0]
  }
  const see: World['see'] = async (wanted, read, isSo, seconds = SEE_SECONDS) => {
    const until = performance.now() + seconds * 1000
    for (;;) {
      const last = await Promise.resolve(read()).catch((error) => error as Error)
      if (!(last instanceof Error) && isSo(last)) {
        seen.push(wanted)
        return last
      }
      if (performance.now() > until) throw new Unseen(wanted, last, seconds)
      await sleep(200)
    }
  }
  const seePlaying: World['seePlaying'] = async (visitor, before) => {
    const first = await see(
      before === undefined ? 'a seat' : `seat ${before.seat} again`,
      visitor.look,
      ({ status, seat }) => status === 'playing' && (before === undefined ? seat >= 0 : seat === before.seat),
    )
    return see(
      'drawn, ticks come in',
      visitor.look,
      (now) =>
        now.status === 'playing' &&
        now.room === (before ?? first).room &&
        now.colours > 3 &&
        now.picture !== first.picture &&
        (first.tick === -1 || now.tick > Math.max(first.tick, before?.tick ?? 0) + 30),
    )
  }
  const world: World = {
    see,
    seePlaying,
    net: netOf,
    wait: (seconds) => sleep(seconds * 1000),
    async place(setting) {
      const place = await openPlace(netOf(setting), setting)
      places.push(place)
      return place
    },
    async visit(url, browser = 'chromium', options = {}) {
      const visitor = await openVisitor(netOf(), browser, options)
      visitors.push(visitor)
      await visitor.goto(url)
      return visitor
    },
    async seeJoined(visitor, room) {
      await see('a page', visitor.look, ({ isReady }) => isReady)
      await visitor.join(room)
      await see(
        'joined',
        () => lookOrRetry(visitor),
        ({ seat }) => seat >= 0,
      )
      return seePlaying(visitor)
    },
  }
  const secondsSince = () => (performance.now() - startedAt) / 1000
  try {
    await scenario.run(world)
    return { seconds: secondsSince(), seen }
  } catch (error) {
    return { seconds: secondsSince(), seen, failure: await describe(scenario, error as Error, places, visitors) }
  } finally {
    for (const net of nets) net.close()
  }
}

/** A busy machine makes a busy server, which opens no rooms for a while and says so. */
async function lookOrRetry(visitor: Visitor): Promise<Look> {
  const look = await visitor.look()
  if (/busy/.test(look.words)) await visitor.join()
  return look
}

class Unseen extends Error {
  constructor(wanted: string, last: unknown, seconds: number) {
    const seen = last instanceof Error ? last.message : JSON.stringify(last)
    super(`wanted within ${seconds} s: ${wanted}\nseen at last: ${seen}`)
  }
}

async function describe({ name }: Scenario, error: Error, places: Place[], visitors: Visitor[]): Promise<string> {
  const parts = [error instanceof Unseen ? error.message : (error.stack ?? String(error))]
  for (const { server } of places) {
    const end = server.end()
    parts.push(
      `server's log, ${end === undefined ? 'it runs' : `it ended with ${end}`}:`,
      tail(server.log().split('\n')),
    )
  }
  mkdirSync(PICTURES, { recursive: true })
  for (const [i, visitor] of visitors.entries()) {
    if (visitor.messages.length > 0) parts.push(`console of ${visitor.browser}:`, tail(visitor.messages))
    const file = join(PICTURES, `${name}${i === 0 ? '' : `-${i}`}.png`)
    const picture = await Promise.race([visitor.picture().catch(() => undefined), sleep(5000)])
    if (picture === undefined) continue
    writeFileSync(file, picture)
    parts.push(`picture of the page: ${file}`)
  }
  return parts.join('\n')
}

const tail = (lines: readonly string[]) =>
  lines
    .filter((line) => line !== '')
    .slice(-12)
    .map((line) => `  ${line.slice(0, 300)}`)
    .join('\n')
