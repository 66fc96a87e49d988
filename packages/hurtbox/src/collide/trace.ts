/**
 * A trace: what the phases of one step said about one pair of things.
 *
 * Verdicts come from the code that decides, so they cannot tell another story; why a pair never came before a rule is found
 * out afterwards. It is not state: a world with a trace on steps to the same bits.
 */

import type { Id } from '../table.ts'
import type { AnyWorld } from '../world.ts'
import type { Book } from './book.ts'
import type { Boxes } from './boxes.ts'
import type { AnyRule, BoundRule } from './decide.ts'
import type { Contact } from './rule.ts'

export type TraceEntry = {
  readonly phase: string
  /** The rule that was asked; '' when the pair did not get as far as a rule. */
  readonly rule: string
  readonly attacker: Id
  readonly victim: Id
  /**
   * `hit`, or why not: a gate, `leaving`, `same-attack`, `ledger-full`, or the rule's own word; and where no rule was
   * asked `gone`, `leaving`, `no-box`, `layers`, `no-rule`, `apart`, `touching`.
   */
  readonly verdict: string
  readonly text: string
  /** What an admitted hit changed, in words. */
  readonly changes: readonly string[]
}

export type Trace = {
  /** The pair to watch. */
  readonly a: Id
  readonly b: Id
  readonly entries: TraceEntry[]
  /** Name of the phase that runs now; set by `step`. */
  phase: string
  /** Called by `collide` right after a verdict, while the book still shows what it changed; says if the rule was asked. */
  onVerdict(world: AnyWorld, rule: AnyRule, contact: Contact, verdict: string, isForRule: boolean, book: Book): void
  /** Called once per `collide`, after its decisions. */
  onDecided(world: AnyWorld, boxes: Boxes, rules: readonly BoundRule[]): void
}
