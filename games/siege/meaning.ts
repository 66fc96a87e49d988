/** What the numbers and events of Siege mean to people. */

import { combatMeaning, type Meaning } from 'hurtbox/module'
import { CHAMPIONS } from './rules/content/champions.ts'
import { SIDE_NAMES } from './rules/content/map.ts'
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
  nameOf({ kind, champion, team }) {
    const name = kind === KIND.champion ? CHAMPIONS[champion].name : (UNITS[kind]?.name ?? KIND_NAMES[kind])
    return `${name ?? 'thing'} of ${SIDE_NAMES[team] || 'nobody'}`
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
