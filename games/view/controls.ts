/** Devices for what several games have: a ship that turns and pushes. */

import type { InputBinding } from '@hurtbox/view'

/** For the fields `thrust` and `turn`. */
export const FLY = {
  thrust: {
    kind: 'axis',
    less: ['KeyS', 'ArrowDown'],
    more: ['KeyW', 'ArrowUp'],
    lessPad: [6],
    morePad: [7],
    stick: 'leftY',
    invertStick: true,
    label: 'thrust',
  },
  turn: {
    kind: 'axis',
    less: ['KeyA', 'ArrowLeft'],
    more: ['KeyD', 'ArrowRight'],
    stick: 'leftX',
    label: 'turn',
  },
} as const satisfies Readonly<Record<string, InputBinding>>
