/**
 * What this game adds to the `hurtbox` command: teams, legacy flags, traces, the comparison of both collision engines.
 *
 * The command loads it through the game's module. It reads files, so it is no part of what a browser or a server loads.
 */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Scene } from 'hurtbox'
import type { CommandOption, CommandOutput, GameCommands, GivenOptions, RunChoice, RunRequest } from 'hurtbox/module'
import { parseScript, scriptTeam } from './bots/script.ts'
import { idle, type Team } from './bots/team.ts'
import { miner, raider } from './bots/teams.ts'
import { logLines } from './log.ts'
import { commandRows } from './rows.ts'
import type { VinylOptions, VinylWorld } from './rules/declaration.ts'
import { commandsScene } from './scenes/index.ts'
import { teamMatch } from './scenes/team-match.ts'
import { countLines, isContact, isLaser, orderTeam, TESTS } from './scenes/tests.ts'
import { playTrace } from './trace/play.ts'
import { requireTrace } from './trace/read.ts'

const TEAM = 'raider, miner, idle, script:FILE or module:FILE'

const RUN_OPTIONS: readonly CommandOption[] = [
  { flags: '--team1 <team>', about: `${TEAM} (default: raider)` },
  { flags: '--team2 <team>', about: `${TEAM} (default: raider)` },
  { flags: '--team3 <team>', about: TEAM },
  { flags: '--team4 <team>', about: TEAM },
  { flags: '--verbose', about: 'print the log: contacts, lasers, MOMENTUM, Fragment, announcements' },
  { flags: '--preset <name>', about: 'document, original or commands' },
  { flags: '--legacy-collision-handling', about: 'the old collision loop with its repeated hits' },
  { flags: '--legacy-physics', about: 'old impacts, lasers and recoil' },
  { flags: '--legacy-asteroid-eat-damage', about: 'eating hurts' },
  { flags: '--legacy-docking', about: 'launches that dock again' },
  { flags: '--legacy-all', about: 'the four flags above together' },
  { flags: '--legacy-mode', about: 'everything as it used to be, thrust and laser fuel too' },
  { flags: '--trace <file>', about: 'play a trace file and print the trace that comes out, as JSON' },
  { flags: '--mode <name>', about: 'for --trace: new, legacych, legacy4, lphys, leat, ldock or legacymode' },
]

const LEGACY_OPTIONS = RUN_OPTIONS.filter(({ flags }) => flags.startsWith('--legacy-'))

const COMPARE_OPTIONS: readonly CommandOption[] = [
  { flags: '--scenario <file...>', about: 'order files instead of the five of the document; 20 turns each' },
  { flags: '--team1 <team>', about: `${TEAM} (default: idle)` },
  { flags: '--team2 <team>', about: 'without --scenario: team against team, 300 turns' },
  {
    flags: '--seed <n>',
    about: 'seed of the matches',
    default: 42,
    read: (text) => readWhole(text, 0, Number.MAX_SAFE_INTEGER),
  },
  { flags: '--turns <n>', about: 'how long to play', read: (text) => readWhole(text, 1, 100_000) },
  { flags: '--preset <name>', about: 'the column new: document, original or commands' },
  ...LEGACY_OPTIONS.map(({ flags, about }) => ({ flags, about: `the column legacy: ${about}` })),
  { flags: '--json', about: 'one JSON object per line, nothing else on stdout' },
]

const COMMANDS_OPTIONS: readonly CommandOption[] = [
  {
    flags: '--turn <n>',
    about: 'which turn, counted from 0',
    default: 1,
    read: (text) => readWhole(text, 0, 100_000),
  },
  {
    flags: '--seed <n>',
    about: 'seed of the match',
    default: 1,
    read: (text) => readWhole(text, 0, Number.MAX_SAFE_INTEGER),
  },
  { flags: '--team1 <team>', about: `${TEAM}; with teams a match of theirs, without the scene commands` },
  { flags: '--team2 <team>', about: TEAM },
]

export default {
  run: { options: RUN_OPTIONS, choose },
  commands: [
    {
      name: 'compare',
      about: "play in the new and the legacy collision engine and count (the document's table)",
      options: COMPARE_OPTIONS,
      run: printComparison,
    },
    {
      name: 'commands',
      about: 'print the commands of a turn in the order of their priorities (preset commands)',
      options: COMMANDS_OPTIONS,
      run: printCommands,
    },
  ],
} satisfies GameCommands

/** The options of `run` that are this game's own. */
type Flags = {
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
  readonly verbose?: boolean
  readonly trace?: string
  readonly mode?: string
}

/** Called for lines of order files that were skipped. */
type Warn = CommandOutput['warn']

/** A trace, or a match of teams unless a scene was chosen. */
async function choose(
  { given, scene, isSceneChosen, isLengthChosen }: RunRequest,
  { print, warn }: CommandOutput,
): Promise<RunChoice | undefined> {
  const flags = given as Flags
  const [first] = Object.keys(given)
  if (flags.trace !== undefined) {
    print(traceJson(flags.trace, flags.preset, flags.mode))
    return {}
  }
  if (flags.mode !== undefined) throw new Error('--mode goes with --trace.')
  const isLogOnly = flags.verbose === true && Object.keys(given).length === 1
  if (isSceneChosen && isLogOnly) return { scene, log: (world) => logLines(world as unknown as VinylWorld) }
  if (isSceneChosen && first !== undefined) {
    throw new Error(`--${dashed(first)} does not go with --scene or --bots: it sets up a match of its own.`)
  }
  if (isSceneChosen) return undefined
  const match = await chooseMatch(flags, scene.seed, scene.options ?? {}, warn)
  return {
    scene: { ...match, tuning: scene.tuning ?? {}, ticks: isLengthChosen ? scene.ticks : match.ticks },
    ...(flags.verbose && { log: (world) => logLines(world as unknown as VinylWorld) }),
  }
}

async function printComparison(given: GivenOptions, { print, printTable, warn }: CommandOutput): Promise<number> {
  const rows: Comparison[] = []
  for await (const row of compare(given as CompareOptions, warn)) {
    rows.push(row)
    const { about: _, ...counts } = row
    if (given.json) print(JSON.stringify(counts))
  }
  const cells = (row: Comparison) => [
    row.scenario,
    row.about,
    String(row.new),
    String(row.legacy),
    String(row.commands),
  ]
  if (!given.json) printTable([['scenario', 'what', 'new', 'legacy', 'commands'], ...rows.map(cells)])
  return 0
}

/** The commands of one turn as a table: each kind by its place among the seven. */
async function printCommands(given: GivenOptions, { printTable, print, warn }: CommandOutput): Promise<number> {
  const { turn, seed, team1, team2 } = given as Flags & { readonly turn: number; readonly seed: number }
  const isMatch = team1 !== undefined || team2 !== undefined
  const scene = isMatch
    ? teamMatch({
        name: 'commands',
        about: '',
        seed,
        teams: [await readTeam(team1 ?? 'raider', warn), await readTeam(team2 ?? 'raider', warn)],
        options: { preset: 'commands', maxTurns: turn + 1 },
      })
    : { ...commandsScene, seed }
  const rows = commandRows(scene, turn)
  if (rows.length === 0) print(`In turn ${turn} there were no commands.`)
  else printTable([['step', 'command', 'of', 'by', 'value', 'done'], ...rows])
  return 0
}

function readWhole(text: string, min: number, max: number): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : -1
  if (value >= min && value <= max) return value
  throw new Error(`It must be a whole number from ${min} to ${max}, in plain digits.`)
}

function camel(flags: string): string {
  return flags.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The match that the flags ask for; two raiders when they ask for nothing. */
async function chooseMatch(
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
  for (let i = 0; i <= last; i++) teams.push(await readTeam(given[i] ?? (i < 2 ? 'raider' : 'idle'), warn))
  const names = teams.map(({ name }) => name).join(' against ')
  return teamMatch({
    name: 'match',
    about: names,
    seed,
    teams,
    options: { ...options, ...legacyOptions(flags) } as Partial<VinylOptions>,
  })
}

function legacyOptions(flags: Flags): Partial<VinylOptions> {
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

/** `raider`, `miner`, `idle`, `script:FILE` or `module:FILE`. */
async function readTeam(spec: string, warn: Warn): Promise<Team> {
  if (spec === 'idle') return idle
  if (spec === 'miner') return miner
  if (spec === 'raider') return raider
  const [, kind, file] = /^(script|module):(.+)$/.exec(spec) ?? []
  if (kind === 'script') return readScript(file, warn)
  if (kind === 'module') return readModule(file)
  throw new Error(`a team is raider, miner, idle, script:FILE or module:FILE, got "${spec}".`)
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

/** Plays a trace file and gives the trace that comes out, as JSON. */
function traceJson(file: string, preset: string | undefined, mode: string | undefined): string {
  const overrides = { ...(preset !== undefined && { preset }), ...(mode !== undefined && { mode }) }
  return JSON.stringify(playTrace(requireTrace(readText(file), file), overrides))
}

type Comparison = {
  readonly scenario: string
  readonly about: string
  readonly new: number
  readonly legacy: number
  /** The preset `commands`. */
  readonly commands: number
}

type CompareOptions = Flags & {
  readonly scenario?: readonly string[]
  readonly seed: number
  readonly turns?: number
}

/**
 * Plays scenarios in the new rules and in the old ones that the flags name, or else in the old collision engine, and counts. Without any, and without teams, the five of the document; with
 * teams and no scenario, one match of the teams.
 */
async function* compare(options: CompareOptions, warn: Warn): AsyncGenerator<Comparison> {
  const { seed, turns, scenario = [], team1, team2, preset } = options
  const isChosen = LEGACY_OPTIONS.some(({ flags }) => (options as GivenOptions)[camel(flags)] === true)
  const old = legacyOptions(isChosen ? options : { legacyCollisionHandling: true })
  const play = (
    name: string,
    about: string,
    teams: readonly Team[],
    length: number,
    counts: (line: string) => boolean,
  ) => {
    const both = {
      maxTurns: turns ?? length,
      ...(preset !== undefined && { preset: preset as VinylOptions['preset'] }),
    }
    const count = (flags: Partial<VinylOptions>) =>
      countLines(teamMatch({ name, about, seed, teams, options: { ...flags, ...both } }), counts)
    return {
      scenario: name,
      about,
      new: count({}),
      legacy: count(old),
      commands: countLines(teamMatch({ name, about, seed, teams, options: { ...both, preset: 'commands' } }), counts),
    }
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
    const second = await readTeam(team2 ?? 'raider', warn)
    yield play(`${opponent.name} against ${second.name}`, 'contacts and laser hits', [opponent, second], 300, isAny)
    return
  }
  for (const { file, about, turns: length, counts } of TESTS) {
    yield play(file, about, [opponent, orderTeam(file)], length, counts)
  }
}
