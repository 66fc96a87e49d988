/**
 * A page that plays: it joins a match of Jet Raiders at its own server, with a pilot at the controls, and writes down what
 * its player sees. Bundled by the test and served under the server's content security policy.
 */

import { joinGame } from '@hurtbox/colyseus/client'
import { bots } from '@hurtbox/games/jet-raiders/bots'
import { jetRaiders as game } from '@hurtbox/games/jet-raiders/rules'
import { botInput } from 'hurtbox/tools'

/** What the test reads. */
const seen = {
  seat: -1,
  mode: '',
  kills: [] as { victim: number; attacker: number }[],
  hits: 0,
  states: 0,
  error: '',
}
Object.assign(globalThis, { seen })

async function play(): Promise<void> {
  const connection = await joinGame(location.origin, game, { room: 'pilots' })
  await connection.whenPlaying()
  seen.seat = connection.seat
  seen.mode = connection.mirror ? 'mirror' : 'terminal'
  const frame = () => {
    const state = connection.update(performance.now(), (_, world) =>
      botInput(bots[0], world, connection.seat, connection.seat),
    )
    for (const event of state?.events ?? []) {
      if (event.kind === 'hit') seen.hits++
      if (event.kind === 'kill') seen.kills.push(event as never)
    }
    requestAnimationFrame(frame)
  }
  frame()
}

play().catch((error) => {
  seen.error = String(error)
})
