import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Projects that tests install are users': what .npmrc says for this repository must not reach them through npm.
    env: { npm_config_legacy_peer_deps: 'false' },
    include: [
      'packages/*/test/**/*.test.ts',
      // A panel of the studio is a folder with its test.
      'packages/studio/src/**/*.test.ts',
      'games/*/test/**/*.test.ts',
      'bench/test/**/*.test.ts',
      'docs/test/**/*.test.ts',
      'scripts/test/**/*.test.ts',
    ],
    testTimeout: 60_000,
    // One more than the two cores that the machines have: every third test file waits for servers, browsers or Redis.
    maxWorkers: 3,
  },
})
