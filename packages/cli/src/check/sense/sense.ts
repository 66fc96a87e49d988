/**
 * What is written and has no effect, or not the one that it seems to have.
 *
 * None of it throws: a game like that plays, and somebody looks for the reason. So each finding is sure, by the sources, by the scenes, or by
 * both; where it is not, nothing is said.
 */

import type { LoadedModule } from 'hurtbox/module'
import type { Finding } from '../finding.ts'
import type { Scan } from '../scan.ts'
import { unreadColumns } from './columns.ts'
import { undrawnEntropy } from './entropy.ts'
import { unsetFacing } from './facing.ts'
import { frozenWrites } from './frozen.ts'
import { unmetRules } from './layers.ts'
import { unlistedPhases } from './phases.ts'
import { type Project, readProject } from './project.ts'
import type { Watch } from './watch.ts'

export function findSense(
  module: LoadedModule,
  entry: string,
  { rules, files }: Scan,
  watch: Watch,
  unreached: readonly string[],
): Finding[] {
  let known: Project | undefined
  const project = () => (known ??= readProject(entry))
  return [
    ...unlistedPhases(rules, files, project),
    ...unmetRules(rules, files, unreached, watch),
    ...frozenWrites(rules),
    ...unsetFacing(rules, files, watch),
    ...unreadColumns(entry, rules, files, project),
    ...undrawnEntropy(module, rules, project),
  ]
}
