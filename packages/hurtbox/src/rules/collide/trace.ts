/**
 * A trace: what the phases of one step said about one pair of things.
 *
 * Verdicts come from the code that decides, so they are always what really happened; why a pair never came before a rule is found
 * out afterwards. It is not state: a world with a trace steps to the same bits.
 */

import type { Id } from '../../state/table.ts'
import type { Collision } from './collide.ts'
import type { BoundRule } from './decide.ts'

export type TraceEntry = {
  readonly phase: string
  /** The rule that was asked; '' when the pair did not get as far as a rule. */
  readonly rule: string
  readonly first: Id
  readonly second: Id
  /** The place of the wall in the static map, where a wall was asked about; the second is 0 then. */
  readonly wall?: number
  /**
   * `accepted`, or why not: a gate, `leaving`, `same-attack`, `already-hit`, `ledger-full`, or the rule's own word; and
   * where no rule was asked `gone`, `leaving`, `no-box`, `layers`, `no-rule`, `apart`, `touching`, `open` (a door); `pushed` by a phase that
   * pushes things apart; `changed` by a phase of a game that has no rules to ask, or `explained` by what it says of itself.
   */
  readonly verdict: string
  readonly text: string
  /** What an accepted contact changed, in words. */
  readonly changes: readonly string[]
}

export type Trace = {
  /** The pair to watch. */
  readonly a: Id
  readonly b: Id
  readonly entries: TraceEntry[]
  /** Called by `collide` right after a verdict, while the journal still has what was changed. */
  onVerdict(collision: Collision, rule: BoundRule, verdict: string, isForRule: boolean): void
  /** Called once per `collide`, after its decisions. */
  onDecided(collision: Collision): void
}

/**
 * The text of an entry, or of one of its changes, in pieces: the ids of these things as numbers, which a caller can replace by names, and
 * the text between them.
 */
export function splitIds(text: string, ids: readonly Id[]): (string | Id)[] {
  const parts: (string | Id)[] = []
  let end = 0
  // Ids stand as bare numbers before what is said of them. Other numbers stand there as well.
  for (const { 0: found, index } of text.matchAll(
    /(?<![\w.,-] ?|wall )\b\d+(?= (?:and|is|has|was)\b|:)|(?<=\band )\d+(?=:)/g,
  )) {
    if (!ids.includes(Number(found))) continue
    if (index > end) parts.push(text.slice(end, index))
    parts.push(Number(found))
    end = index + found.length
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}

/** One of the changes of an entry as it was before it became words; undefined for one that is about no thing. */
export function readChange(change: string): { column: string; id: Id; before: string; after: string } | undefined {
  const found = /^(?<column>\S+) of things id (?<id>\d+): (?<before>.+) → (?<after>.+)$/.exec(change)?.groups
  return found && { column: found.column, id: Number(found.id), before: found.before, after: found.after }
}
