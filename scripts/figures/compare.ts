/** How often the two collision engines of seed 003 count the same collisions. */

import { type Figure, unequal } from './figure.ts'
import { parseLines, run } from './run.ts'

export type CompareResult = Readonly<Record<string, { readonly new: number; readonly legacy: number }>>

type Line = { readonly scenario: string; readonly new: number; readonly legacy: number }

export const compare: Figure<CompareResult> = {
  name: 'compare',
  command: 'npx hurtbox compare',
  async measure() {
    const lines = parseLines<Line>(await run('npx hurtbox compare --json'))
    return Object.fromEntries(lines.map(({ scenario, new: now, legacy }) => [scenario, { new: now, legacy }]))
  },
  differences: (saved, now) => unequal('scenario', saved, now),
}
