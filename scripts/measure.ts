/**
 * `npm run measure -- <name> [options]`: one command for what is measured and not only tested. Without a name it lists them.
 *
 * A measurement is a program of its own in a folder of its own; this file is their index, so that package.json needs one script.
 */

import { resolve } from 'node:path'

/** The program of each measurement, relative to this folder, and what it answers. */
const measurements: Record<string, { program: string; says: string }> = {
  tests: { program: 'tests/main.ts', says: 'which test files take the time of `npm test`, and why' },
  world: {
    program: 'world/main.ts',
    says: 'names, proxies, mapped ports, containers, tabs: the game as players outside reach it',
  },
}

const [name = '', ...options] = process.argv.slice(2)
const measurement = measurements[name]
if (measurement === undefined) {
  const known = Object.entries(measurements).map(([name, { says }]) => `  ${name.padEnd(10)} ${says}`)
  console.error(
    [
      ...(name === '' ? [] : [`There is no measurement "${name}".`]),
      'npm run measure -- <name> [options]',
      ...known,
    ].join('\n'),
  )
  process.exitCode = name === '' ? 0 : 1
} else {
  const program = resolve(import.meta.dirname, measurement.program)
  // The program reads its own options, as if it had been started directly.
  process.argv.splice(1, 2 + options.length, program, ...options)
  await import(program)
}
