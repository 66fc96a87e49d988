/** Siege on a canvas: what one sees and presses. */

import { seatRow, thingOf } from 'hurtbox'
import { healthLine, readyLine } from '../../view/words.ts'
import type { HudLine, View } from '../../view.ts'
import { CHAMPIONS } from '../rules/content/champions.ts'
import { HALF, SIDE, SIDE_NAMES } from '../rules/content/map.ts'
import { KIND, UNITS } from '../rules/content/units.ts'
import type { declaration, SiegeWorld } from '../rules/declaration.ts'
import { ticks } from '../rules/units.ts'
import { controls } from './controls.ts'
import { createSiegeDrawing } from './draw.ts'

export const view: View<typeof declaration> = {
  title: 'Siege',
  about: 'Three lanes, twelve towers, two nexuses, and minions by the hundred who all take up room.',
  help: [
    'Walk with your minions, take down the towers of one lane in turn, then the nexus: that wins.',
    'Your champion attacks what comes near by itself. The last hit on a minion is gold; gold buys strength at home.',
    'Towers shoot whoever hurts a champion under them. Let minions go first.',
    'You see what your side sees. Recall takes you home in eight seconds, unless somebody hurts you.',
  ],
  target: 'canvas',
  match: { seats: 6, teamOf: (seat) => (seat % 2 === 0 ? SIDE.blue : SIDE.red) },
  controls,
  bounds: () => ({ minX: -HALF, minY: -HALF, maxX: HALF, maxY: HALF }),
  focus(world, seat) {
    const row = thingOf(world, seatRow(world, seat))
    return row < 0 ? undefined : { x: world.tables.things.x[row], y: world.tables.things.y[row], reach: 480 }
  },
  hud,
  nameOf,
  create: createSiegeDrawing,
}

function hud(world: SiegeWorld, seat: number): readonly HudLine[] {
  const { things, players } = world.tables
  const player = seatRow(world, seat)
  const row = thingOf(world, player)
  if (row < 0) return []
  const { clock } = world
  const [hp, maxHp] = [Math.ceil(things.hp[row]), Math.round(things.maxHp[row])]
  const { name, abilities } = CHAMPIONS[things.champion[row]]
  return [
    healthLine(`${name} ${things.level[row]}`, hp, maxHp),
    ...abilities.map((ability, place) =>
      readyLine(ability.name, things.abilityReadyAt[row * 2 + place] - clock, ticks(world, ability.cooldown)),
    ),
    { label: 'gold', value: players.gold[player], tone: 'warn' },
    {
      label: 'kills / deaths / last hits',
      value: [players.kills, players.deaths, players.lastHits].map((of) => of[player]).join(' / '),
    },
  ]
}

const NAMES: Readonly<Record<number, string>> = {
  [KIND.shot]: 'shot',
  [KIND.missile]: 'missile',
  [KIND.burst]: 'burst',
}

function nameOf(world: SiegeWorld, row: number): string {
  const { kind, champion, team } = world.tables.things
  const name =
    kind[row] === KIND.champion ? CHAMPIONS[champion[row]].name : (UNITS[kind[row]]?.name ?? NAMES[kind[row]])
  return `${name ?? 'thing'} of ${SIDE_NAMES[team[row]] || 'nobody'}`
}
