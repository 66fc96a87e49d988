/**
 * The tests in three projects: `npm test` runs all, `npm run test:unit` the first.
 *
 * `units` are rules of the engine, the netcode and the games: pure modules, loaded once for all files of a worker. `tools` are pure
 * modules of studio, command, server and benchmark, loaded once as well. `whole` is what starts servers, browsers, compilers or
 * other processes, and what plays for long; each file has a process of its own.
 */

import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import LongestFirst from './scripts/tests/order.ts'

const unitFiles = globSync(
  [
    'packages/{hurtbox,datagrams,netcode,colyseus}/test/**/*.test.ts',
    'packages/{datagrams,netcode,colyseus}/src/**/*.test.ts',
    'games/*/test/**/*.test.ts',
  ],
  {
    exclude: [
      '**/node_modules/**',
      // Servers, compilers and other processes.
      'packages/colyseus/test/{room*,datagrams*,delivery,hardening,screens,who}.test.ts',
      'packages/datagrams/test/{handshake,hostile,leak,replay,strangers}.test.ts',
      'games/view/test/rooms.test.ts',
      'packages/hurtbox/test/{types,examples}.test.ts',
      'packages/hurtbox/test/replay/builds.test.ts',
      '**/{readme,command}.test.ts',
      // Garbage is counted where nothing else runs.
      '**/{heap,allocation}.test.ts',
      // Whole matches, many random programs, every scene.
      '**/{determinism,program,simulate,oracle,properties,match,bots,original}.test.ts',
      'packages/netcode/test/{whole-system,shots,story,fuzz,pictures,events,simulate,sender}.test.ts',
      'games/view/test/{tuning,views}.test.ts',
    ],
  },
).map((file) => file.replaceAll('\\', '/'))

const toolFiles = globSync([
  'packages/view/test/**/*.test.ts',
  // A panel of the studio is a folder with its test.
  'packages/studio/src/**/*.test.ts',
  'packages/cli/test/{arguments,blame}.test.ts',
  'packages/server/test/{addresses,connections,hooks,load,rates}.test.ts',
  'bench/test/{figures,oracles,scenes}.test.ts',
  'scripts/test/{release,spec}.test.ts',
  'scripts/test/studio/{attach,fallback,overlay}.test.ts',
]).map((file) => file.replaceAll('\\', '/'))

// What the tests start in processes of their own is read and compiled once, not by each of some hundred servers and commands.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('.cache/compiled', import.meta.url))

/**
 * Our sources run as Node runs them, which strips their types itself: rewritten by Vite, every use of an import goes through an object, and
 * matches take half as long again. Not while watching: Vite would not know which tests a changed file concerns. The studio needs Vite, and tests of the
 * server put other modules in place of its own.
 */
const asInNode = [
  /\/packages\/(hurtbox|datagrams|netcode|colyseus|cli|view)\/(src|scenes)\/(?!.*\.test\.ts$)/,
  /\/packages\/create-hurtbox\/[\w-]+\/game\//,
  /\/games\/(?!([\w-]+\/)?test\/)/,
]

const shared = {
  // Projects that tests install are users': what .npmrc says for this repository must not reach them through npm.
  env: { npm_config_legacy_peer_deps: 'false' },
  testTimeout: 60_000,
  // More than the two cores that the machines have: files wait for servers, browsers or Redis part of their time.
  maxWorkers: 6,
  ...(process.argv.includes('run') && { server: { deps: { external: asInNode } } }),
}

export default defineConfig({
  test: {
    ...shared,
    // `npm run measure -- tests` asks what each file costs. The projects inherit it.
    ...(process.env.HURTBOX_TIMES && { setupFiles: [fileURLToPath(new URL('scripts/tests/cpu.ts', import.meta.url))] }),
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...shared, name: 'units', include: unitFiles, isolate: false } },
      { test: { ...shared, name: 'tools', include: toolFiles, isolate: false } },
      {
        test: {
          ...shared,
          name: 'whole',
          include: [
            'packages/*/test/**/*.test.ts',
            'games/*/test/**/*.test.ts',
            'bench/test/**/*.test.ts',
            'docs/test/**/*.test.ts',
            'scripts/test/**/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, ...unitFiles, ...toolFiles],
        },
      },
    ],
  },
})
