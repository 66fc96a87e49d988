/** The columns of a thing, in groups that a person looks for, with what has changed in front. */

import { findRow } from 'hurtbox'
import type { AnyTable, AnyWorld } from 'hurtbox/tools'

export const GROUPS = ['changed', 'place', 'motion', 'health', 'timers', 'other'] as const
export type Group = (typeof GROUPS)[number]

export type ColumnRow = {
  readonly name: string
  /** One, or several of a wide column. */
  readonly values: readonly number[]
  readonly group: Group
  /** As every new thing has it: nothing to look at. */
  readonly isDefault: boolean
}

const PLACE = /^(x|y|z|facing[XYZ]?|radius|layer|kind|height|heading|angle)$/
const MOTION = /^(v[xyz]|speed\w*|velocity\w*|invMass|mass|accel\w*|turn\w*|slowFactor|knockback\w*)$/i
const HEALTH = /^(hp|maxHp|shield|armour|stamina|health|lives|energy)$/i

/** Undefined where the thing is not there. `changed` are names of columns; of wide ones also `readyAt[2]`. */
export function columnRows(
  world: AnyWorld,
  id: number,
  changed: ReadonlySet<string>,
): readonly ColumnRow[] | undefined {
  const things = world.tables.things as AnyTable
  const row = findRow(things, id)
  if (row < 0) return undefined
  return things.columns.map(({ name, array, width, spec }) => {
    const values = [...array.subarray(row * width, (row + 1) * width)]
    const isTimer = (typeof spec === 'string' ? spec : spec.type) === 'timer'
    const isDefault = values.every((value) => value === 0 || (isTimer && value <= world.clock))
    const isChanged = values.some((_, i) => changed.has(name) || changed.has(`${name}[${i}]`))
    return { name, values, isDefault, group: isChanged ? 'changed' : groupOf(name, isTimer) }
  })
}

function groupOf(name: string, isTimer: boolean): Group {
  if (isTimer) return 'timers'
  if (PLACE.test(name)) return 'place'
  if (MOTION.test(name)) return 'motion'
  return HEALTH.test(name) ? 'health' : 'other'
}

/** Names of the columns in which a thing differs between two states. */
export function changedColumns(before: AnyWorld, after: AnyWorld, id: number): Set<string> {
  const [was, is] = [before, after].map((world) => columnRows(world, id, new Set()))
  const changed = new Set<string>()
  is?.forEach(({ name, values }, i) => {
    if (values.some((value, place) => !Object.is(value, was?.[i].values[place]))) changed.add(name)
  })
  return changed
}
