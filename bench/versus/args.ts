/** The command line of the comparison. */

import { parseArgs as parse } from 'node:util'

const TOPICS = ['games', 'storm', 'hits', 'space', 'heap'] as const
export type Topic = (typeof TOPICS)[number]

export type Args = {
  /** A git ref, or a checkout that is there already. */
  readonly base: { readonly ref: string } | { readonly dir: string }
  /** Undefined means this working tree. */
  readonly newDir?: string | undefined
  readonly pairs: number
  readonly only: readonly Topic[]
  readonly isJson: boolean
}

export const USAGE = `Usage: npm run versus -- --base <git ref> [options]

  --base <ref>      compare with this commit, checked out into a temporary folder
  --base-dir <dir>  compare with this checkout instead
  --new-dir <dir>   compare this checkout instead of the working tree
  --pairs N         processes of each side per figure (default 15)
  --only a,b        only some of ${TOPICS.join(', ')}
  --json            one JSON object per line instead of tables
  --help            this text
`

/** Returns a sentence for the user if the command line is invalid, and undefined where help is asked for. */
export function parseArgs(argv: readonly string[]): Args | string | undefined {
  let values: ReturnType<typeof read>
  try {
    values = read(argv)
  } catch (error) {
    return `${(error as Error).message} Try --help.`
  }
  if (values.help) return undefined
  const { base: ref, 'base-dir': dir, 'new-dir': newDir } = values
  if ((ref === undefined) === (dir === undefined)) return 'Give either --base <git ref> or --base-dir <checkout>.'
  const pairs = Number(values.pairs)
  if (!Number.isInteger(pairs) || pairs < 1) return '--pairs needs a whole number of at least 1.'
  const only = values.only.split(',')
  const unknown = only.find((name) => !TOPICS.includes(name as Topic))
  if (unknown !== undefined) return `There is no "${unknown}" to compare. There are: ${TOPICS.join(', ')}.`
  return {
    base: ref === undefined ? { dir: dir! } : { ref },
    newDir,
    pairs,
    only: only as Topic[],
    isJson: values.json,
  }
}

function read(argv: readonly string[]) {
  return parse({
    args: [...argv],
    options: {
      base: { type: 'string' },
      'base-dir': { type: 'string' },
      'new-dir': { type: 'string' },
      pairs: { type: 'string', default: '15' },
      only: { type: 'string', default: TOPICS.join(',') },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  }).values
}
