/**
 * `npm run measure -- <name> [options]`: one command for what is measured or looked at now and then. Without a name it lists them.
 *
 * A measurement is a program of its own; this file is their index, so that package.json needs one script.
 */

import { fileURLToPath } from 'node:url'
import { handOver } from '../packages/cli/bin/runtime.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The program of each measurement, and what it answers. */
export const measurements: Readonly<Record<string, { readonly program: string; readonly says: string }>> = {
  figures: {
    program: 'scripts/figures/main.ts',
    says: 'what README and guides claim, measured and written there; --check only compares',
  },
  tests: { program: 'scripts/tests/main.ts', says: 'which test files take the time of `npm test`, and why' },
  mutate: { program: 'scripts/mutate/main.ts', says: 'which small mistakes in the rules the tests notice' },
  world: {
    program: 'scripts/world/main.ts',
    says: 'names, proxies, mapped ports, containers, tabs: the game as players outside reach it',
  },
  image: {
    program: 'scripts/image/main.ts',
    says: 'the files that put a created project online: the image built and run, two players, each server restarted',
  },
  floods: { program: 'scripts/floods/main.ts', says: 'what a flood from one address takes from an honest match' },
  returns: {
    program: 'scripts/returns/main.ts',
    says: 'how players come back who were hidden, frozen, without a network, or reloaded the page: --case, --rounds',
  },
  chaos: {
    program: 'scripts/chaos/main.ts',
    says: 'whether matches survive when processes are killed, stopped and restarted: --kills 10',
  },
  colyseus: {
    program: 'scripts/colyseus/main.ts',
    says: 'whether rooms and servers work with the newest Colyseus 0.18: its private members, and whole rooms',
  },
  press: { program: 'scripts/press.ts', says: 'which source files one button press crosses, there and back' },
  soak: { program: 'scripts/soak/main.ts', says: 'what grows in hours of matches: --hours 10 or --minutes 30' },
  'match-log': { program: 'bench/match-log.ts', says: 'what it costs a server to keep matches' },
  datagrams: { program: 'bench/datagrams/main.ts', says: 'what datagrams cost a server, compared with sockets' },
  seek: { program: 'bench/seek.ts', says: 'how long the studio takes to reach any tick of a long match' },
  frames: {
    program: 'scripts/frames/main.ts',
    says: 'what the script of a page takes of a slow phone, by part of a frame, for every game: --only siege --top 20',
  },
  phases: { program: 'games/bench/phases.ts', says: 'what each phase of a game costs: siege crowd crowd=5000' },
  separation: {
    program: 'bench/separation-methods.ts',
    says: 'how much overlap each method of separation leaves, and its cost',
  },
  sizes: {
    program: 'scripts/sizes/main.ts',
    says: 'kB of every entry point of the engine and of the studio in a page',
  },
  access: { program: 'scripts/docs/access.ts', says: 'what axe finds in the built documentation' },
  pictures: {
    program: 'scripts/pictures/main.ts',
    says: 'takes the pictures of README and docs, or of every game, again',
  },
}

if (import.meta.main) {
  const [name = '', ...options] = process.argv.slice(2)
  if (Object.hasOwn(measurements, name)) {
    // A process of its own: the program reads its own options and knows that it is the one that was started.
    await handOver(process.execPath, [root + measurements[name].program, ...options])
  } else {
    const known = Object.entries(measurements).map(([name, { says }]) => `  ${name.padEnd(10)} ${says}`)
    const lines = ['npm run measure -- <name> [options]', ...known]
    if (name !== '') lines.unshift(`There is no measurement "${name}".`)
    console.error(lines.join('\n'))
    process.exitCode = name === '' ? 0 : 1
  }
}
