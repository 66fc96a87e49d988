/** Jet Raiders on a canvas: what one sees and presses. */

import { seatRow, thingOf } from 'hurtbox'
import { FLY } from '../../view/controls.ts'
import { healthLine, ownerText, readyLine } from '../../view/words.ts'
import type { HudLine, View } from '../../view.ts'
import { type declaration, HEIGHT, type JetWorld, KIND, SECONDARY, WIDTH } from '../rules/declaration.ts'
import { createJetDrawing } from './draw.ts'

export const view: View<typeof declaration> = {
  title: 'Jet Raiders',
  about: 'A dogfight on a small plane without edges: aim ahead, dodge, and mind who shot last.',
  help: [
    'Shoot the others down; whoever has most kills after ten minutes wins.',
    'Four hits are the end of a ship. A second later it is back.',
    'Fly over an edge and you appear on the other side; bullets do not.',
    'Your second slot is a shield for one second or a dash for a quarter of one, every six seconds.',
  ],
  target: 'canvas',
  match: { seats: 6 },
  controls: {
    fields: {
      ...FLY,
      shoot: { kind: 'button', keys: ['Space', 'KeyJ'], pad: [0], pointer: 'primary', touch: 'Fire', label: 'fire' },
      slot: {
        kind: 'press',
        keys: ['ShiftLeft', 'KeyK'],
        pad: [1],
        pointer: 'secondary',
        touch: 'Slot',
        label: 'shield or dash',
      },
      secondary: {
        kind: 'choice',
        keys: { shield: ['KeyZ'], dash: ['KeyX'] },
        touch: { shield: 'Shield', dash: 'Dash' },
        label: 'what the slot holds',
      },
    },
    sticks: { left: 'fly' },
  },
  bounds: () => ({ minX: -WIDTH / 2, minY: -HEIGHT / 2, maxX: WIDTH / 2, maxY: HEIGHT / 2 }),
  hud,
  nameOf,
  create: createJetDrawing,
}

function hud(world: JetWorld, seat: number): readonly HudLine[] {
  const player = seatRow(world, seat)
  const ship = thingOf(world, player)
  if (ship < 0) return []
  const { things, players } = world.tables
  const { clock, tuning } = world
  const slot = players.secondary[player] === SECONDARY.shield ? 'shield' : 'dash'
  return [
    healthLine('hull', things.hp[ship], things.maxHp[ship]),
    readyLine(slot, things.slotReadyAt[ship] - clock, tuning.slotCooldown),
    { label: 'kills', value: players.score[player] },
    { label: 'deaths', value: players.deaths[player] },
  ]
}

function nameOf(world: JetWorld, row: number): string {
  const { kind, id, owner } = world.tables.things
  return kind[row] === KIND.ship ? `ship of ${ownerText(world, id[row])}` : `bullet of ${ownerText(world, owner[row])}`
}
