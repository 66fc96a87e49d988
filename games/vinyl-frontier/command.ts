/**
 * What this game adds to the `hurtbox` command: teams, legacy flags, traces, the comparison of both collision engines.
 *
 * The command loads it beside the game. It reads files, so it is no part of what a browser or a server loads. Mistakes
 * are thrown as plain errors with a sentence; the command adds which option it was.
 */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Scene } from 'hurtbox'
import { playScene, startScene } from 'hurtbox/tools'
import { miner } from './bots/miner.ts'
import { parseScript, scriptTeam } from './bots/script.ts'
import { idle, type Team } from './bots/team.ts'
import { logLines } from './log.ts'
import type { VinylOptions, VinylWorld } from './rules/declaration.ts'
import { teamMatch } from './scenes/team-match.ts'
import { playTrace } from './trace/play.ts'
import { requireTrace } from './trace/read.ts'

export { logLines }

/** The options of the command that are this game's own, by the names commander gives them. */
export type Flags = {
  readonly team1?: string
  readonly team2?: string
  readonly team3?: string
  readonly team4?: string
  readonly preset?: string
  readonly legacyCollisionHandling?: boolean
  readonly legacyPhysics?: boolean
  readonly legacyAsteroidEatDamage?: boolean
  readonly legacyDocking?: boolean
  readonly legacyAll?: boolean
  readonly legacyMode?: boolean
}

/** Called for lines of order files that were skipped. */
export type Warn = (text: string) => void

/** The match that the flags ask for; two miners when they ask for nothing. */
export async function chooseMatch(
  flags: Flags,
  seed: number,
  options: Readonly<Record<string, unknown>>,
  warn: Warn,
): Promise<Scene> {
  const given = [flags.team1, flags.team2, flags.team3, flags.team4]
  const last = Math.max(
    1,
    given.findLastIndex((spec) => spec !== undefined),
  )
  const teams: Team[] = []
  for (let i = 0; i <= last; i++) teams.push(await readTeam(given[i] ?? (i < 2 ? 'miner' : 'idle'), warn))
  const names = teams.map(({ name }) => name).join(' against ')
  return teamMatch({
    name: 'match',
    about: names,
    seed,
    teams,
    options: { ...options, ...legacyOptions(flags) } as Partial<VinylOptions>,
  })
}

export function legacyOptions(flags: Flags): Partial<VinylOptions> {
  const { legacyAll: all = false } = flags
  return {
    ...(flags.preset !== undefined && { preset: flags.preset as VinylOptions['preset'] }),
    ...((flags.legacyCollisionHandling || all) && { legacyCollisionHandling: true }),
    ...((flags.legacyPhysics || all) && { legacyPhysics: true }),
    ...((flags.legacyAsteroidEatDamage || all) && { legacyAsteroidEatDamage: true }),
    ...((flags.legacyDocking || all) && { legacyDocking: true }),
    ...(flags.legacyMode && { legacyMode: true }),
  }
}

/** `idle`, `miner`, `script:FILE` or `module:FILE`. */
export async function readTeam(spec: string, warn: Warn): Promise<Team> {
  if (spec === 'idle') return idle
  if (spec === 'miner') return miner
  const [, kind, file] = /^(script|module):(.+)$/.exec(spec) ?? []
  if (kind === 'script') return readScript(file, warn)
  if (kind === 'module') return readModule(file)
  throw new Error(`a team is idle, miner, script:FILE or module:FILE, got "${spec}".`)
}

function readScript(file: string, warn: Warn): Team {
  const script = parseScript(readText(file))
  for (const { line, reason } of script.problems) warn(`${file}, line ${line}: ${reason}; skipped.`)
  if (script.orders.length === 0) throw new Error(`there is no order in ${file}.`)
  return scriptTeam(`script ${file}`, script)
}

async function readModule(file: string): Promise<Team> {
  const { team } = (await import(pathToFileURL(resolve(file)).href)) as { team?: Partial<Team> }
  if (typeof team?.turn !== 'function') throw new Error(`${file} must export \`team\` with a function \`turn\`.`)
  return { name: team.name ?? file, about: team.about ?? '', turn: team.turn }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}.`, { cause: error })
  }
}

/** Plays a trace file and returns the trace that comes out, as JSON. */
export function traceJson(file: string, preset: string | undefined, mode: string | undefined): string {
  const overrides = { ...(preset !== undefined && { preset }), ...(mode !== undefined && { mode }) }
  return JSON.stringify(playTrace(requireTrace(readText(file), file), overrides))
}

export type Comparison = {
  readonly scenario: string
  readonly about: string
  readonly new: number
  readonly legacy: number
}

/** The scenarios of the document, what is counted in each, and how long they play. */
const SCENARIOS: readonly {
  readonly file: string
  readonly about: string
  readonly turns: number
  readonly counts: (line: string) => boolean
}[] = [
  {
    file: 'test1_ship_station_collision',
    about: 'Ship-Station Collision',
    turns: 20,
    counts: (line) => isContact(line) && line.includes('Test-1[') && line.includes('Test Station['),
  },
  {
    file: 'test2_station_laser_collision',
    about: 'Laser-Station Collision',
    turns: 20,
    counts: (line) => isLaser(line) && line.includes('Test Station['),
  },
  {
    file: 'test3_ship_ship_collision',
    about: 'Ship-Ship Collision',
    turns: 20,
    counts: (line) => isContact(line) && line.includes('Test-1[') && line.includes('Test-2['),
  },
  {
    file: 'test4_ship_asteroid_collision',
    about: 'Ship-Asteroid Collision',
    turns: 300,
    counts: (line) => isContact(line) && line.includes('Test-1[') && line.includes('[ASTEROID]'),
  },
  {
    file: 'test5_ship_laser_collision',
    about: 'Laser-Ship Collision',
    turns: 20,
    counts: (line) => isLaser(line) && line.includes('Test-1['),
  },
]

/** Ships at rest in their docks are noise. */
function isContact(line: string): boolean {
  return line.startsWith('COLLISION_DETECTED') && !line.includes('[SHIP-ALREADY-DOCKED]')
}

function isLaser(line: string): boolean {
  return line.startsWith('LASER_COLLISION')
}

export type CompareOptions = Pick<Flags, 'team1' | 'team2' | 'preset'> & {
  readonly scenario?: readonly string[]
  readonly seed: number
  readonly turns?: number
}

/**
 * Plays scenarios in both collision engines and counts. Without any, and without teams, the five of the document; with
 * teams and no scenario, one match of the teams.
 */
export async function* compare(options: CompareOptions, warn: Warn): AsyncGenerator<Comparison> {
  const { seed, turns, scenario = [], team1, team2, preset } = options
  const play = (
    name: string,
    about: string,
    teams: readonly Team[],
    length: number,
    counts: (line: string) => boolean,
  ) => {
    const flags = preset === undefined ? {} : { preset: preset as VinylOptions['preset'] }
    const count = (legacyCollisionHandling: boolean) => {
      const setup = { maxTurns: turns ?? length, legacyCollisionHandling, ...flags }
      return countLines(teamMatch({ name, about, seed, teams, options: setup }), counts)
    }
    return { scenario: name, about, new: count(false), legacy: count(true) }
  }
  if (scenario.length > 0 && team2 !== undefined) {
    throw new Error('--team2 does not go with --scenario: the file is what the second team plays.')
  }
  const opponent = await readTeam(team1 ?? 'idle', warn)
  const isAny = (line: string) => isContact(line) || isLaser(line)
  for (const file of scenario) {
    yield play(file, 'contacts and laser hits', [opponent, readScript(file, warn)], 20, isAny)
  }
  if (scenario.length > 0) return
  if (team1 !== undefined || team2 !== undefined) {
    const second = await readTeam(team2 ?? 'miner', warn)
    yield play(`${opponent.name} against ${second.name}`, 'contacts and laser hits', [opponent, second], 300, isAny)
    return
  }
  for (const { file, about, turns: length, counts } of SCENARIOS) {
    const path = fileURLToPath(new URL(`scenes/orders/${file}.txt`, import.meta.url))
    yield play(file, about, [opponent, readScript(path, warn)], length, counts)
  }
}

function countLines(scene: Scene, counts: (line: string) => boolean): number {
  const session = startScene(scene)
  let count = 0
  for (let tick = 0; tick < scene.ticks; tick++) {
    playScene(scene, session, 1)
    for (const line of logLines(session.world as unknown as VinylWorld)) if (counts(line)) count++
  }
  return count
}
