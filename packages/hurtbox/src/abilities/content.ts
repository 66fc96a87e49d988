/**
 * Abilities as data: what a game's designers write.
 *
 * Everything is plain values, so that content can go into a fingerprint, a file or a table for people, and so that two
 * builds that agree on it play the same. Durations are whole ticks: a frame table is what fighters are balanced by.
 * Directions are [ahead, to the left, up].
 */

export type AbilitySpec = {
  /** Ticks before it does anything, in which it works, and in which its caster recovers. Any of them may be 0. */
  readonly startup: number
  readonly active: number
  readonly recovery: number
  /** Ticks from the press until the next one counts. */
  readonly cooldown: number
  /** How many times in a row it goes through its phases, if it is pressed again in time. Default: once. */
  readonly steps?: number
  /** Ticks from the start of recovery in which a press still continues with the next step. */
  readonly window?: number
  readonly requires?: readonly Requirement[]
  /** What its caster may still do by itself while it runs. Default: nothing. */
  readonly control?: Control
  /** Being hit does not interrupt it. */
  readonly steadfast?: boolean
  /** Abilities that may cut this one short, and since when. */
  readonly cancels?: Readonly<Record<string, CancelTime>>
  readonly effects: readonly EffectSpec[]
}

// The words of content, each with the number that stands for it when it is compiled.

/** One bit each. */
export const REQUIRES = { grounded: 1, airborne: 2, holding: 4, 'free-hands': 8 } as const
export type Requirement = keyof typeof REQUIRES
export const CONTROL = { none: 0, turn: 1, walk: 2 } as const
export type Control = keyof typeof CONTROL
/** `active`: once its startup is over. `hit`: once this step has hit somebody. `recovery`: once its active phase is over. */
export const CANCEL = { never: 0, always: 1, active: 2, hit: 3, recovery: 4 } as const
export type CancelTime = keyof typeof CANCEL

/**
 * When an effect happens. `cast`: once, in the first tick of the active phase. `active`: in each of its ticks. `hit`: for
 * everyone hit. `end`: once, when the active phase is over. `input`: when the slot is pressed during the active phase.
 */
export const ON = { cast: 0, active: 1, hit: 2, end: 3, input: 4 } as const
export type Trigger = keyof typeof ON

/** When an effect happens, and to whom. */
export type EffectTiming = {
  readonly on: Trigger
  /** In which steps; counted from 1. Default: in all. */
  readonly step?: number | readonly number[]
  /** For `cast` and `active`: counted from the first tick of the active phase, which is 0. */
  readonly at?: number
  /** For `active`: how many ticks. Default: to the end of the phase. */
  readonly ticks?: number
  /** For `input`: the slot whose press it waits for. */
  readonly slot?: string
  /** Whom it happens to. Default: the one hit, and otherwise the caster. */
  readonly target?: 'caster' | 'victim'
}

/** One effect: when, and exactly one of the keys of `EffectKinds`. */
export type EffectSpec = EffectTiming & Partial<EffectKinds>

/** What an effect can do. */
export type EffectKinds = {
  readonly melee: MeleeSpec
  readonly projectile: ProjectileSpec
  readonly area: AreaSpec
  /** Sets the caster's speed in the plane, along its facing. */
  readonly dash: { readonly speed: number }
  readonly damage: { readonly amount: number; readonly type?: string }
  readonly force: ForceSpec
  /** Towards the source: a force backwards. */
  readonly pull: { readonly impulse?: number; readonly speed?: number; readonly lift?: number }
  /** Takes damage before health does; whom it protects wholly is not pushed either. Replaces the one before. */
  readonly shield: { readonly amount: number; readonly ticks?: number }
  readonly buff: { readonly stat: BuffStat; readonly factor: number; readonly ticks: number }
  /** Jumps by [ahead, left, up] as the caster faces. */
  readonly teleport: { readonly by: Direction }
  /** The victim is carried before the caster for so long. */
  readonly grab: { readonly ticks: number }
  /** Lets go of whoever the caster holds, with a force. */
  readonly throw: ForceSpec & Partial<StunSpec>
  /** `ticks` without acting, `launch` without control and friction; `stop` freezes both for a moment. */
  readonly stun: StunSpec
  /** Starts another ability beside this one. */
  readonly ability: { readonly name: string }
}

export type EffectKind = keyof EffectKinds
export const EFFECT_KINDS: readonly EffectKind[] = [
  'melee',
  'projectile',
  'area',
  'dash',
  'damage',
  'force',
  'pull',
  'shield',
  'buff',
  'teleport',
  'grab',
  'throw',
  'stun',
  'ability',
]
export const STAT = { speed: 0, damage: 1, force: 2, weight: 3 } as const
export type BuffStat = keyof typeof STAT
/** How many of them there are. */
export const STATS = Object.keys(STAT).length
export type Direction = readonly [ahead: number, left: number, up: number]

/** A volume before the caster, for as long as the effect is on. Exactly one of box, arc, capsule and sphere. */
export type MeleeSpec = {
  /** Half extents: ahead, to the side, up. */
  readonly box?: Direction
  /** A sector of a disc around the caster, `angle` wide, with half its height above and below. */
  readonly arc?: { readonly reach: number; readonly angle: number; readonly halfHeight: number }
  /** Lying along the facing. */
  readonly capsule?: { readonly radius: number; readonly halfLength: number }
  readonly sphere?: { readonly radius: number }
  /** Where its middle is, as the caster faces. */
  readonly ahead?: number
  readonly left?: number
  readonly up?: number
  /** Hits by itself, whatever other boxes of this window have hit. */
  readonly apart?: boolean
  /** Hits the same victim again after so many ticks. Default: once. */
  readonly every?: number
}

export type ProjectileSpec = {
  readonly speed: number
  readonly radius: number
  /** Ticks. */
  readonly life: number
  /** Where it appears, as the caster faces. */
  readonly ahead?: number
  readonly up?: number
  /** How many victims it passes through. */
  readonly pierce?: number
}

/** A ball that stays where it was put and hits everyone in it. */
export type AreaSpec = {
  readonly radius: number
  readonly life: number
  readonly ahead?: number
  readonly up?: number
  readonly every?: number
}

/**
 * A push, in one of five frames. `world`: along the axes. `caster`, `victim`: as they face. `away`: ahead is from the source
 * of the hit to the victim, in the plane; right above the source it is straight up. `turned`: by as much as the victim is
 * turned against the caster.
 */
export const FRAME = { world: 0, caster: 1, victim: 2, away: 3, turned: 4 } as const
export type Frame = keyof typeof FRAME

export type ForceSpec = {
  readonly frame: Frame
  /** The direction; its length does not matter. */
  readonly along: Direction
  /** Mass × speed; or, in its place, a speed that is the same for every mass. */
  readonly impulse?: number
  readonly speed?: number
}

export type StunSpec = { readonly ticks: number; readonly launch?: number; readonly stop?: number }
