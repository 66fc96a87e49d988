/**
 * The rules as they were when they were last accepted: `hurtbox.lock.json` beside the package.json of the game.
 *
 * Two builds with the same rulesVersion promise to play the same match. The file remembers what a version did; when the same
 * version does something else, somebody forgot to raise it.
 *
 * What a version did is its fingerprint and, because the probe of a fingerprint does not reach every rule, a trace of each scene: some bits
 * of what entered and of the state after it, tick by tick. The same inputs up to a tick and another state after it are other rules. Other
 * inputs first are other bots, which may change as they like: from there on nothing is told.
 */

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compareFingerprints, type Fingerprint, fingerprint } from 'hurtbox/replay'
import type { AnyGame } from 'hurtbox/tools'
import { messageOf, UsageError } from '../errors.ts'
import type { Finding } from './finding.ts'
import type { MatchRecord } from './match.ts'
import { packageAround } from './resolve.ts'
import { locateRulesVersion } from './scan.ts'
import type { Source } from './source.ts'

type Entry = {
  readonly rulesVersion: number
  readonly fingerprint: string
  readonly parts: Fingerprint['parts']
  readonly scenes: Readonly<Record<string, Trace>>
}

type Trace = {
  /** Seed, options and tuning, as a hash. */
  readonly setup: string
  /** Base64: for each tick two bytes of the inputs' hash and two of the state's. */
  readonly ticks: string
}

export type Played = { readonly scene: string; readonly record: MatchRecord }

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

export function checkLock(
  game: AnyGame,
  entry: string,
  rules: readonly Source[],
  played: readonly Played[],
  update: boolean,
): LockReport {
  const file = join(packageAround(entry)?.folder ?? dirname(entry), 'hurtbox.lock.json')
  const lock = readLock(file)
  const { id, rulesVersion } = game.declaration
  const { hash, parts } = fingerprint(game)
  const known = Object.hasOwn(lock.games, id) ? lock.games[id] : undefined
  const report = { file, fingerprint: hash, findings: [] }
  const traces = Object.fromEntries(played.map(({ scene, record }) => [scene, traceOf(record)]))
  const other = known === undefined ? undefined : firstOther(known.scenes, traces)
  if (known?.fingerprint === hash && other === undefined && isCovered(known.scenes, traces)) {
    return { ...report, record: 'kept' }
  }

  if (known !== undefined && !update) {
    const there = { hash: known.fingerprint, parts: known.parts }
    const names = Object.keys({ ...known.parts, ...parts }).filter((name) => !NAMES.has(name))
    const differences = compareFingerprints({ hash, parts }, there, names)
    if (other !== undefined) {
      differences.push(`with the same inputs, scene ${other.scene} comes out differently from tick ${other.tick} on`)
    }
    // Another engine may do the same rules differently, and is told apart by its own version.
    const isOurs = known.parts.engine === parts.engine
    if (
      rulesVersion < known.rulesVersion ||
      (rulesVersion === known.rulesVersion && isOurs && differences.length > 0)
    ) {
      return { ...report, record: 'refused', findings: [{ ...tell(game, known, differences, rules), ...other }] }
    }
  }
  const games: Lock['games'] = { ...lock.games, [id]: { rulesVersion, fingerprint: hash, parts, scenes: traces } }
  const sorted = Object.fromEntries(
    Object.keys(games)
      .sort()
      .map((name) => [name, games[name]]),
  )
  writeFileSync(file, `${JSON.stringify({ games: sorted }, null, 2)}\n`)
  return { ...report, record: known === undefined ? 'new' : 'updated' }
}

const BYTES_PER_TICK = 4

function traceOf({ setup, ticks, hashes }: MatchRecord): Trace {
  const digits = ticks.map(
    (inputs, tick) => digest(inputs).slice(0, BYTES_PER_TICK) + hashes[tick].slice(0, BYTES_PER_TICK),
  )
  return { setup: digest(setup), ticks: Buffer.from(digits.join(''), 'hex').toString('base64') }
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)
}

/** The first tick of a scene that came out differently from the same inputs. */
function firstOther(
  known: Entry['scenes'],
  now: Entry['scenes'],
): { readonly scene: string; readonly tick: number } | undefined {
  for (const [scene, { setup, ticks }] of Object.entries(now)) {
    if (!Object.hasOwn(known, scene) || known[scene].setup !== setup) continue
    const [before, after] = [known[scene].ticks, ticks].map((text) => Buffer.from(text, 'base64'))
    for (let at = 0; at < Math.min(before.length, after.length); at += BYTES_PER_TICK) {
      if (before.readUInt16LE(at) !== after.readUInt16LE(at)) break
      if (before.readUInt16LE(at + 2) !== after.readUInt16LE(at + 2)) return { scene, tick: at / BYTES_PER_TICK }
    }
  }
  return undefined
}

/** Whether a record has all that was played now; playing less of a scene is no news. */
function isCovered(known: Entry['scenes'], now: Entry['scenes']): boolean {
  return Object.entries(now).every(
    ([scene, { setup, ticks }]) =>
      known[scene]?.setup === setup &&
      known[scene].ticks.startsWith(ticks.slice(0, Math.floor(ticks.length / 16) * 16)),
  )
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
    for (const { rulesVersion, fingerprint: hash, parts, scenes } of Object.values(lock.games)) {
      const isWhole = typeof rulesVersion === 'number' && typeof hash === 'string'
      if (!isWhole || ![parts, scenes].every((part) => typeof part === 'object' && part !== null)) throw new Error('')
    }
    return lock
  } catch (error) {
    const reason = messageOf(error)
    throw new UsageError(`${file} is damaged${reason && ` (${reason})`}. Take it from version control, or delete it.`, {
      cause: error,
    })
  }
}
