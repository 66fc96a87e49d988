/** What the numbers and events of Jet Raiders mean to people. */

import { combatMeaning, type Meaning } from 'hurtbox/module'
import { ownerName } from '../names.ts'
import { hitLogLine } from './log.ts'
import type { declaration } from './rules/declaration.ts'
import { leader } from './rules/match.ts'

export const meaning: Meaning<typeof declaration> = {
  score: ({ score }) => score,
  figures: ({ score, deaths, shots, hits }) => ({
    kills: score,
    deaths,
    accuracy: shots === 0 ? '–' : `${Math.round((hits / shots) * 100)} %`,
  }),
  returnsAt: ({ thing: ship }) => (ship === undefined || ship.hp > 0 ? 0 : ship.returnsAt),
  winners: (world) => [leader(world)?.seat ?? []].flat(),
  needs: { rammingDamage: 'ramming', rammingInterval: 'ramming' },
  nameOf: ({ layer, id, owner }, world, playerName) =>
    layer === 'ship' ? ownerName(world, id, playerName) : `${ownerName(world, owner, playerName)}'s ${layer}`,
  events: {
    hit: {
      is: 'hit',
      sound: 'hit',
      sentence: ({ victim, projectile, hpAfter }, name) =>
        `${name(projectile)} hits ${name(victim)}, ${hpAfter} hp left`,
      log: hitLogLine,
    },
    damage: {
      is: 'other',
      show: 'taken-back',
      ...(combatMeaning.damage.sentence && { sentence: combatMeaning.damage.sentence }),
    },
    kill: combatMeaning.kill,
    block: {
      is: 'block',
      sound: 'block',
      sentence: ({ victim, projectile }, name) => `the shield of ${name(victim)} stops ${name(projectile)}`,
    },
    clash: {
      is: 'other',
      sentence: ({ older, younger }, name) => `${name(older)} and ${name(younger)} cancel out`,
    },
    shot: { is: 'other', sound: 'shot', sentence: ({ shooter }, name) => `${name(shooter)} fires` },
    shield: { is: 'other', sentence: ({ ship }, name) => `${name(ship)} raises its shield` },
    dash: { is: 'other', sentence: ({ ship }, name) => `${name(ship)} dashes` },
    returned: { is: 'spawn', sentence: ({ ship }, name) => `${name(ship)} is back` },
    matchOver: {
      is: 'end',
      sound: 'win',
      sentence: ({ winner }, name) => (winner === 0 ? 'the match ends in a draw' : `${name(winner)} wins the match`),
    },
  },
}
