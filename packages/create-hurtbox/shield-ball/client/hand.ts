/** What the player does: keys, mouse, and the direction from the own player to the pointer. */

import { playerAt, type World } from 'hurtbox'
import { HEIGHT, WIDTH } from '../game/map.ts'
import type { ShieldBall } from '../game/rules.ts'
import { MARGIN, SIZE } from './page.ts'

const held = new Set<string>()
const pointer = { x: WIDTH / 2, y: HEIGHT / 2 }
// Presses are counted, so that none is lost between two ticks.
const presses = { dash: 0, bash: 0 }

export function listenTo(stage: HTMLElement): void {
  addEventListener('keydown', (event) => {
    if (event.code === 'Space' && !event.repeat) presses.dash++
    if (event.code === 'Space' || event.code.startsWith('Arrow')) event.preventDefault()
    held.add(event.code)
  })
  addEventListener('keyup', (event) => held.delete(event.code))
  addEventListener('blur', () => held.clear())
  stage.addEventListener('pointerdown', () => void presses.bash++)
  stage.addEventListener('pointermove', ({ clientX, clientY }) => {
    const { left, top, width, height } = stage.getBoundingClientRect()
    pointer.x = ((clientX - left) / width) * SIZE.width - MARGIN
    pointer.y = ((clientY - top) / height) * SIZE.height
  })
}

/** The input of one tick. */
export function readInput(world: World<ShieldBall>, seat: number) {
  const isHeld = (...codes: string[]) => (codes.some((code) => held.has(code)) ? 1 : 0)
  const own = playerAt(world, seat)?.thing
  const [dx, dy] = own === undefined ? [0, 0] : [pointer.x - own.x, pointer.y - own.y]
  const far = Math.max(1, Math.sqrt(dx * dx + dy * dy))
  const { dash, bash } = presses
  presses.dash = presses.bash = 0
  return {
    moveX: isHeld('ArrowRight', 'KeyD') - isHeld('ArrowLeft', 'KeyA'),
    moveY: isHeld('ArrowDown', 'KeyS') - isHeld('ArrowUp', 'KeyW'),
    aimX: dx / far,
    aimY: dy / far,
    dash,
    bash,
  }
}
