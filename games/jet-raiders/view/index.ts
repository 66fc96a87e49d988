/** Jet Raiders on a canvas: its text, its controls, its figures. */

import type { HudLine, View } from '@hurtbox/view'
import { playerAt } from 'hurtbox'
import { FLY } from '../../view/controls.ts'
import { SEAT_COLOURS } from '../../view/paint.ts'
import { healthLine, readyLine } from '../../view/words.ts'
import { type declaration, HEIGHT, type JetWorld, WIDTH } from '../rules/declaration.ts'
import { createJetDrawing } from './draw.ts'

export const view: View<typeof declaration> = {
  help: [
    'Shoot the others down; most kills after ten minutes win.',
    'Four hits are the end of a ship. A second later it is back.',
    'Fly over an edge and you appear on the other side; bullets do not.',
    'You carry a shield for one second or a dash for a quarter of one, and may use it every six seconds.',
  ],
  target: 'canvas',
  controls: {
    fields: {
      ...FLY,
      shoot: { kind: 'button', keys: ['Space', 'KeyJ'], pad: [0], pointer: 'primary', touch: 'Fire', label: 'fire' },
      slot: {
        kind: 'press',
        keys: ['ShiftLeft', 'KeyK'],
        pad: [1],
        pointer: 'secondary',
        touch: 'Use',
        label: 'use your shield or dash',
      },
      secondary: {
        kind: 'choice',
        keys: { shield: ['KeyZ'], dash: ['KeyX'] },
        touch: { shield: 'Carry shield', dash: 'Carry dash' },
        label: 'carry this',
      },
    },
    sticks: { left: 'fly' },
  },
  bounds: () => ({ minX: -WIDTH / 2, minY: -HEIGHT / 2, maxX: WIDTH / 2, maxY: HEIGHT / 2 }),
  hud,
  colourOf: (seat) => SEAT_COLOURS[seat % SEAT_COLOURS.length],
  sounds: {
    shot: { noise: 3600, from: 900, to: 240, wave: 'square', seconds: 0.07, gain: 0.16 },
    hit: { noise: 1400, seconds: 0.12, gain: 0.8 },
    block: { from: 1500, to: 2100, wave: 'sine', seconds: 0.12, gain: 0.5 },
    death: { noise: 260, from: 300, to: 40, wave: 'sawtooth', seconds: 0.6, gain: 0.7 },
  },
  create: createJetDrawing,
}

function hud(world: JetWorld, seat: number): readonly HudLine<typeof declaration>[] {
  const player = playerAt(world, seat)
  const ship = player?.thing
  if (player === undefined || ship === undefined) return []
  const slot = player.secondary
  return [
    healthLine('hull', ship.hp, ship.maxHp),
    {
      ...readyLine(slot, ship.slotReadyAt - world.clock, world.tuning.slotCooldown),
      control: 'slot',
      touch: slot === 'shield' ? 'Shield' : 'Dash',
    },
    { label: 'kills', value: player.score },
    { label: 'deaths', value: player.deaths },
  ]
}
