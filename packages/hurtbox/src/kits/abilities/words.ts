/** The words of content. Words that decide something stand beside the function that decides it. */

import type { AbilityThing } from './world.ts'

/** The phases of a running ability, as in the column `phase` of the table `casts`. */
export const PHASE = { startup: 1, active: 2, recovery: 3, waiting: 4 } as const

/**
 * When an effect happens. `cast`: once, in the first tick of the active phase. `active`: in each of its ticks. `hit`: for
 * each victim of a hit. `end`: once, when the active phase is over. `input`: when the slot is pressed during the active
 * phase.
 */
export const TRIGGERS = ['cast', 'active', 'hit', 'end', 'input'] as const
export type Trigger = (typeof TRIGGERS)[number]

/** What a caster may still do while its ability runs. */
export const CONTROLS = ['none', 'turn', 'walk'] as const
export type CasterControl = (typeof CONTROLS)[number]

/** What buffs can change. */
export const STATS = ['speed', 'damage', 'force', 'weight'] as const
export type BuffStat = (typeof STATS)[number]

/** What must be true of a caster before it can start an ability. */
export const REQUIREMENTS = {
  grounded: isGrounded,
  airborne: (caster: AbilityThing) => !isGrounded(caster),
  holding: ({ holds }: AbilityThing) => holds !== 0,
  'free-hands': ({ holds }: AbilityThing) => holds === 0,
} as const
export type Requirement = keyof typeof REQUIREMENTS
export type IsMet = (caster: AbilityThing) => boolean

function isGrounded({ grounded }: AbilityThing): boolean {
  return grounded === undefined || grounded !== 0
}

/** From when on another ability may cancel one that is in `phase` and has hit `strikes` times in this step. */
export const CANCELS = {
  never: () => false,
  always: () => true,
  /** Once its startup is over. */
  active: (phase: number) => phase !== PHASE.startup,
  /** Once this step has hit. */
  hit: (_phase: number, strikes: number) => strikes > 0,
  /** Once its active phase is over. */
  recovery: (phase: number) => phase === PHASE.recovery,
} as const
export type CancelTime = keyof typeof CANCELS
export type MayCancel = (phase: number, strikes: number) => boolean
