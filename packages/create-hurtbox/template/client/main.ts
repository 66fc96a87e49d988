/** The page: one canvas, played alone in the page or online in a room. */

import { type GameConnection, type JoinChoices, joinGame } from '@hurtbox/colyseus/client'
import { attachStudio } from '@hurtbox/studio'
import { playOffline } from '@hurtbox/view'
import { players } from 'hurtbox'
import type { Match } from 'hurtbox/picture'
import module from '../game/index.ts'
import { game, type Pit } from '../game/rules.ts'
import { draw } from './draw.ts'
import { enterRoom, invitation, showRoom } from './friends.ts'

const context = document.querySelector<HTMLCanvasElement>('#stage')!.getContext('2d')!
const score = document.querySelector<HTMLOutputElement>('#score')!
const status = document.querySelector<HTMLElement>('#status')!
/** Where the page is, also below a path. `npm run dev` serves it from a port of its own; `npm run server` starts the server on another. */
const SERVER = import.meta.env.DEV
  ? `http://${location.hostname}:${import.meta.env.ROOMS_PORT}`
  : new URL('.', location.href).href
const held = new Set<string>()
let swings = 0
/** What is played, in the page or in a room; and the room. */
let match: Match<Pit> = playOffline(game, { seed: Date.now() % 1_000_000 })
let online: GameConnection<Pit> | undefined
// While you develop, F2, or `?studio` in the address, opens the studio over this page. A page built with `STUDIO=1 npm run build` has it too.
if (import.meta.env.DEV || import.meta.env.STUDIO) attachStudio(() => match, { canvas: context.canvas, module })

addEventListener('keydown', (event) => {
  if (event.code === 'Space' && !event.repeat) swings++
  if (event.code === 'Space' || event.code.startsWith('Arrow')) event.preventDefault()
  held.add(event.code)
})
addEventListener('keyup', (event) => held.delete(event.code))
addEventListener('blur', () => held.clear())

/** What the player does in one tick. A press is counted, so that none is lost between two ticks. */
function readInput(): { moveX: number; moveY: number; attack: number } {
  const isHeld = (...codes: string[]) => (codes.some((code) => held.has(code)) ? 1 : 0)
  const attack = swings
  swings = 0
  return {
    moveX: isHeld('ArrowRight', 'KeyD') - isHeld('ArrowLeft', 'KeyA'),
    moveY: isHeld('ArrowDown', 'KeyS') - isHeld('ArrowUp', 'KeyW'),
    attack,
  }
}

function showFrame(): void {
  const picture = match.update(performance.now(), readInput)
  showRoom()
  if (picture === undefined) return
  draw(context, picture, match.seat)
  const scores = Array.from(players(picture.after), (player) => player.score)
  score.value =
    online === undefined ? `${scores[0]} slain` : `${scores.join(' : ')} · ${Math.round(online.rttMs ?? 0)} ms`
}

function play(next: Match<Pit>): void {
  void match.leave()
  match = next
  enterRoom(online)
}

function playAlone(): void {
  online = undefined
  play(playOffline(game, { seed: Date.now() % 1_000_000 }))
}

/** In the room that somebody invited to, else in any. */
async function playOnline(choices: JoinChoices = {}): Promise<void> {
  status.textContent = 'joining …'
  try {
    const next = await joinGame(SERVER, game, choices)
    await next.whenPlaying()
    online = next
    play(next)
  } catch (error) {
    // A server that refuses gives a reason and a code. Without a code there was no answer.
    const { message } = error instanceof Error ? error : new Error(String(error))
    status.textContent =
      error instanceof Error && 'code' in error ? `${SERVER} says: ${message}` : `${message} Start one: npm run server`
  }
}

/** A button that keeps the focus would be pressed again by every swing. */
function onClick(selector: string, act: () => void): void {
  const button = document.querySelector<HTMLButtonElement>(selector)!
  button.addEventListener('click', () => {
    button.blur()
    act()
  })
}

onClick('#alone', playAlone)
onClick('#online', () => void playOnline())
// Whoever opens a friend's link plays with it, or watches.
const playInvited = () => invitation() && void playOnline(invitation())
addEventListener('hashchange', playInvited)
playInvited()
requestAnimationFrame(function frame() {
  requestAnimationFrame(frame)
  showFrame()
})
