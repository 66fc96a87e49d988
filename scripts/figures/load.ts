/** The server under load: real clients on the same machine. Its times are the machine's; that it holds is the claim. */

import { apart, type Figure } from './figure.ts'
import { parseLines, run } from './run.ts'

export type LoadResult = {
  /** What the command prints, line by line. */
  readonly printed: readonly string[]
  /** Bytes a second of one client that steps the match itself. */
  readonly mirror: { readonly down: number; readonly up: number }
}

type Report = { readonly sentToClient: number; readonly sentByClient: number }

const COMMAND = 'npx hurtbox load --rooms 20 --clients 8 --seconds 8'
const MIRRORS = 'npx hurtbox load --rooms 2 --mode mirror --seconds 8'

export const load: Figure<LoadResult> = {
  name: 'load',
  command: COMMAND,
  async measure(log) {
    log(COMMAND)
    // Ends with an error, and so does this, when the server does not hold.
    const printed = (await run(COMMAND)).trimEnd().split('\n')
    log(MIRRORS)
    const [mirror] = parseLines<Report>(await run(`${MIRRORS} --json`))
    return { printed, mirror: { down: Math.round(mirror.sentToClient), up: Math.round(mirror.sentByClient) } }
  },
  differences(saved, now) {
    return [
      ...apart('server, % of a core', numbersOf(saved, 'server')[0], numbersOf(now, 'server')[0]),
      ...apart('bytes a second to each client', numbersOf(saved, 'bytes')[0], numbersOf(now, 'bytes')[0], 1.2),
      ...apart('bytes a second to a mirror', saved.mirror.down, now.mirror.down, 1.2),
    ]
  },
}

/** The figures on the line that begins with a word. */
function numbersOf({ printed }: LoadResult, word: string): number[] {
  const line = printed.find((each) => each.trim().startsWith(word)) ?? ''
  return (line.match(/\d[\d.,]*\d|\d/g) ?? []).map((digits) => Number(digits.replaceAll(',', '')))
}
