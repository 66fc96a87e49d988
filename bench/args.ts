/** The command line of the benchmark. */

import { workloads } from './workloads/index.ts'

/** Servers and sockets instead of scenes: `match/`. */
export const MATCH = 'match'
/** The same with one room and many in it. */
export const CROWD = 'terminals'

const NAMES: readonly string[] = [...workloads.map(({ name }) => name), MATCH, CROWD]

export type Args = {
  readonly isQuick: boolean
  readonly isJson: boolean
  readonly isPlot: boolean
  readonly isHelp: boolean
  /** Undefined means all. */
  readonly only?: readonly string[]
  readonly rounds?: number
}

export const USAGE = `Usage: npm run bench -- [options]

  --quick          the key ratios in under two minutes
  --only a,b       only these workloads: ${NAMES.join(', ')}
  --rounds N       turns per process (more is steadier)
  --json           one JSON object per line instead of tables
  --plot           draw docs/images/bench-pairs.svg from the saved results, without running anything
  --help           this text
`

/** Returns a sentence for the user if the command line is invalid. */
export function parseArgs(argv: readonly string[]): Args | string {
  let args: Args = { isQuick: false, isJson: false, isPlot: false, isHelp: false }
  for (let i = 0; i < argv.length; i++) {
    const [option, inline] = argv[i].split('=', 2)
    const value = () => inline ?? argv[++i]
    if (option === '--quick') args = { ...args, isQuick: true }
    else if (option === '--json') args = { ...args, isJson: true }
    else if (option === '--plot') args = { ...args, isPlot: true }
    else if (option === '--help' || option === '-h') args = { ...args, isHelp: true }
    else if (option === '--rounds') {
      const rounds = Number(value())
      if (!Number.isInteger(rounds) || rounds < 1) return '--rounds needs a whole number of at least 1.'
      args = { ...args, rounds }
    } else if (option === '--only') {
      const only = (value() ?? '').split(',').filter((name) => name !== '')
      const unknown = only.find((name) => !NAMES.includes(name))
      const known = NAMES.join(', ')
      if (unknown !== undefined) return `There is no workload "${unknown}". There are: ${known}.`
      if (only.length === 0) return `--only needs at least one workload. There are: ${known}.`
      args = { ...args, only }
    } else return `Unknown option "${argv[i]}". Try --help.`
  }
  return args
}
