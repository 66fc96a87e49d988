/** Siege on a canvas: what the player sees and presses. */

import type { HudLine, View } from '@hurtbox/view'
import { playerAt } from 'hurtbox'
import { healthLine, readyLine } from '../../view/words.ts'
import { readyAtOf } from '../rules/abilities.ts'
import { CHAMPIONS } from '../rules/content/champions.ts'
import { HALF } from '../rules/content/map.ts'
import type { declaration, SiegeWorld } from '../rules/declaration.ts'
import { ticks } from '../rules/units.ts'
import { controls } from './controls.ts'
import { createSiegeDrawing } from './draw.ts'
import { SIDE_COLOURS } from './sprites.ts'

export const view: View<typeof declaration> = {
  help: [
    'Walk with your minions, take down the towers of one lane in turn, then the nexus: that wins.',
    'Your champion attacks what comes near by itself. The last hit on a minion is gold; gold buys strength at home.',
    'Towers shoot a champion that hurts a champion under them. Let minions go first.',
    'You see what your side sees. Recall takes you home in eight seconds, unless you are hurt.',
  ],
  target: 'canvas',
  controls,
  bounds: () => ({ minX: -HALF, minY: -HALF, maxX: HALF, maxY: HALF }),
  focus(world, seat) {
    const champion = playerAt(world, seat)?.thing
    return champion && { x: champion.x, y: champion.y, reach: 480 }
  },
  hud,
  colourOf: (seat, world) => SIDE_COLOURS[playerAt(world, seat)?.team ?? 0],
  sounds: {
    shot: { from: 700, to: 420, wave: 'triangle', seconds: 0.06, gain: 0.12 },
    hit: { noise: 1100, seconds: 0.06, gain: 0.35 },
    death: { noise: 320, from: 180, to: 50, wave: 'triangle', seconds: 0.4, gain: 0.4 },
    round: { from: 262, to: 392, wave: 'sine', seconds: 0.7, gain: 0.4 },
    pickup: { from: 1200, to: 1600, wave: 'sine', seconds: 0.09, gain: 0.25 },
  },
  create: createSiegeDrawing,
}

function hud(world: SiegeWorld, seat: number): readonly HudLine<typeof declaration>[] {
  const player = playerAt(world, seat)
  const champion = player?.thing
  if (player === undefined || champion === undefined) return []
  const { name, abilities } = CHAMPIONS[champion.champion]
  return [
    healthLine(`${name} ${champion.level}`, Math.ceil(champion.hp), Math.round(champion.maxHp)),
    ...abilities.map((ability, place) => ({
      ...readyLine(ability.name, readyAtOf(champion, place) - world.clock, ticks(world, ability.cooldown)),
      control: place === 0 ? 'first' : 'second',
      touch: ability.name[0].toUpperCase() + ability.name.slice(1),
    })),
    { label: 'gold', value: player.gold, tone: 'warn' },
    {
      label: 'kills / deaths / last hits',
      value: [player.kills, player.deaths, player.lastHits].join(' / '),
    },
  ]
}
