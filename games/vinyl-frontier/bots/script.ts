/**
 * Order files: a team that plays what is written.
 *
 * A line is `ship,turn,ORDER,magnitude`; `#` begins a comment. Ships count from 0, turns from 1. A line that cannot be
 * read is reported and skipped, as a typing error in one line should not cost the other ninety.
 */

import type { GivenOrder } from '../rules/crew.ts'
import { ORDER_NAMES, SHIPS_PER_TEAM } from '../rules/declaration.ts'
import type { Team } from './team.ts'

type ScriptedOrder = GivenOrder & { readonly turn: number }
export type Script = {
  readonly orders: readonly ScriptedOrder[]
  /** What was skipped, by line from 1. */
  readonly problems: readonly { readonly line: number; readonly reason: string }[]
}

export function parseScript(text: string): Script {
  const orders: ScriptedOrder[] = []
  const problems: { line: number; reason: string }[] = []
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const read = readLine(line)
    if (typeof read === 'string') problems.push({ line: index + 1, reason: read })
    else if (read !== undefined) orders.push(read)
  }
  return { orders, problems }
}

/** The order of a line, nothing for an empty one, or why it is none. */
function readLine(line: string): ScriptedOrder | string | undefined {
  const content = line.trim()
  if (content === '' || content.startsWith('#')) return undefined
  const fields = content.split(',').map((field) => field.trim())
  if (fields.length !== 4)
    return `has ${fields.length} field${fields.length === 1 ? '' : 's'}, expected 4: ship,turn,ORDER,magnitude`
  const [shipText, turnText, name, magnitude] = fields
  const ship = leading(WHOLE, shipText)
  if (!(ship >= 0 && ship < SHIPS_PER_TEAM)) return `ship must be 0 to ${SHIPS_PER_TEAM - 1}, got "${short(shipText)}"`
  const turn = leading(WHOLE, turnText)
  if (!(turn >= 1 && turn <= MAX_TURN)) return `turn must be a number from 1 on, got "${short(turnText)}"`
  const kind = ORDER_NAMES.indexOf(name.toUpperCase().replace(/^O_/, '') as (typeof ORDER_NAMES)[number])
  if (kind < 0) return `there is no order "${short(name)}"; known: ${ORDER_NAMES.join(', ')}`
  const value = leading(NUMBER, magnitude)
  if (!(Math.abs(value) <= MAX_VALUE))
    return `magnitude must be a number within ±${MAX_VALUE}, got "${short(magnitude)}"`
  return { ship, turn, kind, value }
}

const WHOLE = /^[-+]?\d+/
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?/i
const MAX_TURN = 1_000_000
/** Orders travel as thousandths in 32 bits. */
const MAX_VALUE = 2_147_483

/** The number a text begins with; what follows it is a remark. */
function leading(pattern: RegExp, text: string): number {
  const [found] = pattern.exec(text) ?? []
  return found === undefined ? Number.NaN : Number(found)
}

/** What an error repeats of a text: not all of a very long one. */
function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

export function scriptTeam(name: string, { orders }: Script): Team {
  const byTurn = new Map<number, GivenOrder[]>()
  for (const { turn, ...order } of orders) byTurn.set(turn, [...(byTurn.get(turn) ?? []), order])
  return {
    name,
    about: 'plays the orders of a file',
    turn: (world) => byTurn.get(world.globals.turn) ?? [],
  }
}
