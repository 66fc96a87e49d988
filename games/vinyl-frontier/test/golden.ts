/** The recorded traces: one file per scenario, one trace per line. */

import { readdirSync, readFileSync } from 'node:fs'
import type { Trace } from '../trace/format.ts'

/** A trace as recorded; `oracle` is the commit of the server that was measured. */
export type Recorded = Trace & { readonly oracle: string }

const FOLDER = new URL('golden/', import.meta.url)
/** The server whose document is the seed. */
const MEASURED = '5ad0a67'

export const recorded: readonly Recorded[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.jsonl'))
  .sort()
  .flatMap((file) => readFileSync(new URL(file, FOLDER), 'utf8').trimEnd().split('\n'))
  .map((line) => JSON.parse(line) as Recorded)

export const original: readonly Recorded[] = recorded.filter(({ oracle }) => oracle === MEASURED)
export const newest: readonly Recorded[] = recorded.filter(({ oracle }) => oracle !== MEASURED)
