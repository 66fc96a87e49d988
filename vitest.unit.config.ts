/**
 * `npm run test:unit`: rules of the engine, the netcode and the games, in less than a minute on two cores.
 *
 * Left out is what starts servers, browsers, compilers or other processes, and what plays for long. `npm test` runs all.
 */

import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/{hurtbox,colyseus}/test/**/*.test.ts', 'games/*/test/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      // Servers, compilers and other processes.
      'packages/colyseus/test/{room,hardening,who}.test.ts',
      'packages/hurtbox/test/{types,examples}.test.ts',
      'packages/hurtbox/test/replay/builds.test.ts',
      '**/{readme,command}.test.ts',
      // Garbage is counted where nothing else runs.
      '**/{heap,allocation}.test.ts',
      // Whole matches, many random programs, every scene.
      '**/{determinism,program,simulate,oracle,properties,match,bots,original}.test.ts',
      'games/view/test/views.test.ts',
    ],
    testTimeout: 60_000,
    maxWorkers: 2,
    // These tests share nothing but pure modules; loading them once instead of per file halves the time.
    isolate: false,
  },
})
