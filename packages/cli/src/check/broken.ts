/** A game of which no world can be made: one finding, and there is nothing to play. */

import type { AnyGame } from 'hurtbox/tools'
import { createEmptyWorld } from 'hurtbox/tools'
import { messageOf } from '../errors.ts'
import type { Finding } from './finding.ts'
import { type Located, locateCall, locatePhase, locateRule, type Scan } from './scan.ts'

export function tellBroken(game: AnyGame, { rules }: Scan): Finding | undefined {
  try {
    createEmptyWorld(game, {})
    return undefined
  } catch (error) {
    const message = messageOf(error)
    return {
      check: 'sense',
      rule: 'no-world',
      message,
      instead: 'No match of this game can begin.',
      ...locateNamed(message, rules),
    }
  }
}

/** The rule or the phase that a sentence of the engine is about. */
function locateNamed(message: string, rules: Scan['rules']): Located {
  const [, kind, name] = /\b(rule|phase) "([^"]+)"/.exec(message) ?? []
  const named = kind === 'rule' ? locateRule(rules, name) : kind === 'phase' ? locatePhase(rules, name) : {}
  return named.file === undefined ? locateCall(rules, /^defineGame$/) : named
}
