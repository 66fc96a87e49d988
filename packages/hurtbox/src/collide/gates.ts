/**
 * Gates: the engine's own reasons to refuse a contact before its rule is asked.
 *
 * One record per gate, in the order they are asked; what a gate tells people is in `explain.ts`.
 */

import { HurtboxError, unknownName } from '../errors.ts'
import type { AnyWorld } from '../world.ts'
import { alreadyHit, type Ledger } from './ledger.ts'
import type { Contact, Gate } from './rule.ts'

export type GateTest = {
  readonly name: Gate
  /** The column of `things` that it reads, where not every game has it. Always pending: who just died is dead. */
  readonly column?: string
  /** Whether it looks at the attacker alone, so that it has a say where the victim is a static too. */
  readonly isOfAttacker?: boolean
  refuses(things: Things, contact: Contact, clock: number, ledger: Ledger | undefined): boolean
}

/** The table `things` as rules see it. */
type Things = AnyWorld['tables'][string]

const GATES: readonly GateTest[] = [
  {
    name: 'owner',
    refuses: ({ owner, id }, { attacker, victim }) =>
      (owner[attacker] !== 0 && owner[attacker] === owner[victim]) ||
      owner[attacker] === id[victim] ||
      owner[victim] === id[attacker],
  },
  {
    name: 'team',
    refuses: ({ team }, { attacker, victim }) => team[attacker] !== 0 && team[attacker] === team[victim],
  },
  { name: 'dead', column: 'hp', refuses: ({ hp }, { victim }) => hp[victim] <= 0 },
  { name: 'attacker-dead', column: 'hp', isOfAttacker: true, refuses: ({ hp }, { attacker }) => hp[attacker] <= 0 },
  {
    name: 'invulnerable',
    column: 'hittableFrom',
    refuses: ({ hittableFrom }, { victim }, clock) => hittableFrom[victim] > clock,
  },
  { name: 'already-hit', refuses: (_things, _contact, clock, ledger) => alreadyHit(ledger!, clock) },
]

/** The gates of a rule in the order they are asked; refuses names that are none, and gates that have nothing to read. */
export function bindGates(world: AnyWorld, rule: string, names: readonly string[]): readonly GateTest[] {
  for (const name of names) {
    const gate = GATES.find((each) => each.name === name)
    const known = GATES.map((each) => each.name)
    if (gate === undefined) throw unknownName(`gate of rule "${rule}"`, name, known)
    const missing =
      gate.column !== undefined && !(gate.column in world.tables.things)
        ? `column things.${gate.column}`
        : name === 'already-hit' && world.tables.hits === undefined
          ? 'table hits'
          : undefined
    if (missing === undefined) continue
    throw new HurtboxError('bad-declaration', `gate "${name}" of rule "${rule}" needs the ${missing}.`)
  }
  return GATES.filter(({ name }) => names.includes(name))
}
