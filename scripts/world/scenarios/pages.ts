/** What happens to pages: they are loaded again, they are slow, their line is bad. */

import type { Scenario } from '../world.ts'

export const pages: readonly Scenario[] = [
  {
    name: 'reload',
    says: 'a page that is loaded again plays again',
    needs: ['chromium'],
    async run({ place, visit, see, seeJoined, seePlaying }) {
      await place({ runs: 'studio' })
      const player = await visit('http://10.77.1.2:45000/')
      await seeJoined(player)
      await player.evaluate('(globalThis.isOld = true)')
      await player.reload()
      await see(
        'a new page',
        () => player.evaluate('globalThis.isOld ?? false'),
        (isOld) => isOld === false,
      )
      await seePlaying(player)
    },
  },
  {
    name: 'slow-page',
    says: 'a page on a processor six times slower keeps up with the server, without desyncs',
    needs: ['chromium'],
    async run({ place, visit, see, seeJoined, wait }) {
      const { metric } = await place({ runs: 'studio' })
      const player = await visit('http://10.77.1.2:45000/')
      await seeJoined(player)
      await player.slow(6)
      await wait(3)
      const read = async () => ({
        page: (await player.look()).tick,
        server: await metric('hurtbox_tick_seconds_count'),
      })
      const first = await read()
      await wait(10)
      const last = await read()
      // What is between two reads is within the margin.
      const share = (last.page - first.page) / (last.server - first.server)
      await see(
        'at least 9 of 10 ticks of the server',
        () => share,
        () => share >= 0.9,
        0,
      )
      await see('0 desyncs', player.look, ({ desyncs }) => desyncs === 0, 0)
    },
  },
  {
    name: 'lossy-line',
    says: 'a line that loses 5 of 100 packets: the match is played, without desyncs',
    needs: ['chromium'],
    async run({ place, visit, see, seeJoined, seePlaying, wait }) {
      const { line } = await place({ runs: 'studio' })
      const player = await visit('http://10.77.1.2:45000/')
      const before = await seeJoined(player)
      line.lose(5)
      await wait(10)
      await seePlaying(player, before)
      await see('0 desyncs', player.look, ({ desyncs }) => desyncs === 0, 0)
    },
  },
  {
    name: 'long-way',
    says: 'a line of 80 ms there and back: the match is played, without desyncs',
    needs: ['chromium'],
    async run({ place, visit, see, seeJoined, seePlaying, wait }) {
      await place({ runs: 'studio', way: { kind: 'long', delayMs: 40 } })
      const player = await visit('http://10.88.0.1:45190/')
      const before = await seeJoined(player)
      await see('a ping of 80 ms or more', player.look, ({ pingMs }) => pingMs >= 80)
      await wait(5)
      await seePlaying(player, before)
      await see('0 desyncs', player.look, ({ desyncs }) => desyncs === 0, 0)
    },
  },
]
