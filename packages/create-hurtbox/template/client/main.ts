/** The page: one canvas, played alone in the page or online in a room. */

import { type GameConnection, joinGame } from '@hurtbox/colyseus/client'
import { attachStudio } from '@hurtbox/studio'
import { advance, createSession, createWorld, players, restore, type Session, snapshot } from 'hurtbox'
import module from '../game/index.ts'
import { game, type PitWorld } from '../game/rules.ts'
import { draw } from './draw.ts'

const context = document.querySelector<HTMLCanvasElement>('#stage')!.getContext('2d')!
const score = document.querySelector<HTMLOutputElement>('#score')!
const status = document.querySelector<HTMLElement>('#status')!
/** `npm run dev` serves the page from a port of its own; `npm run server` starts the server on another. */
const SERVER = import.meta.env.DEV ? `http://${location.hostname}:${import.meta.env.ROOMS_PORT}` : location.origin
const held = new Set<string>()
let swings = 0
/** Draws the frame at a time; replaced when a match starts. */
let showFrame: (now: number) => void = () => {}
/** The match that is played now. */
let match: Session<PitWorld> | GameConnection | undefined
/** F2, or `?studio` in the address, opens the studio over this page; until then nothing of it is loaded. */
const studio = attachStudio(() => match, {
  canvas: context.canvas,
  module,
  draw: (moment) => draw(context, moment, 0),
})

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

function playAlone(): void {
  leave()
  const session = createSession(game, { seed: Date.now() % 1_000_000 })
  const { world } = session
  const before = createWorld(game, { seed: 0 })
  advance(session, { controls: [{ control: 'join', seat: 0 }] })
  match = session
  const tickMs = 1000 / game.declaration.tickRate
  let last = performance.now()
  let dueMs = 0
  showFrame = (now) => {
    dueMs += Math.min(250, now - last)
    last = now
    if (studio.holds) return
    for (; dueMs >= tickMs; dueMs -= tickMs) {
      restore(before, snapshot(world))
      advance(session, { players: [{ seat: 0, ...readInput() }] })
    }
    draw(context, { before, after: world, alpha: dueMs / tickMs }, 0)
    score.value = `${world.tables.players.score[0]} slain`
  }
}

async function playOnline(): Promise<void> {
  leave()
  status.textContent = 'joining …'
  try {
    const joined = await joinGame(SERVER, game)
    match = joined
    status.textContent = ''
    showFrame = (now) => {
      const state = joined.update(now, readInput)
      if (joined.ending !== undefined) status.textContent = `the match is over: ${joined.ending.reason || 'no server'}`
      if (state === undefined) return
      const { before, after, alpha } = state as typeof state & { before: PitWorld; after: PitWorld }
      draw(context, { before, after, alpha }, joined.seat)
      const scores = Array.from(players(after), (player) => player.score)
      score.value = `seat ${joined.seat} · ${scores.join(' : ')} · ${Math.round(joined.rttMs ?? 0)} ms`
    }
  } catch (error) {
    // A server that refuses gives a reason and a code. Without a code there was no answer.
    const { code, message } = error as Error & { code?: number }
    status.textContent = code
      ? `${SERVER} says: ${message}`
      : `no server at ${SERVER} (${message}). Start one: npm run server`
  }
}

function leave(): void {
  status.textContent = ''
  if (match !== undefined && 'leave' in match) void match.leave()
  match = undefined
  showFrame = () => {}
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
onClick('#online', playOnline)
requestAnimationFrame(function frame(now) {
  requestAnimationFrame(frame)
  showFrame(now)
})
playAlone()
