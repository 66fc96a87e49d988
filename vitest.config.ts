/**
 * The tests in two projects: `npm test` runs both, `npm run test:unit` the first.
 *
 * The name of a file says where it runs. `units`, `x.test.ts`, are pure modules, loaded once for all files of a worker. `whole`,
 * `x.slow.test.ts`, is what starts servers, browsers, compilers or other processes, what plays for long, and what counts garbage or
 * replaces modules; each file has a process of its own.
 */

import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

/** All files of tests whose names end so. */
const testFiles = (ending: string) => [
  `packages/*/{src,test}/**/*${ending}`,
  `games/*/test/**/*${ending}`,
  `{bench,docs,scripts}/test/**/*${ending}`,
]

// What the tests start in processes of their own is read and compiled once, not by each of some hundred servers and commands.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('.cache/compiled', import.meta.url))

/**
 * Our sources run as Node runs them, which strips their types itself: rewritten by Vite, every use of an import goes through an object, and
 * matches take half as long again. Not while watching: Vite would not know which tests a changed file concerns. The studio needs Vite, and tests of the
 * server put other modules in place of its own.
 */
const asInNode = [
  /\/packages\/(hurtbox|colyseus|cli|view)\/(src|scenes)\/(?!.*(\.test\.ts|\/fixtures\/))/,
  /\/packages\/create-hurtbox\/[\w-]+\/game\//,
  /\/games\/(?!([\w-]+\/)?test\/)/,
]

const shared = {
  // Projects that tests install are users': what .npmrc says for this repository must not reach them through npm.
  env: { npm_config_legacy_peer_deps: 'false' },
  testTimeout: 60_000,
  // Twice the two cores that the machines have: every other test file waits for servers, browsers or Redis.
  maxWorkers: 4,
  ...(process.argv.includes('run') && { server: { deps: { external: asInNode } } }),
}

export default defineConfig({
  test: {
    ...shared,
    projects: [
      {
        test: {
          ...shared,
          name: 'units',
          include: testFiles('.test.ts'),
          exclude: [...configDefaults.exclude, '**/*.slow.test.ts'],
          isolate: false,
        },
      },
      { test: { ...shared, name: 'whole', include: testFiles('.slow.test.ts') } },
    ],
  },
})
