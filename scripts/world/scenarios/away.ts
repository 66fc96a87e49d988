/** A player who is away for a while: in another tab, frozen by the phone, without a network. */

import type { Place } from '../place.ts'
import type { Visitor } from '../visitor.ts'
import type { Need, Scenario, World } from '../world.ts'

type Away = {
  readonly name: string
  readonly says: string
  readonly seconds: number
  readonly ci?: boolean
  /** In a window, in which tabs can be hidden. */
  readonly windowed?: boolean
  leave(player: Visitor, place: Place, world: World): unknown
  comeBack(player: Visitor, place: Place): unknown
}

/** Plays, is away for so many seconds, and comes back into the same seat of the same match. */
function away({ name, says, seconds, ci = false, windowed = false, leave, comeBack }: Away): Scenario {
  const needs: Need[] = windowed ? ['chromium', 'Xvfb'] : ['chromium']
  return {
    name,
    says: `${says}${seconds > 0 ? ` for ${seconds} s` : ''}: back in the same seat, and the match goes on`,
    needs,
    ci,
    async run(world: World) {
      // By its address, so that nothing but being away is tried.
      const place = await world.place({ runs: 'studio' })
      const player = await world.visit('http://10.77.1.2:45000/', 'chromium', { windowed })
      const before = await world.seeJoined(player)
      await leave(player, place, world)
      await world.wait(seconds)
      await comeBack(player, place)
      await world.seePlaying(player, before)
    },
  }
}

async function hide(player: Visitor, { see }: World): Promise<void> {
  await player.hide()
  await see('hidden', player.look, ({ visibility }) => visibility === 'hidden')
}

const hidden = (seconds: number, ci = false): Scenario =>
  away({
    name: `hidden-${seconds}`,
    says: 'a tab is hidden',
    seconds,
    ci,
    windowed: true,
    leave: (player, _place, world) => hide(player, world),
    comeBack: (player) => player.show(),
  })

const frozen = (seconds: number, ci = false): Scenario =>
  away({
    name: `frozen-${seconds}`,
    says: 'a page is frozen',
    seconds,
    ci,
    windowed: true,
    // Only pages that are hidden are frozen.
    async leave(player, _place, world) {
      await hide(player, world)
      await player.freeze()
    },
    async comeBack(player) {
      await player.thaw()
      await player.show()
    },
  })

const dead = (seconds: number): Scenario =>
  away({
    name: `dead-line-${seconds}`,
    says: 'nothing passes the line',
    seconds,
    leave: (_player, { line }) => line.die(),
    comeBack: (_player, { line }) => line.revive(),
  })

export const aways: readonly Scenario[] = [
  hidden(12, true),
  hidden(15),
  hidden(40),
  frozen(12, true),
  frozen(15),
  frozen(40),
  dead(10),
  dead(40),
  away({
    name: 'address-change',
    says: 'the client moves into another network',
    seconds: 0,
    leave: (_player, { line }) => line.changeAddress(),
    comeBack: () => {},
  }),
  {
    name: 'datagrams-again',
    says: 'after a dead line the client is on datagrams again',
    needs: ['chromium'],
    async run({ place, visit, see, seeJoined, seePlaying, wait }) {
      const { line } = await place({ runs: 'studio', args: ['--udp-port', '45000'] })
      const player = await visit('http://10.77.1.2:45000/')
      const before = await seeJoined(player)
      await see('by datagrams', player.look, ({ path }) => path.startsWith('By datagrams'))
      line.die()
      await wait(12)
      line.revive()
      await seePlaying(player, before)
      await see('by datagrams again', player.look, ({ path }) => path.startsWith('By datagrams'))
    },
  },
]
