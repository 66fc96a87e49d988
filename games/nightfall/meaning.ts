/** What the numbers and events of Nightfall mean to people. */

import { players } from 'hurtbox'
import { combatMeaning, type Meaning } from 'hurtbox/module'
import { ownerName } from '../names.ts'
import { ENEMIES } from './rules/content/enemies.ts'
import { UPGRADES } from './rules/content/upgrades.ts'
import { type declaration, KIND, SOURCES } from './rules/declaration.ts'
import { ENDING, timeOf } from './rules/match.ts'

const KIND_NAMES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(KIND).map(([name, kind]) => [kind, name]),
)

export const meaning: Meaning<typeof declaration> = {
  score: ({ kills }) => kills,
  figures: ({ kills, level }) => ({ kills, level }),
  winners: (world) => (world.globals.ending === ENDING.victory ? [...players(world)].map(({ seat }) => seat) : []),
  ending: (world) =>
    `${world.globals.ending === ENDING.victory ? 'Dawn' : 'The night has won'}: ${timeOf(world)} survived`,
  nameOf({ id, kind, isElite }, world, playerName) {
    if (kind === KIND.survivor) return ownerName(world, id, playerName)
    const enemy = ENEMIES[kind - 1]
    if (enemy !== undefined) return isElite === 1 ? `elite ${enemy.name}` : enemy.name
    return KIND_NAMES[kind] ?? 'thing'
  },
  events: {
    hit: {
      is: 'hit',
      sound: 'hit',
      sentence: ({ target, damage, source }, name) =>
        `${name(target)} loses ${Math.round(damage * 10) / 10} to ${articleOf(SOURCES[source])}`,
    },
    kill: combatMeaning.kill,
    clash: { is: 'other', sentence: () => 'a projectile and a bullet destroy each other' },
    spawned: { is: 'spawn', sentence: ({ enemy }, name) => `${name(enemy)} appears` },
    fired: { is: 'other', sound: 'shot', sentence: ({ survivor }, name) => `${name(survivor)} fires` },
    taken: {
      is: 'pickup',
      sound: 'pickup',
      sentence: ({ survivor, worth }, name) => `${name(survivor)} picks something up, worth ${worth}`,
    },
    levelled: { is: 'score', sound: 'round', sentence: ({ seat, level }) => `P${seat + 1} reaches level ${level}` },
    drafted: {
      is: 'other',
      sentence: ({ seat, upgrade, level }) => `P${seat + 1} takes ${UPGRADES[upgrade]?.name ?? 'an upgrade'} ${level}`,
    },
    fell: {
      is: 'kill',
      victim: 'survivor',
      sound: 'death',
      sentence: ({ survivor }, name) => `${name(survivor)} falls`,
    },
    ended: {
      is: 'end',
      sound: 'win',
      sentence: ({ isVictory }) => (isVictory === 1 ? 'the night is survived' : 'the night is lost'),
    },
  },
}

function articleOf(source: string): string {
  return `${source === 'enemy' ? 'an' : 'a'} ${source}`
}
