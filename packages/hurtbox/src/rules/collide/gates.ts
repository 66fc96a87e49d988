/**
 * Gates: reasons to refuse a contact before its rule runs.
 *
 * One record per gate, in the order they are checked; its text for people is in `explain.ts`. Those of the engine read
 * columns, so that most contacts are refused without making a handle; those of a game get the things, after the engine's.
 */

import { HurtboxError, unknownName } from '../../base/errors.ts'
import type { AnyWorld } from '../../world/world.ts'
import type { Gate, GateName } from './rule.ts'

type EngineGate = {
  readonly name: GateName
  /** The column of `things` that it reads, where not every game has it. */
  readonly column?: string
  /** Whether it looks at the first thing alone, so that it counts where the second is a wall too. */
  readonly isOfFirst?: boolean
  refuses(things: Things, first: number, second: number, clock: number): boolean
}

/** The table `things`. */
type Things = AnyWorld['tables'][string]

const GATES: readonly EngineGate[] = [
  {
    name: 'owner',
    refuses: ({ owner, id }, first, second) =>
      (owner[first] !== 0 && owner[first] === owner[second]) ||
      owner[first] === id[second] ||
      owner[second] === id[first],
  },
  { name: 'team', refuses: ({ team }, first, second) => team[first] !== 0 && team[first] === team[second] },
  { name: 'dead', column: 'hp', refuses: ({ hp }, _first, second) => hp[second] <= 0 },
  { name: 'attacker-dead', column: 'hp', isOfFirst: true, refuses: ({ hp }, first) => hp[first] <= 0 },
  {
    name: 'invulnerable',
    column: 'invulnerableUntil',
    refuses: ({ invulnerableUntil }, _first, second, clock) => invulnerableUntil[second] > clock,
  },
]

// biome-ignore lint/suspicious/noExplicitAny: gates of any game.
export type AnyGate = Gate<any>

export type BoundGates = {
  readonly engine: readonly EngineGate[]
  /** Those that count where the second is a wall: it is never dead, on no team, and never leaves. */
  readonly wall: readonly EngineGate[]
  readonly own: readonly AnyGate[]
}

/** The gates of a rule in the order they are asked; refuses unknown names and gates that have nothing to read. */
export function bindGates(world: AnyWorld, rule: string, gates: readonly (string | AnyGate)[]): BoundGates {
  const names = gates.filter((gate) => typeof gate === 'string')
  const own = gates.filter((gate) => typeof gate !== 'string')
  for (const name of names) {
    const gate = GATES.find((each) => each.name === name)
    if (gate === undefined) {
      throw unknownName(
        `gate of rule "${rule}"`,
        name,
        GATES.map((each) => each.name),
      )
    }
    if (gate.column === undefined || gate.column in world.tables.things) continue
    throw new HurtboxError(
      'bad-declaration',
      `gate "${name}" of rule "${rule}" needs the column things.${gate.column}.`,
    )
  }
  for (const gate of own) {
    if (typeof gate?.refuses === 'function' && typeof gate.name === 'string') continue
    throw new HurtboxError(
      'bad-declaration',
      `a gate of rule "${rule}" must be a name or { name, refuses(first, second) }.`,
    )
  }
  const engine = GATES.filter(({ name }) => names.includes(name))
  return { engine, wall: engine.filter(({ isOfFirst }) => isOfFirst), own }
}
