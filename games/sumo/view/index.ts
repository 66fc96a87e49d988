/** Sumo in three dimensions: its text, its controls, its figures. The drawing, and three.js with it, is loaded when needed. */

import type { Focus, HudLine, View } from '@hurtbox/view'
import { each, playerAt } from 'hurtbox'
import { SEAT_COLOURS } from '../../view/paint.ts'
import { healthLine, readyLine } from '../../view/words.ts'
import { RING_HALF } from '../rules/content.ts'
import { abilities, type declaration, isIn, STAGE, type SumoWorld } from '../rules/declaration.ts'

export const view: View<typeof declaration> = {
  help: [
    'Push the others off the ring. The first to win three rounds, or the most of five, wins.',
    'Three punches are a combo, and the third one throws. It may go on into an uppercut or a grab if it hits.',
    'Stamina lost is weight lost: a tired fighter flies up to three times as far.',
    'Grab, turn to where you want to throw, and press again. A barrier holds against a few blows.',
  ],
  target: 'own',
  yUp: true,
  controls: {
    fields: {
      moveX: { kind: 'axis', less: ['KeyA', 'ArrowLeft'], more: ['KeyD', 'ArrowRight'], stick: 'leftX', label: 'walk' },
      moveY: {
        kind: 'axis',
        less: ['KeyS', 'ArrowDown'],
        more: ['KeyW', 'ArrowUp'],
        stick: 'leftY',
        invertStick: true,
        label: 'walk',
      },
      punch: { kind: 'press', keys: ['KeyJ', 'Digit1'], pad: [2], pointer: 'primary', touch: 'Punch', label: 'punch' },
      fireball: {
        kind: 'press',
        keys: ['KeyK', 'Digit2'],
        pad: [3],
        pointer: 'secondary',
        touch: 'Fire',
        label: 'fireball',
      },
      dash: { kind: 'press', keys: ['ShiftLeft', 'Digit3'], pad: [1], touch: 'Dash', label: 'dash' },
      jump: { kind: 'press', keys: ['Space'], pad: [0], touch: 'Jump', label: 'jump' },
      uppercut: { kind: 'press', keys: ['KeyU', 'Digit4'], pad: [5], touch: 'Upper', label: 'uppercut' },
      shockwave: { kind: 'press', keys: ['KeyI', 'Digit5'], pad: [7], touch: 'Slam', label: 'shockwave' },
      barrier: { kind: 'press', keys: ['KeyO', 'Digit6'], pad: [4], touch: 'Guard', label: 'barrier' },
      grab: { kind: 'press', keys: ['KeyL', 'Digit7'], pad: [6], touch: 'Grab', label: 'grab, then throw' },
    },
    sticks: { left: 'walk' },
  },
  bounds: () => ({ minX: -RING_HALF - 1, minY: -RING_HALF - 1, maxX: RING_HALF + 1, maxY: RING_HALF + 1 }),
  focus,
  hud,
  colourOf: (seat) => SEAT_COLOURS[seat % SEAT_COLOURS.length],
  sounds: {
    hit: { noise: 420, from: 160, to: 60, wave: 'sine', seconds: 0.16, gain: 1 },
    block: { noise: 2600, from: 520, to: 480, wave: 'triangle', seconds: 0.1, gain: 0.6 },
    death: { noise: 700, from: 520, to: 90, wave: 'sine', seconds: 0.7, gain: 0.7 },
    round: { from: 196, to: 196, wave: 'sawtooth', seconds: 0.5, gain: 0.35 },
  },
  create: async (target) => (await import('./draw.ts')).createSumoDrawing(target),
}

/** The middle of all fighters in the ring, with the player's own counted twice, and wide enough for them. */
function focus(world: SumoWorld, seat: number): Focus | undefined {
  const own = playerAt(world, seat)?.thing
  if (own === undefined) return undefined
  const fighters = [...each(world, 'character')].filter(isIn)
  let [x, y, weight] = [0, 0, 0]
  for (const fighter of fighters) {
    const share = fighter === own ? 2 : 1
    x += fighter.x * share
    y += fighter.y * share
    weight += share
  }
  if (weight === 0) return { x: 0, y: 0, reach: RING_HALF }
  x /= weight
  y /= weight
  const reach = Math.max(6, ...fighters.map((each) => Math.max(Math.abs(each.x - x), Math.abs(each.y - y)) + 2.5))
  return { x, y, reach: Math.min(reach, RING_HALF + 3) }
}

/** Abilities whose cooldown is worth watching. */
const WATCHED = ['punch', 'fireball', 'dash', 'shockwave', 'barrier', 'grab'] as const

function hud(world: SumoWorld, seat: number): readonly HudLine<typeof declaration>[] {
  const player = playerAt(world, seat)
  const fighter = player?.thing
  if (player === undefined || fighter === undefined) return []
  return [
    healthLine('stamina', Math.round(fighter.hp), fighter.maxHp),
    ...WATCHED.map((name) => {
      const number = abilities.number[name]
      const line = readyLine(name, fighter.readyAt.get(number) - world.clock, abilities.list[number].cooldown)
      return { ...line, control: name }
    }),
    { label: 'rounds won', value: player.wins },
    { label: 'round', value: stageText(world) },
  ]
}

const STAGE_NAMES: Readonly<Record<number, string>> = {
  [STAGE.waiting]: 'waiting for fighters',
  [STAGE.countdown]: 'get ready',
  [STAGE.breather]: 'over',
  [STAGE.over]: 'match over',
}

function stageText({ globals, options, clock, game }: SumoWorld): string {
  if (options.mode === 'practice') return 'practice'
  const left = Math.max(0, Math.ceil((globals.stageEndsAt - clock) / game.declaration.tickRate))
  return `${globals.round}: ${STAGE_NAMES[globals.stage] ?? `${left} s`}`
}
