/**
 * The file of finished matches, one line each, so that a run that was stopped goes on where it was.
 *
 * Lines are appended as matches end, in the order in which workers finish. A last line cut short by a crash is dropped; a
 * file of another plan is refused rather than mixed in.
 */

import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '../errors.ts'
import type { MatchRecord } from './play.ts'

export type Ledger = {
  /** Finished matches by their place in the plan. */
  readonly records: Map<number, MatchRecord>
  add(index: number, record: MatchRecord): void
}

/** Opens or begins the ledger of a plan; `isFresh` forgets what is there. */
export function openLedger(file: string, hash: string, isFresh: boolean): Ledger {
  const records = new Map<number, MatchRecord>()
  if (!isFresh && existsSync(file)) readRecords(file, hash, records)
  mkdirSync(dirname(file), { recursive: true })
  // Rewritten from what could be read, so that a line cut short does not corrupt the next one.
  const lines = [...records].map(([index, record]) => lineOf(index, record))
  writeFileSync(file, [JSON.stringify({ plan: hash }), ...lines, ''].join('\n'))
  return {
    records,
    add(index, record) {
      const line = lineOf(index, record)
      // As it will be read again: a run that goes on must report what one without a pause does.
      records.set(index, recordOf(parse(line)!)[1])
      appendFileSync(file, `${line}\n`)
    },
  }
}

function lineOf(index: number, record: MatchRecord): string {
  return JSON.stringify({ match: index, ...record })
}

function readRecords(file: string, hash: string, into: Map<number, MatchRecord>): void {
  const [first, ...lines] = readFileSync(file, 'utf8').split('\n')
  if (parse(first)?.plan !== hash) {
    throw new UsageError(
      `${file} holds matches of another plan or of other rules. Use --fresh to start over, or --out for another folder.`,
    )
  }
  for (const line of lines) {
    const record = parse(line)
    if (record !== undefined) into.set(...recordOf(record))
  }
}

function recordOf({ match, ...record }: Record<string, unknown>): [index: number, record: MatchRecord] {
  return [match as number, record as MatchRecord]
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
