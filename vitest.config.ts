import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'packages/*/test/**/*.test.ts',
      'games/*/test/**/*.test.ts',
      'apps/*/test/**/*.test.ts',
      'bench/test/**/*.test.ts',
      'docs/test/**/*.test.ts',
      'scripts/test/**/*.test.ts',
    ],
    testTimeout: 60_000,
    // Two workers: the machines that run this have two cores, and heap tests dislike company.
    maxWorkers: 2,
  },
})
