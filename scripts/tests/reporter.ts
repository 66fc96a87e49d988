/** Writes down what each test file of a run took, for `npm run measure -- tests`. */

import { relative } from 'node:path'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { type FileTime, LAST_RUN, saveRun } from './times.ts'

export default class TimesReporter implements Reporter {
  private root = ''
  private readonly startedAt = performance.now()
  /** When each file was given to a worker, in ms after the start of the run. */
  private readonly queued = new Map<string, number>()
  private readonly files: FileTime[] = []

  onInit(vitest: Vitest): void {
    this.root = vitest.config.root
  }

  onTestModuleQueued(module: TestModule): void {
    this.queued.set(module.id, performance.now() - this.startedAt)
  }

  onTestModuleEnd(module: TestModule): void {
    const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic()
    const endMs = performance.now() - this.startedAt
    this.files.push({
      file: relative(this.root, module.moduleId).replaceAll('\\', '/'),
      project: module.project.name,
      worker: module.diagnostic().concurrencyId,
      startMs: Math.round(this.queued.get(module.id) ?? endMs),
      endMs: Math.round(endMs),
      testsMs: Math.round(duration),
      importMs: Math.round(environmentSetupDuration + prepareDuration + collectDuration + setupDuration),
      cpuMs: Math.round(module.meta().cpuMs ?? 0),
    })
    // After every file, so that a run that is interrupted says what it found.
    saveRun(LAST_RUN, { wallMs: Math.round(endMs), files: this.files })
  }
}
