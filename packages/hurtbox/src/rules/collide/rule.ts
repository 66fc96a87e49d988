/**
 * Rules: what a contact means.
 *
 * A rule names two layers and runs for every contact between them. It reads and writes the two things it is
 * given. If it returns nothing, what it wrote stands; if it returns a word, all of it is undone, and the word is the reason
 * that `why` shows.
 */

import type { Id } from '../../state/table.ts'
import type { Declaration } from '../../world/game.ts'
import type { LayerName, RuleThing, RuleWorld } from '../../world/handles/types.ts'

/** The engine's reasons to refuse a contact before the rule runs. */
export type GateName =
  /** One made the other, or both were made by the same thing. */
  | 'owner'
  /** Both are on the same team (team 0 is no team). */
  | 'team'
  /** The second has no `hp` left. */
  | 'dead'
  /** The first has no `hp` left. Leave it out where two fighters can trade. */
  | 'attacker-dead'
  /** The second's `invulnerableUntil` is still ahead. */
  | 'invulnerable'

/** A gate of the game's own: a reason to refuse that several rules share. `why` shows its name. */
export type Gate<D extends Declaration> = {
  readonly name: string
  refuses(first: RuleThing<D>, second: RuleThing<D>, hit: Hit<D>): boolean
}

/** What a rule knows of a contact besides the two things. One object, used again for every contact. */
export type Hit<D extends Declaration> = {
  readonly world: RuleWorld<D>
  /** When in the tick the two met, from 0 to 1; 1 where neither has moved. */
  readonly time: number
  /** Which of its boxes: 0 for the first that was posed. */
  readonly firstBox: number
  readonly secondBox: number
  /** The second's place in the static map; -1 when it is a thing. A wall is a thing with id 0; writing to it does nothing. */
  readonly wall: number
}

/** For how many ticks an attack leaves a victim alone that it has hit: `true` for ever, 0 not at all. */
type Once<D extends Declaration, A extends string, B extends string> =
  | true
  | number
  | ((first: RuleThing<D, A>, second: RuleThing<D, B>, hit: Hit<D>) => number)

/** What a contact between things of two layers means. */
export type Rule<D extends Declaration, A extends string = LayerName<D>, B extends string = LayerName<D>> = Between<
  readonly [A, B]
> &
  Meaning<D, A, B>

type Between<Pair> = {
  /** The layers of the first and the second. With the same layer on both sides the first is the older thing. */
  readonly between: Pair
}

type Meaning<D extends Declaration, A extends string, B extends string> = {
  /** Whether the rule is in force, for rules that depend on the options of a match. Default: it is. */
  readonly when?: boolean
  /** Between things of one layer: runs the rule from both sides, first with the older thing as the first. */
  readonly mutual?: boolean
  /** Whether boxes that only touch are a contact. Default: they are not. */
  readonly touching?: boolean
  /** Whether each pair of boxes may hit. Default: several boxes of one attack on one victim are one hit. */
  readonly perBox?: boolean
  /** Reasons to refuse before the rule runs, by name or the game's own. */
  readonly gates?: readonly (GateName | Gate<D>)[]
  /** An attack hits the same victim once, or again after so many ticks. The game declares `hits`, the room to remember. */
  readonly once?: Once<D, A, B>
  /** What `once` knows the attack by, where it is not the first thing itself: the number of a swing, of a beam. */
  attack?(first: RuleThing<D, A>, hit: Hit<D>): Id
  /** Writes what the contact does. Returning a word refuses it and undoes everything the rule has written. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a rule that returns nothing accepts.
  decide(first: RuleThing<D, A>, second: RuleThing<D, B>, hit: Hit<D>): string | void
}

/** Which layers each rule is about. */
export type Pairs<D extends Declaration> = Readonly<Record<string, readonly [LayerName<D>, LayerName<D>]>>

/**
 * Rules by name, in the order they are asked. The pair stands in `between` as it is, so that the compiler can infer it, and
 * with it the layers of the two things.
 */
export type Rules<D extends Declaration, P extends Pairs<D> = Pairs<D>> = {
  readonly [K in keyof P]: Between<P[K]> & Meaning<D, P[K][0], P[K][1]>
}

/** A hit as the engine writes it. */
export type HitScratch = {
  readonly world: unknown
  time: number
  firstBox: number
  secondBox: number
  wall: number
  /** Rows of `things`; the second is -1 for a wall. */
  firstRow: number
  secondRow: number
  /** Places in the box list. */
  firstPlace: number
  secondPlace: number
}

export function createHit(world: unknown): HitScratch {
  return {
    world,
    time: 1,
    firstBox: 0,
    secondBox: 0,
    wall: -1,
    firstRow: 0,
    secondRow: 0,
    firstPlace: 0,
    secondPlace: 0,
  }
}
