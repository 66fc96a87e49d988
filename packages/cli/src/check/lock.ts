/**
 * The rules as they were released: `hurtbox.lock.json` beside the package.json of the game.
 *
 * Two builds with the same rulesVersion promise to play the same match. Nobody holds a game under work to that: until a version is
 * released its rules may change as they like. `hurtbox release` writes what the version does; from then on the same version that does
 * something else is a mistake, and somebody forgot to raise it. Why not the version in package.json: one package may have several games,
 * and a game that is deployed from a repository is never given one.
 *
 * What a version did is its fingerprint and, because the probes of a fingerprint do not reach every rule, a trace of each scene: some bits
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
  readonly rulesVersion: number
  /**
   * `unreleased`: no release has this version, so its rules may change.
   * `released`: the rules do what they did when the version was released.
   * `other-engine`: the version was released with another engine, which may do the same rules differently.
   * `broken`: the rules are not those of the release.
   */
  readonly state: 'unreleased' | 'released' | 'other-engine' | 'broken'
  /** The version that was released last, if one was. */
  readonly released: number | undefined
  /** What is not as it was in that release. */
  readonly differences: readonly string[]
  readonly findings: readonly Finding[]
  /** Writes the rules into the file as those of their version, and reports that. */
  release(): LockReport
}

/** Parts that say which version it is, not what it does. */
const NAMES = new Set(['engine', 'game', 'rulesVersion'])

/** Compares the rules with the last release. Nothing is written until `release` is called. */
export function checkLock(
  game: AnyGame,
  entry: string,
  rules: readonly Source[],
  played: readonly Played[],
): LockReport {
  const file = join(packageAround(entry)?.folder ?? dirname(entry), 'hurtbox.lock.json')
  const lock = readLock(file)
  const { id, rulesVersion } = game.declaration
  const { hash, parts } = fingerprint(game)
  const scenes = Object.fromEntries(played.map(({ scene, record }) => [scene, traceOf(record)]))
  const known = Object.hasOwn(lock.games, id) ? lock.games[id] : undefined
  const release = (): LockReport => {
    writeEntry(file, lock, id, { rulesVersion, fingerprint: hash, parts, scenes })
    return { ...report, state: 'released', released: rulesVersion, differences: [], findings: [] }
  }
  const report = { file, rulesVersion, released: known?.rulesVersion, release }
  if (known === undefined) return { ...report, state: 'unreleased', differences: [], findings: [] }

  const names = Object.keys({ ...known.parts, ...parts }).filter((name) => !NAMES.has(name))
  const differences = compareFingerprints({ hash, parts }, { hash: known.fingerprint, parts: known.parts }, names)
  const other = firstOther(known.scenes, scenes)
  if (other !== undefined) {
    differences.push(`with the same inputs, scene ${other.scene} comes out differently from tick ${other.tick} on`)
  }
  const state = compareVersions(rulesVersion, known, parts, differences)
  const findings = state === 'broken' ? [{ ...tell(game, known, differences, rules), ...other }] : []
  return { ...report, state, differences, findings }
}

function compareVersions(
  rulesVersion: number,
  known: Entry,
  parts: Entry['parts'],
  differences: readonly string[],
): LockReport['state'] {
  if (rulesVersion > known.rulesVersion) return 'unreleased'
  if (rulesVersion < known.rulesVersion) return 'broken'
  // Another engine is told apart by its own version.
  if (known.parts.engine !== parts.engine) return 'other-engine'
  return differences.length === 0 ? 'released' : 'broken'
}

function writeEntry(file: string, lock: Lock, id: string, entry: Entry): void {
  const games: Lock['games'] = { ...lock.games, [id]: entry }
  const sorted = Object.fromEntries(
    Object.keys(games)
      .sort()
      .map((name) => [name, games[name]]),
  )
  writeFileSync(file, `${JSON.stringify({ games: sorted }, null, 2)}\n`)
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

function tell(game: AnyGame, known: Entry, differences: readonly string[], rules: readonly Source[]): Finding {
  const { id, rulesVersion } = game.declaration
  const isLower = rulesVersion < known.rulesVersion
  return {
    check: 'rules',
    rule: 'rules-version',
    message: isLower
      ? `rulesVersion is ${rulesVersion}, but version ${known.rulesVersion} has been released.`
      : `the rules are not those released as version ${rulesVersion}: ${differences.join('; ')}.`,
    instead: isLower
      ? `Raise rulesVersion to ${known.rulesVersion + 1}: who plays version ${known.rulesVersion} cannot play with these rules.`
      : `Raise rulesVersion to ${rulesVersion + 1}. If nobody has got version ${rulesVersion} yet, take its release back: delete ${id} from hurtbox.lock.json.`,
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
