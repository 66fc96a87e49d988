/** What the numbers and events of Siege mean to people. */

import { players } from 'hurtbox'
import { combatMeaning, type Meaning } from 'hurtbox/module'
import { ownerName } from '../names.ts'
import { CHAMPIONS } from './rules/content/champions.ts'
import { SIDE, SIDE_NAMES } from './rules/content/map.ts'
import { KIND, UNITS } from './rules/content/units.ts'
import type { declaration } from './rules/declaration.ts'

const KIND_NAMES: Readonly<Record<number, string>> = {
  [KIND.shot]: 'shot',
  [KIND.missile]: 'missile',
  [KIND.burst]: 'burst',
}

/** Abilities are numbered through: two of each champion. */
function abilityName(ability: number): string {
  return CHAMPIONS[ability >> 1]?.abilities[ability & 1]?.name ?? 'an ability'
}

export const meaning: Meaning<typeof declaration> = {
  score: ({ kills }) => kills,
  figures: ({ team, kills, deaths, lastHits, earned }) => ({
    side: SIDE_NAMES[team],
    kills,
    deaths,
    'last hits': lastHits,
    gold: earned,
  }),
  returnsAt: ({ thing: champion }) => champion?.returnsAt ?? 0,
  winners: (world) => [...players(world)].filter(({ team }) => team === world.globals.winner).map(({ seat }) => seat),
  ending: ({ globals }) => `${globals.winner === SIDE.blue ? 'Blue' : 'Red'} wins`,
  nameOf({ id, kind, champion, team }, world, playerName) {
    if (kind === KIND.champion) return `${CHAMPIONS[champion].name} (${ownerName(world, id, playerName)})`
    return `a ${UNITS[kind]?.name ?? KIND_NAMES[kind] ?? 'thing'} of ${SIDE_NAMES[team] || 'nobody'}`
  },
  events: {
    ...combatMeaning,
    wave: { is: 'other', sound: 'round', sentence: ({ number }) => `wave ${number} comes` },
    shot: {
      is: 'other',
      sound: 'shot',
      sentence: ({ shooter, target }, name) => `${name(shooter)} shoots at ${name(target)}`,
    },
    cast: {
      is: 'other',
      sentence: ({ caster, ability }, name) => `${name(caster)} casts ${abilityName(ability)}`,
    },
    lastHit: {
      is: 'score',
      sound: 'pickup',
      sentence: ({ champion, victim, gold }, name) => `${name(champion)} earns ${gold} gold for ${name(victim)}`,
    },
    championKilled: {
      is: 'kill',
      sentence: ({ victim, killer }, name) =>
        killer === 0 ? `${name(victim)} falls` : `${name(killer)} brings ${name(victim)} down`,
    },
    levelUp: { is: 'score', sentence: ({ champion, level }, name) => `${name(champion)} reaches level ${level}` },
    towerFell: {
      is: 'kill',
      sound: 'death',
      sentence: ({ side, lane }) => `a tower of ${SIDE_NAMES[side]} falls, lane ${lane + 1}`,
    },
    bought: { is: 'pickup', sentence: ({ champion }, name) => `${name(champion)} buys something` },
    recalled: { is: 'other', sentence: ({ champion }, name) => `${name(champion)} goes home` },
    returned: { is: 'spawn', sentence: ({ champion }, name) => `${name(champion)} is back` },
    matchOver: { is: 'end', sound: 'win', sentence: ({ winner }) => `${SIDE_NAMES[winner]} wins the match` },
  },
}
