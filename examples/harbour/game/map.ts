/** The harbour: a floor of stone, two quays, ledges, and a gate between them that a plate on the ground opens. */

import type { StaticShape } from 'hurtbox'

export const [WIDTH, HEIGHT] = [1280, 720]
const FLOOR = 620

export const map = [
  { layer: 'wall', minX: 0, minY: FLOOR, maxX: 520, maxY: HEIGHT },
  { layer: 'wall', minX: 760, minY: FLOOR, maxX: WIDTH, maxY: HEIGHT },
  { layer: 'wall', minX: -40, minY: -400, maxX: 0, maxY: HEIGHT },
  { layer: 'wall', minX: WIDTH, minY: -400, maxX: WIDTH + 40, maxY: HEIGHT },
  // The quays, each with a slope.
  {
    layer: 'wall',
    points: [
      [0, 500],
      [120, 500],
      [240, FLOOR],
      [0, FLOOR],
    ],
  },
  {
    layer: 'wall',
    points: [
      [1040, FLOOR],
      [1160, 500],
      [WIDTH, 500],
      [WIDTH, FLOOR],
    ],
  },
  { layer: 'ledge', from: [260, 480], to: [420, 480] },
  { layer: 'ledge', from: [860, 480], to: [1020, 480] },
  { layer: 'ledge', from: [540, 250], to: [740, 250] },
  // Above it hangs the loot; the gate keeps it.
  { layer: 'wall', minX: 600, minY: 120, maxX: 680, maxY: 130 },
  { layer: 'wall', minX: 600, minY: 130, maxX: 610, maxY: 250, door: 'gateOpen' },
  { layer: 'wall', minX: 670, minY: 130, maxX: 680, maxY: 250, door: 'gateOpen' },
] as const satisfies readonly StaticShape[]

/** Where who stands opens the gate. */
export const PLATE = { minX: 780, maxX: 840, y: FLOOR }

/** By team; team 0 is nobody. */
export const BASES = [0, 60, WIDTH - 60]
export const START = { x: WIDTH / 2, y: 240 }

/** Lifts over the water: where they begin, how fast they go, and after how many ticks they turn around. */
export const LIFTS = [
  { x: 560, y: 600, vx: 60, vy: 0, ticks: 160 },
  { x: 480, y: 590, vx: 0, vy: -70, ticks: 260 },
  { x: 800, y: 590, vx: 0, vy: -70, ticks: 290 },
]
