/** The page: the court, played alone in the page or online in a room. The drawing is in view.ts. */

import { joinGame } from '@hurtbox/colyseus/client'
import { playOffline } from '@hurtbox/view'
import module from '../game/index.ts'
import { listenTo, readInput } from './hand.ts'
import type { CourtMatch } from './page.ts'
import { beep } from './sound.ts'
import { show } from './view.ts'

const stage = document.querySelector<HTMLElement>('#stage')!
const score = document.querySelector<HTMLOutputElement>('#score')!
const status = document.querySelector<HTMLElement>('#status')!
/** `npm run dev` serves the page from a port of its own; `npm run server` starts the server on another. */
const SERVER = import.meta.env.DEV ? `http://${location.hostname}:${import.meta.env.ROOMS_PORT}` : location.origin

/** Takes the match that is played off the screen, and leaves it. */
let close: () => void = () => {}

async function play(match: CourtMatch): Promise<void> {
  close()
  // A block is heard at once, also one that turns out not to have been. A goal is only a goal when it is certain.
  match.on('block', ({ speed }) => beep(200 + 10 * speed))
  match.on('bounce', () => beep(120))
  match.on('goal', { confirmed: () => beep(660, 0.4) })
  const end = await show(stage, match, {
    input: (_tick, world) => readInput(world, match.seat),
    frame({ after: { globals } }) {
      score.value = `${globals.leftGoals} : ${globals.rightGoals}`
    },
  })
  close = () => {
    end()
    void match.leave()
  }
}

async function playOnline(): Promise<void> {
  status.textContent = 'joining …'
  try {
    const match = await joinGame(SERVER, module)
    await match.whenPlaying()
    await play(match)
    status.textContent = `online, seat ${match.seat}`
  } catch (error) {
    // A server that refuses gives a reason and a code. Without a code there was no answer.
    const { message } = error instanceof Error ? error : new Error(String(error))
    status.textContent =
      error instanceof Error && 'code' in error
        ? `${SERVER} says: ${message}`
        : `no server at ${SERVER} (${message}). Start one: npm run server`
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
await play(playOffline(module, { seed: Date.now() % 1_000_000 }))
