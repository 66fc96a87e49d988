/**
 * `npm run measure -- soak`: does anything grow while matches run for hours?
 *
 * In virtual time two matches run without an end, one of mirrors and one of terminals, each in a process of its own and as fast as the machine
 * can; in real time a server process with real clients that
 * come and go. Both print what is live and what it grew by after the warm-up.
 */

import { parseArgs } from 'node:util'
import { soakReal } from './real.ts'
import type { SoakReport } from './samples.ts'
import { soakHalves } from './virtual.ts'

const HELP = `Plays for long and prints what grew.

  npm run measure -- soak --hours 10     matches without an end in virtual time
  npm run measure -- soak --minutes 30   a server and real clients in real time

Exit codes: 0 it grew by less than 1 MB and no hash differed; 1 it did not hold; 2 wrong arguments.`

export const MAX_GROWTH_BYTES = 1e6

export function verdictOf({ growthBytes, handleGrowth, mismatches, lost }: SoakReport): readonly string[] {
  return [
    ...(growthBytes < MAX_GROWTH_BYTES ? [] : [`live memory grew by ${(growthBytes / 1e6).toFixed(2)} MB`]),
    ...(handleGrowth <= 0 ? [] : [`${handleGrowth} more handles`]),
    ...(mismatches === 0 ? [] : [`${mismatches} hashes differed`]),
    ...(lost === 0 ? [] : [`${lost} clients were lost`]),
  ]
}

export async function main(args: readonly string[], print: (line: string) => void): Promise<number> {
  const options = { hours: { type: 'string' }, minutes: { type: 'string' }, help: { type: 'boolean' } } as const
  const { values } = parseArgs({ args: [...args], options })
  const [hours, minutes] = [Number(values.hours ?? 0), Number(values.minutes ?? 0)]
  if (values.help || !(hours > 0 || minutes > 0)) {
    print(HELP)
    return values.help ? 0 : 2
  }
  const startedAt = performance.now()
  const watch = { say: print }
  const report = minutes > 0 ? await soakReal(minutes, watch) : await soakHalves(hours, watch)
  const { ticks, hashChecks, mismatches, fileBytes, growthBytes, handleGrowth } = report
  print(
    `${ticks.toLocaleString('en')} ticks in ${((performance.now() - startedAt) / 1000).toFixed(0)} s, ` +
      `${hashChecks.toLocaleString('en')} hashes compared, ${mismatches} differed, ` +
      `${(fileBytes / 1e6).toFixed(1)} MB of replays`,
  )
  print(`growth after the warm-up: ${(growthBytes / 1e6).toFixed(3)} MB live, ${handleGrowth} handles`)
  const complaints = verdictOf(report)
  print(complaints.length === 0 ? 'held' : `did not hold: ${complaints.join(', ')}`)
  return complaints.length === 0 ? 0 : 1
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`))
