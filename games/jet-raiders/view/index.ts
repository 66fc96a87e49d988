/** Jet Raiders on a canvas: what one sees and presses. */

import { playerOf, seatRow, thingOf } from 'hurtbox'
import type { HudLine, View } from '../../view.ts'
import { type declaration, HEIGHT, isAlive, type JetWorld, KIND, WIDTH } from '../rules/declaration.ts'
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
      thrust: {
        kind: 'axis',
        less: ['ArrowDown', 'KeyS'],
        more: ['ArrowUp', 'KeyW'],
        lessPad: [6],
        morePad: [7],
        stick: 'leftY',
        invertStick: true,
        label: 'throttle',
      },
      turn: {
        kind: 'axis',
        less: ['ArrowLeft', 'KeyA'],
        more: ['ArrowRight', 'KeyD'],
        stick: 'leftX',
        label: 'turn',
      },
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
  const hp = things.hp[ship]
  const ready = 1 - Math.max(0, things.slotReadyAt[ship] - clock) / Math.max(1, tuning.slotCooldown)
  return [
    {
      label: 'hull',
      value: isAlive(world, ship) ? hp : 0,
      max: things.maxHp[ship],
      tone: hp > 60 ? 'good' : hp > 30 ? 'warn' : 'bad',
    },
    { label: players.secondary[player] === 0 ? 'shield' : 'dash', value: ready, max: 1, tone: 'cool' },
    { label: 'kills', value: players.score[player] },
    { label: 'deaths', value: players.deaths[player] },
  ]
}

function nameOf(world: JetWorld, row: number): string {
  const { things, players } = world.tables
  const isShip = things.kind[row] === KIND.ship
  const player = playerOf(world, isShip ? things.id[row] : things.owner[row])
  return `${isShip ? 'ship' : 'bullet'} of ${player < 0 ? 'nobody' : `seat ${players.seat[player]}`}`
}
