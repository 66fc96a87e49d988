/**
 * The order of the test files: what takes longest comes first, so that no long file is left over when all others are done.
 *
 * Vitest orders by its own cache, which a fresh clone does not have, and then by size, which says nothing: the shortest
 * files play the longest matches. The times are those of a saved run.
 */

import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { loadRun, SAVED_RUN } from './times.ts'

/** A file that no saved run has seen goes between the long ones and the many that take a moment. */
const UNKNOWN_MS = 5000

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const known = new Map(loadRun(SAVED_RUN)?.files.map(({ file, startMs, endMs }) => [file, endMs - startMs]))
    const timeOf = ({ project, moduleId }: TestSpecification) =>
      known.get(relative(project.vitest.config.root, moduleId).replaceAll('\\', '/')) ?? UNKNOWN_MS
    // Files that share a process follow each other, project by project. They are short, and fill the workers at the end.
    const groupOf = ({ project }: TestSpecification) => (project.config.isolate ? '' : project.name)
    return [...files].sort((a, b) => groupOf(a).localeCompare(groupOf(b)) || timeOf(b) - timeOf(a))
  }
}
