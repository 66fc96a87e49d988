/** How many joins get datagrams: one after the other, each with a page of its own, on a line that loses a fifth of UDP until the path is open. */

import type { Setting } from '../place.ts'
import type { BrowserName } from '../tab.ts'
import type { Scenario, World } from '../world.ts'

const JOINS = 25
const LOSS_PERCENT = 20
/** Of joins. */
const WANTED = 0.99
/** Long before a client tries a second channel. */
const WITHIN_SECONDS = 25
const OUTSIDE = 'play.wild.test'

const settings: Readonly<Record<string, Setting>> = {
  mapped: {
    runs: 'studio',
    way: { kind: 'mapped' },
    args: ['--public-address', `${OUTSIDE}:45180`, '--udp-address', `${OUTSIDE}:45181`],
  },
  tls: {
    runs: 'studio',
    way: { kind: 'tls' },
    args: ['--proxies', '1', '--public-address', `https://${OUTSIDE}`, '--udp-address', `${OUTSIDE}:45181`],
  },
}

function reach(way: keyof typeof settings, browser: BrowserName): Scenario {
  const { way: line } = settings[way]
  return {
    name: `reach-${way}-${browser}`,
    says: `${JOINS} joins in ${browser}, ${way === 'tls' ? 'through a TLS proxy' : 'through mapped ports'}, with ${LOSS_PERCENT} % of UDP lost at the start: 99 % get datagrams`,
    needs: [browser === 'firefox' ? 'firefox-esr' : 'chromium', ...(line?.kind === 'tls' ? (['nginx'] as const) : [])],
    async run({ place, visit, see, seeJoined }: World) {
      const { url, line, metric } = await place(settings[way])
      let open = 0
      const missed: string[] = []
      const player = await visit(url, browser)
      for (let join = 0; join < JOINS; join++) {
        if (join > 0) {
          await player.goto('about:blank')
          await player.goto(url)
        }
        line.lose(LOSS_PERCENT, 'udp')
        await seeJoined(player)
        const path = await see(
          `join ${join + 1} by datagrams`,
          player.look,
          ({ path }) => path.startsWith('By datagrams'),
          WITHIN_SECONDS,
        ).catch((error: Error) => void missed.push(error.message))
        if (path !== undefined) open++
        line.lose(0)
      }
      await see(
        `${open} of ${JOINS} joins by datagrams`,
        () => ({ share: open / JOINS, missed }),
        ({ share }) => share >= WANTED,
        0,
      )
      // The server counts them as the pages show them.
      const step = (name: string) => metric('hurtbox_channels_total', `step="${name}"`)
      await see(
        'as many opened by the metrics',
        async () => [await step('invited'), await step('opened'), await step('unheard')],
        ([invited, opened, unheard]) => invited >= JOINS && opened >= open && unheard === 0,
        // A room without players stands still, and is counted to its end when nobody has come back.
        90,
      )
    },
  }
}

export const reaches: readonly Scenario[] = Object.keys(settings).flatMap((way) => [
  reach(way, 'chromium'),
  reach(way, 'firefox'),
])
