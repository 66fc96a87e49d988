/** What all drawings of the court have in common: how it is played by hand, what is shown, how large and in which colours. */

import type { Frame, View } from '@hurtbox/view'
import type { StaticShape } from 'hurtbox'
import { HEIGHT, WIDTH } from '../game/map.ts'
import type { ShieldBall } from '../game/rules.ts'

/** Everything of the view but how things are drawn. */
export const courtView: Omit<View<ShieldBall>, 'target' | 'create'> = {
  help: ['You have the white rim. Your shield is where you aim; a bash makes the ball faster.'],
  // To the left and right of the court are the goals.
  bounds: () => ({ minX: -60, minY: 0, maxX: WIDTH + 60, maxY: HEIGHT }),
  controls: {
    // Keys go by their place on the keyboard. `touch` is the word on a button of a phone.
    fields: {
      moveX: { kind: 'axis', less: ['KeyA', 'ArrowLeft'], more: ['KeyD', 'ArrowRight'], stick: 'leftX', label: 'run' },
      moveY: { kind: 'axis', less: ['KeyW', 'ArrowUp'], more: ['KeyS', 'ArrowDown'], stick: 'leftY', label: 'run' },
      aimX: { kind: 'axis', stick: 'rightX', pointer: 'aimX', label: 'aim the shield' },
      aimY: { kind: 'axis', stick: 'rightY', pointer: 'aimY', label: 'aim the shield' },
      dash: { kind: 'press', keys: ['Space'], pad: [0], touch: 'Dash', label: 'dash' },
      bash: { kind: 'press', keys: ['KeyE'], pad: [7], pointer: 'primary', touch: 'Bash', label: 'bash' },
    },
    sticks: { left: 'Run', right: 'Aim' },
  },
  hud: ({ globals: { leftGoals, rightGoals } }) => [{ label: 'goals', value: `${leftGoals} : ${rightGoals}` }],
  colourOf: (seat) => TEAMS[1 + (seat % 2)],
  sounds: {
    hit: { from: 120, to: 100, seconds: 0.06, gain: 0.3 },
    win: { from: 330, to: 660, seconds: 0.4, gain: 0.5 },
  },
}

/** Colours by team; the first is for things without one. */
export const TEAMS: readonly string[] = ['#cccccc', '#5aa2ff', '#ffb13d']
export const COLOURS = { floor: '#1d222b', wall: '#3a4352', goal: '#2f6b46', ball: '#ffffff', own: '#ffffff' } as const

/** A shield as a line: the middle of its band, and half its opening. */
export const SHIELD = { radius: 34, width: 8, half: Math.PI / 3 } as const

/** How thick a line of the map is drawn: a one-way floor has no thickness of its own. */
const LINE = 4

/** The corners of any piece of a map but a circle: rectangles and slopes, and lines as what they cover. Also of a level from Tiled. */
export function cornersOf(
  piece: Exclude<StaticShape, { readonly x: number }>,
): readonly (readonly [x: number, y: number])[] {
  if ('points' in piece) return piece.points
  if ('minX' in piece) {
    const { minX, minY, maxX, maxY } = piece
    return [
      [minX, minY],
      [maxX, minY],
      [maxX, maxY],
      [minX, maxY],
    ]
  }
  const [[x, y], [toX, toY]] = [piece.from, piece.to]
  const half = (piece.radius ?? LINE / 2) / Math.hypot(toX - x, toY - y)
  const [dx, dy] = [(toY - y) * half, (x - toX) * half]
  return [
    [x + dx, y + dy],
    [toX + dx, toY + dy],
    [toX - dx, toY - dy],
    [x - dx, y - dy],
  ]
}

/** For a renderer of its own: from the world to pixels of the last frame, and back. */
export function createLens() {
  let [x, y, scale, width, height] = [0, 0, 1, 0, 0]
  return {
    follow(frame: Frame<ShieldBall>): void {
      ;({ width, height } = frame)
      ;({ x, y, scale } = frame.camera)
    },
    project(worldX: number, worldY: number, _z: number, out: { x: number; y: number }): void {
      out.x = width / 2 + (worldX - x) * scale
      out.y = height / 2 + (worldY - y) * scale
    },
    unproject(screenX: number, screenY: number, out: { x: number; y: number }): void {
      out.x = x + (screenX - width / 2) / scale
      out.y = y + (screenY - height / 2) / scale
    },
  }
}
