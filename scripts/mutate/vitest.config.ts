/** How vitest runs the driver of a mutation run: sources with their mutants in them, tests that are collected, one process. */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { instrument, type NumberedMutant } from './instrument.ts'
import { type Job, ROOT } from './plan.ts'

const shim = fileURLToPath(new URL('shim.ts', import.meta.url))
const job = JSON.parse(readFileSync(process.env.MUTATE_JOB!, 'utf8')) as Job
const fileOf = (id: string) => job.mutants.filter(({ file }: NumberedMutant) => ROOT + file === id)

export default defineConfig({
  root: ROOT,
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      resolveId(source, importer) {
        if (source === 'vitest' && !importer?.includes('/scripts/mutate/')) return shim
        return null
      },
      transform(source, id) {
        const mutants = fileOf(id)
        return mutants.length === 0 ? null : { code: instrument(source, mutants), map: null }
      },
    },
  ],
  test: {
    include: ['scripts/mutate/driver.ts'],
    testTimeout: 0,
    // A kept transform would have the mutants of another run in it.
    fsModuleCache: false,
    reporters: ['dot'],
    maxWorkers: 1,
    env: { MUTATE_JOB: process.env.MUTATE_JOB! },
  },
})
