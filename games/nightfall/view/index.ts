/** Nightfall on a canvas: its text, its controls, its figures. */

import type { Choice, HudLine, View } from '@hurtbox/view'
import { playerAt, players } from 'hurtbox'
import { healthLine, timeText } from '../../view/words.ts'
import { UPGRADES } from '../rules/content/upgrades.ts'
import { type declaration, HEIGHT, type NightWorld, TICK_RATE, WIDTH } from '../rules/declaration.ts'
import { createNightDrawing } from './draw.ts'

export const view: View<typeof declaration> = {
  help: [
    'Stay alive for twenty minutes. Your weapons fire by themselves; you walk, and you may aim.',
    'A hit knocks you back and leaves you invulnerable for a second: the white ring.',
    'Gems are experience. Every level offers three upgrades.',
    'Ground that glows will burn. Elites, with the golden rim, may leave something behind.',
    'Up to four survivors; the fallen rise again when somebody finds a heart.',
  ],
  target: 'canvas',
  controls: {
    fields: {
      moveX: { kind: 'axis', less: ['KeyA', 'ArrowLeft'], more: ['KeyD', 'ArrowRight'], stick: 'leftX', label: 'walk' },
      moveY: { kind: 'axis', less: ['KeyW', 'ArrowUp'], more: ['KeyS', 'ArrowDown'], stick: 'leftY', label: 'walk' },
      aimX: { kind: 'axis', stick: 'rightX', pointer: 'aimX', label: 'aim' },
      aimY: { kind: 'axis', stick: 'rightY', pointer: 'aimY', label: 'aim' },
      first: { kind: 'press', keys: ['Digit1', 'KeyJ'], pad: [2], label: 'take the first upgrade' },
      second: { kind: 'press', keys: ['Digit2', 'KeyK'], pad: [3], label: 'take the second' },
      third: { kind: 'press', keys: ['Digit3', 'KeyL'], pad: [1], label: 'take the third' },
    },
    sticks: { left: 'walk', right: 'aim' },
  },
  bounds: () => ({ minX: 0, minY: 0, maxX: WIDTH, maxY: HEIGHT }),
  focus(world, seat) {
    const survivor = playerAt(world, seat)?.thing
    if (survivor === undefined) return undefined
    // Never so far that much of the picture would be outside the field.
    const x = Math.min(Math.max(survivor.x, 320), WIDTH - 320)
    const y = Math.min(Math.max(survivor.y, 280), HEIGHT - 280)
    return { x, y, reach: 290 }
  },
  hud,
  choices,
  sounds: {
    shot: { noise: 5200, seconds: 0.03, gain: 0.08 },
    hit: { noise: 600, seconds: 0.05, gain: 0.25 },
    death: { from: 200, to: 45, wave: 'sawtooth', seconds: 0.9, gain: 0.6 },
    pickup: { from: 880, to: 1320, wave: 'sine', seconds: 0.08, gain: 0.2 },
    round: { from: 523, to: 784, wave: 'triangle', seconds: 0.4, gain: 0.4 },
    win: { from: 262, to: 1046, wave: 'sine', seconds: 1.4, gain: 0.5 },
  },
  create: createNightDrawing,
}

function hud(world: NightWorld, seat: number): readonly HudLine<typeof declaration>[] {
  const player = playerAt(world, seat)
  const survivor = player?.thing
  if (player === undefined || survivor === undefined) return []
  return [
    healthLine('health', Math.ceil(survivor.hp), survivor.maxHp),
    { label: `level ${player.level}`, value: `${Math.floor(player.experience)} xp`, tone: 'cool' },
    { label: 'kills', value: player.kills },
    { label: 'until dawn', value: timeText(Math.ceil(Math.max(0, world.tuning.night - world.clock) / TICK_RATE)) },
  ]
}

/** By rarity. */
const CARD_COLOURS = { common: '#9fc3ff', rare: '#c792ff', epic: '#ffb347', never: '#9fc3ff' } as const
const CARD_CONTROLS = ['first', 'second', 'third'] as const

/** The draft: three upgrades to choose from while the match is paused for it. Spectators see that of a player who has one. */
function choices(world: NightWorld, seat: number): readonly Choice<typeof declaration>[] {
  const player = playerAt(world, seat) ?? [...players(world)].find(({ offer }) => offer.get(0) !== 0)
  if (player === undefined) return []
  return CARD_CONTROLS.flatMap((control, place) => {
    const offer = player.offer.get(place)
    if (offer === 0) return []
    const { name, about, rarity } = UPGRADES[offer - 1]
    const level = player.owned.get(offer - 1)
    const note = level === 0 ? 'new' : `level ${level + 1}`
    return [{ control, title: name, text: about, note, colour: CARD_COLOURS[rarity] }]
  })
}
