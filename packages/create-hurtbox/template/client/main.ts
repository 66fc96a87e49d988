/** The page: one canvas, played alone in the page or online in a room. */

import { joinGame } from '@hurtbox/colyseus/client'
import { createWorld, restore, snapshot, step } from 'hurtbox'
import { game, type PitWorld } from '../game/rules.ts'
import { draw } from './draw.ts'

const context = document.querySelector<HTMLCanvasElement>('#stage')!.getContext('2d')!
const status = document.querySelector<HTMLOutputElement>('#status')!
const held = new Set<string>()
let swings = 0
/** Draws the frame at a time; replaced by whoever plays now. */
let showFrame: (now: number) => void = () => {}

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
  const world = createWorld(game, { seed: Date.now() % 1_000_000 })
  const before = createWorld(game, { seed: 0 })
  step(world, { controls: [{ control: 'join', seat: 0 }] })
  const tickMs = 1000 / game.declaration.tickRate
  let last = performance.now()
  let dueMs = 0
  showFrame = (now) => {
    dueMs += Math.min(250, now - last)
    last = now
    for (; dueMs >= tickMs; dueMs -= tickMs) {
      restore(before, snapshot(world))
      step(world, { players: [{ seat: 0, ...readInput() }] })
    }
    draw(context, before, world, dueMs / tickMs)
    status.textContent = `${world.tables.players.score[0]} slain`
  }
}

async function playOnline(): Promise<void> {
  status.textContent = 'joining …'
  try {
    const connection = await joinGame(location.origin, game)
    showFrame = (now) => {
      const picture = connection.update(now, readInput)
      if (picture === undefined) return
      draw(context, picture.before as PitWorld, picture.after as PitWorld, picture.alpha)
      const scores = Array.from(picture.after.tables.players.score.subarray(0, picture.after.tables.players.count))
      status.textContent = `seat ${connection.seat} · ${scores.join(' : ')} · ${Math.round(connection.rttMs ?? 0)} ms`
    }
  } catch (error) {
    status.textContent = `no server here (${error instanceof Error ? error.message : error}). Start one: npm start`
  }
}

document.querySelector('#alone')!.addEventListener('click', playAlone)
document.querySelector('#online')!.addEventListener('click', playOnline)
requestAnimationFrame(function frame(now) {
  requestAnimationFrame(frame)
  showFrame(now)
})
playAlone()
