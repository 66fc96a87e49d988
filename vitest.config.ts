/**
 * The tests in four projects: `npm test` runs the first three, `npm run test:unit` the first, `npm run test:heavy` the last.
 *
 * The name of a file says where it runs. `x.test.ts` is about pure modules, which are loaded once for all files of a worker: `units` are
 * rules of the engine, the netcode and the games, `tools` is the rest. `x.slow.test.ts` starts servers, browsers, compilers or other
 * processes, plays for long, counts garbage or replaces modules: each file of `whole` has a process of its own.
 * `x.heavy.test.ts` is more of that: whole created projects, and matches of minutes in several pages.
 */

import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import LongestFirst from './scripts/tests/order.ts'

/** All files of tests whose names end so: rules of engine, netcode and games, and the rest. */
const unitFiles = (ending: string) => [
  `packages/{hurtbox,datagrams,netcode,colyseus}/{src,test}/**/*${ending}`,
  `{examples,games}/*/test/**/*${ending}`,
]
const toolFiles = (ending: string) => [
  `packages/!(hurtbox|datagrams|netcode|colyseus)/{src,test}/**/*${ending}`,
  `{bench,docs,scripts}/test/**/*${ending}`,
]

const slow = [...configDefaults.exclude, '**/*.{slow,heavy}.test.ts']

/** CI and the long suite run them too. */
const isHeavy = process.env.HURTBOX_LONG !== undefined || process.argv.some((word) => word.includes('heavy'))
const heavyFiles = [...unitFiles('.heavy.test.ts'), ...toolFiles('.heavy.test.ts')]

// What the tests start in processes of their own is read and compiled once, not by each of some hundred servers and commands.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('.cache/compiled', import.meta.url))

/**
 * Our sources run as Node runs them, which strips their types itself: rewritten by Vite, every use of an import goes through an object, and
 * matches take half as long again. Not while watching: Vite would not know which tests a changed file concerns. The studio needs Vite, and tests of the
 * server put other modules in place of its own.
 */
const asInNode = [
  /\/packages\/(hurtbox|datagrams|netcode|colyseus|cli|view)\/(src|scenes)\/(?!.*(\.test\.ts|\/fixtures\/))/,
  /\/packages\/create-hurtbox\/[\w-]+\/game\//,
  /\/games\/(?!([\w-]+\/)?test\/)/,
  /\/examples\/[\w-]+\/game\//,
]

/**
 * Tests with servers and browsers in real time fail when the machine stands still for a second, as machines of CI do. There they are tried
 * once more, and the list of tests says `retry x1`; here they are not, so that a test that needs luck is seen.
 */
const real = { retry: process.env.CI === undefined ? 0 : 1 }

const shared = {
  // Projects that tests install are users': what .npmrc says for this repository must not reach them through npm.
  env: { npm_config_legacy_peer_deps: 'false' },
  testTimeout: 60_000,
  // More than the two cores that the machines have: files wait for servers, browsers or Redis part of their time.
  maxWorkers: 4,
  ...(process.argv.includes('run') && { server: { deps: { external: asInNode } } }),
}

export default defineConfig({
  test: {
    ...shared,
    // `npm run measure -- tests` asks what each file costs. The projects inherit it.
    ...(process.env.HURTBOX_TIMES && { setupFiles: [fileURLToPath(new URL('scripts/tests/cpu.ts', import.meta.url))] }),
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...shared, name: 'units', include: unitFiles('.test.ts'), exclude: slow, isolate: false } },
      { test: { ...shared, name: 'tools', include: toolFiles('.test.ts'), exclude: slow, isolate: false } },
      {
        test: {
          ...shared,
          name: 'whole',
          ...real,
          include: [...unitFiles('.slow.test.ts'), ...toolFiles('.slow.test.ts')],
        },
      },
      ...(isHeavy ? [{ test: { ...shared, name: 'heavy', ...real, include: heavyFiles } }] : []),
    ],
  },
})
