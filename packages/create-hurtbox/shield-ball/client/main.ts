/** The page: the court, played alone in the page or online in a room. The drawing is in view.ts. */

import { type GameConnection, type JoinChoices, joinGame } from '@hurtbox/colyseus/client'
import { attachStudio } from '@hurtbox/studio'
import { playOffline } from '@hurtbox/view'
import module from '../game/index.ts'
import { enterRoom, invitation, showRoom } from './friends.ts'
import { listenTo, readInput } from './hand.ts'
import { type CourtMatch, MARGIN, SIZE } from './page.ts'
import { beep } from './sound.ts'
import { show } from './view.ts'

const stage = document.querySelector<HTMLElement>('#stage')!
const score = document.querySelector<HTMLOutputElement>('#score')!
const status = document.querySelector<HTMLElement>('#status')!
/** Where the page is, also below a path. `npm run dev` serves it from a port of its own; `npm run server` starts the server on another. */
const SERVER = import.meta.env.DEV
  ? `http://${location.hostname}:${import.meta.env.ROOMS_PORT}`
  : new URL('.', location.href).href

/** What is played, and what takes it off the screen and leaves it. */
let current: CourtMatch | undefined
let close: () => void = () => {}
// While you develop, F2, or `?studio` in the address, opens the studio over this page. A page built with `STUDIO=1 npm run build` has it too.
if (import.meta.env.DEV || import.meta.env.STUDIO)
  attachStudio(() => current, {
    canvas: stage,
    module,
    project(x, y, _z, out) {
      const scale = stage.clientWidth / SIZE.width
      out.x = (x + MARGIN) * scale
      out.y = y * scale
    },
  })

async function play(match: CourtMatch, room?: GameConnection): Promise<void> {
  close()
  current = match
  enterRoom(room)
  // A block is heard at once, also one that turns out not to have been. A goal is only a goal when it is certain.
  match.on('block', ({ speed }) => beep(200 + 10 * speed))
  match.on('bounce', () => beep(120))
  match.on('goal', { confirmed: () => beep(660, 0.4) })
  const end = await show(stage, match, {
    input: (_tick, world) => readInput(world, match.seat),
    frame({ after: { globals } }) {
      score.value = `${globals.leftGoals} : ${globals.rightGoals}`
      showRoom()
    },
  })
  close = () => {
    end()
    void match.leave()
  }
}

/** In the room that somebody invited to, else in any. */
async function playOnline(choices: JoinChoices = {}): Promise<void> {
  status.textContent = 'joining …'
  try {
    // The ball turns at every bounce, so wrong guesses are large and frequent: rather a slow fade than a jump.
    const match = await joinGame(SERVER, module, { ...choices, smoothing: { longestMs: 1200 } })
    await match.whenPlaying()
    await play(match, match)
  } catch (error) {
    // A server that refuses gives a reason and a code. Without a code there was no answer.
    const { message } = error instanceof Error ? error : new Error(String(error))
    status.textContent =
      error instanceof Error && 'code' in error ? `${SERVER} says: ${message}` : `${message} Start one: npm run server`
  }
}

/** A button that keeps the focus would be pressed again by every dash. */
function onClick(selector: string, act: () => void): void {
  const button = document.querySelector<HTMLButtonElement>(selector)!
  button.addEventListener('click', () => {
    button.blur()
    act()
  })
}

listenTo(stage)
onClick('#alone', () => void play(playOffline(module, { seed: Date.now() % 1_000_000 })))
onClick('#online', () => void playOnline())
// Whoever opens a friend's link plays with it, or watches.
addEventListener('hashchange', () => invitation() && void playOnline(invitation()))
const invited = invitation()
await play(playOffline(module, { seed: Date.now() % 1_000_000 }))
if (invited !== undefined) await playOnline(invited)
