/** What the numbers and events of Sumo mean to people. */

import { castOf, frameData, PHASE } from 'hurtbox/abilities'
import { combatMeaning, type FramePhase, type Meaning } from 'hurtbox/module'
import { ownerName } from '../names.ts'
import { abilities, declaration, KIND } from './rules/declaration.ts'
import { leadingPlayer } from './rules/match.ts'

const PHASES: Readonly<Record<number, FramePhase>> = {
  [PHASE.startup]: 'startup',
  [PHASE.active]: 'active',
  [PHASE.recovery]: 'recovery',
}

/** Moves of several steps are told apart by their number. */
function moveName(ability: string, step: number): string {
  return abilities.list[abilities.names.indexOf(ability as never)].steps > 1 ? `${ability} ${step}` : ability
}

const abilityName = (number: number) => abilities.names[number] ?? 'an ability'

export const meaning: Meaning<typeof declaration> = {
  score: ({ wins }) => wins,
  figures: ({ wins, thrown, falls }) => ({ 'rounds won': wins, 'thrown out': thrown, fallen: falls }),
  winners: (world) => [leadingPlayer(world)?.seat ?? []].flat(),
  nameOf({ kind, id, owner }, world, playerName) {
    if (kind === KIND.dummy) return 'dummy'
    if (kind === KIND.fighter) return ownerName(world, id, playerName)
    return `${ownerName(world, owner, playerName)}'s ${kind === KIND.projectile ? 'fireball' : 'shockwave'}`
  },
  phaseOf({ thing: fighter }, { clock }) {
    if (fighter === undefined) return 'idle'
    if (fighter.stunnedUntil > clock || fighter.launchedUntil > clock || fighter.heldBy !== 0) return 'stun'
    if (fighter.invulnerableUntil > clock) return 'invulnerable'
    return PHASES[castOf(fighter)?.phase ?? 0] ?? 'idle'
  },
  moveOf({ thing: fighter }) {
    const cast = fighter && castOf(fighter)
    return cast === undefined ? '' : moveName(abilities.names[cast.ability], cast.step)
  },
  frameData: () =>
    frameData(abilities, declaration.tickRate).map(({ ability, step, advantage, ...rest }) => ({
      move: moveName(ability, step),
      ...rest,
      ...(advantage !== undefined && { onHit: advantage }),
    })),
  events: {
    ...combatMeaning,
    cast: { is: 'other', sentence: ({ caster, ability }, name) => `${name(caster)} starts ${abilityName(ability)}` },
    strike: {
      is: 'other',
      sentence: ({ attacker, victim, ability, blocked }, name) =>
        `${name(attacker)} ${blocked === 1 ? 'is blocked by' : 'strikes'} ${name(victim)} with ${abilityName(ability)}`,
    },
    whiff: {
      is: 'other',
      sentence: ({ caster, ability }, name) => `${name(caster)} misses with ${abilityName(ability)}`,
    },
    interrupt: {
      is: 'other',
      sentence: ({ caster, ability }, name) => `${name(caster)}'s ${abilityName(ability)} is cut short`,
    },
    roundStart: { is: 'other', sound: 'round', sentence: ({ round }) => `round ${round} starts` },
    ringOut: {
      is: 'kill',
      sound: 'death',
      sentence: ({ victim, by }, name) =>
        by === 0 ? `${name(victim)} falls off the ring` : `${name(by)} throws ${name(victim)} off the ring`,
    },
    roundOver: {
      is: 'score',
      sentence: ({ round, winner }, name) =>
        winner === 0 ? `round ${round} is a draw` : `${name(winner)} wins round ${round}`,
    },
    matchOver: {
      is: 'end',
      sound: 'win',
      sentence: ({ winner }, name) => (winner === 0 ? 'the match ends in a draw' : `${name(winner)} wins the match`),
    },
  },
}
