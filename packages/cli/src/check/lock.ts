/**
 * The rules as they were when they were last accepted: `hurtbox.lock.json` beside the package.json of the game.
 *
 * Two builds with the same rulesVersion promise to play the same match. The file remembers what a version did; when the same
 * version does something else, somebody forgot to raise it.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compareFingerprints, type Fingerprint, fingerprint } from 'hurtbox/replay'
import type { AnyGame } from 'hurtbox/tools'
import { messageOf, UsageError } from '../errors.ts'
import type { Finding } from './finding.ts'
import { packageAround } from './resolve.ts'
import { locateRulesVersion } from './scan.ts'
import type { Source } from './source.ts'

type Entry = { readonly rulesVersion: number; readonly fingerprint: string; readonly parts: Fingerprint['parts'] }
type Lock = { readonly games: Readonly<Record<string, Entry>> }

export type LockReport = {
  readonly file: string
  /** What became of the record. */
  readonly record: 'kept' | 'new' | 'updated' | 'refused'
  readonly fingerprint: string
  readonly findings: readonly Finding[]
}

/** Parts that say which version it is, not what it does. */
const NAMES = new Set(['engine', 'game', 'rulesVersion'])

export function checkLock(game: AnyGame, entry: string, rules: readonly Source[], update: boolean): LockReport {
  const file = join(packageAround(entry)?.folder ?? dirname(entry), 'hurtbox.lock.json')
  const lock = readLock(file)
  const { id, rulesVersion } = game.declaration
  const { hash, parts } = fingerprint(game)
  const known = Object.hasOwn(lock.games, id) ? lock.games[id] : undefined
  const report = { file, fingerprint: hash, findings: [] }
  if (known?.fingerprint === hash) return { ...report, record: 'kept' }

  if (known !== undefined && !update) {
    const there = { hash: known.fingerprint, parts: known.parts }
    const names = Object.keys({ ...known.parts, ...parts }).filter((name) => !NAMES.has(name))
    const differences = compareFingerprints({ hash, parts }, there, names)
    // Another engine may do the same rules differently, and is told apart by its own version.
    const isOurs = known.parts.engine === parts.engine
    if (
      rulesVersion < known.rulesVersion ||
      (rulesVersion === known.rulesVersion && isOurs && differences.length > 0)
    ) {
      return { ...report, record: 'refused', findings: [tell(game, known, differences, rules)] }
    }
  }
  const games: Lock['games'] = { ...lock.games, [id]: { rulesVersion, fingerprint: hash, parts } }
  const sorted = Object.fromEntries(
    Object.keys(games)
      .sort()
      .map((name) => [name, games[name]]),
  )
  writeFileSync(file, `${JSON.stringify({ games: sorted }, null, 2)}\n`)
  return { ...report, record: known === undefined ? 'new' : 'updated' }
}

function tell(game: AnyGame, known: Entry, differences: readonly string[], rules: readonly Source[]): Finding {
  const { id, rulesVersion } = game.declaration
  const isLower = rulesVersion < known.rulesVersion
  return {
    check: 'rules',
    rule: 'rules-version',
    message: isLower
      ? `rulesVersion is ${rulesVersion}, but version ${known.rulesVersion} has been recorded.`
      : `the rules are not those recorded as version ${rulesVersion}: ${differences.join('; ')}.`,
    instead: isLower
      ? `Use ${known.rulesVersion} or more, or accept it with --update.`
      : `Raise rulesVersion to ${rulesVersion + 1}; or, if nobody has played version ${rulesVersion} yet, accept it with --update.`,
    ...locateRulesVersion(rules, id),
  }
}

function readLock(file: string): Lock {
  if (!existsSync(file)) return { games: {} }
  try {
    const lock = JSON.parse(readFileSync(file, 'utf8')) as Lock
    for (const { rulesVersion, fingerprint: hash, parts } of Object.values(lock.games)) {
      if (typeof rulesVersion !== 'number' || typeof hash !== 'string' || typeof parts !== 'object') throw new Error('')
    }
    return lock
  } catch (error) {
    const reason = messageOf(error)
    throw new UsageError(`${file} is damaged${reason && ` (${reason})`}. Take it from version control, or delete it.`, {
      cause: error,
    })
  }
}
