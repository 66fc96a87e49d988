/** What the compiler says: small wrong games, compiled together by the real one, each with its one message. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = `${root}.cache/types`

/** Uses every part of its declaration, so that a part that lost its type would be missed at once. */
const RIGHT = `
import { axis, choice, collide, declareGame, defineGame, emit, flag, layerNumbers, press, rule, tune, wide, type World } from 'hurtbox'

const declaration = declareGame({
  id: 'duel',
  rulesVersion: 1,
  tickRate: 60,
  seats: { min: 1, max: 2 },
  options: { hard: flag(false) },
  layers: { sword: ['body'], body: [] },
  tables: {
    things: { capacity: 16, columns: { hp: 'f64', slots: wide('u8', 2) } },
    players: { columns: { score: 'u32' } },
    hits: { capacity: 16 },
  },
  arrays: { fog: { type: 'u8', length: 4 } },
  globals: { wave: 'u32' },
  tuning: { damage: tune(10), reach: tune(3) },
  streams: ['waves'],
  input: { move: axis(), attack: press(), stance: choice(['low', 'high']) },
  events: { hit: { victim: 'id' } },
})
const LAYER = layerNumbers(declaration)

const hit = rule(declaration, {
  name: 'hit',
  attacker: 'sword',
  victim: 'body',
  decide(view, { victim }, outcome) {
    outcome.add(view.tables.things.hp, victim, -view.tuning.damage)
    return 'hit'
  },
})

function play(world: World<typeof declaration>): void {
  const { things, players } = world.tables
  things.hp[0] += players.move[0] * players.attack[0] + players.score[0] + players.stance[0] + things.slots[1]
  world.globals.wave += world.arrays.fog[0] + world.tuning.reach + world.random.waves[0] + (world.options.hard ? 1 : 0)
  things.layer[0] = LAYER.body
  emit(world.events.hit, { victim: things.id[0] })
}

export const game = defineGame(declaration, { phases: () => ({ play, hits: collide([hit]) }) })
`

/** Declarations of which the compiler knows only a part when it checks them. */
const OPEN = `
import { type ColumnSpecs, type Declaration, createWorld, declareGame, defineGame } from 'hurtbox'

const base = { id: 'open', rulesVersion: 1, tickRate: 60, seats: { min: 0, max: 1 } }
export function gameWith<C extends ColumnSpecs>(columns: C) {
  return defineGame(declareGame({ ...base, tables: { things: { capacity: 1, columns } } }), { phases: () => ({}) })
}
createWorld(gameWith({ hp: 'f64' })).tables.things.hp[0] = 1

export const general = (declaration: Declaration) => defineGame(declareGame(declaration), { phases: () => ({}) })
export const fromFile = defineGame(declareGame(JSON.parse('{}')), { phases: () => ({}) })
export const alone = defineGame(
  { ...base, tables: { things: { capacity: 1, columns: { hp: 'f64' } } } },
  { phases: () => ({ heal: ({ tables: { things } }) => things.hp.fill(1) }) },
)
`

/** What is written instead of what, the word of it that is to be underlined, and what the compiler says there. */
const MISTAKES: Readonly<Record<string, readonly [right: string, wrong: string, at: string, message: RegExp]>> = {
  'an unknown layer': ["sword: ['body']", "sword: ['bod']", "'bod'", /'"body" \| "sword"'. Did you mean '"body"'/],
  'a wrong column type': ["hp: 'f64'", "hp: 'float'", 'hp', /'"float"' is not assignable to type 'ColumnSpec'/],
  'a wide column without width': [
    "slots: wide('u8', 2)",
    "slots: { type: 'u8', wdth: 2 }",
    'wdth',
    /mean to write 'width'/,
  ],
  'a misspelt field': ['rulesVersion: 1', 'ruleVersion: 1', 'ruleVersion', /Did you mean to write 'rulesVersion'/],
  'a misspelt field that may be left out': ["streams: ['w", "stream: ['w", 'stream', /Did you mean to write 'streams'/],
  'a misspelt field of a table': [
    'players: { columns',
    'players: { column',
    'column',
    /Did you mean to write 'columns'/,
  ],
  'a table without capacity': ['hits: { capacity: 16 }', 'hits: {}', 'hits', /Property 'capacity' is missing/],
  'no tickRate': ['  tickRate: 60,\n', '', '{\n  id', /Property 'tickRate' is missing/],
  'a tickRate of the wrong sort': [
    'tickRate: 60',
    "tickRate: '60'",
    'tickRate',
    /'string' is not assignable to type 'number'/,
  ],
  'seats as one number': [
    'seats: { min: 1, max: 2 }',
    'seats: 2',
    'seats',
    /'{ readonly min: number; readonly max: number; }'/,
  ],
  'an input that was not called': [
    'attack: press()',
    'attack: press',
    'press,',
    /is not assignable to type 'InputSpec'/,
  ],
  'an input of no kind': ['move: axis()', "move: { kind: 'axes' }", 'kind', /to type '"axis" \| "button"/],
  'a tuning value as a bare number': [
    'damage: tune(10)',
    'damage: 10',
    'damage',
    /is not assignable to type 'TuningSpec'/,
  ],
  'an option as a bare value': ['hard: flag(false)', 'hard: false', 'hard', /is not assignable to type 'OptionSpec'/],
  'a global of the wrong sort': ["wave: 'u32'", 'wave: 32', 'wave', /is not assignable to type 'ColumnSpec'/],
  'an array without length': ['length: 4', 'size: 4', 'size', /'size' does not exist in type 'ArraySpec'/],
  'a field of an event': [
    "victim: 'id'",
    "victim: 'thing'",
    'victim',
    /'"thing"' is not assignable to type 'ColumnSpec'/,
  ],
  'streams as one name': [
    "streams: ['waves']",
    "streams: 'waves'",
    'streams',
    /not assignable to type 'readonly string\[\]'/,
  ],
}

describe('types', () => {
  let errors: Map<string, string[]>

  beforeAll(() => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const config = {
      extends: '../../tsconfig.base.json',
      compilerOptions: { noUnusedLocals: false },
      include: ['*.ts'],
    }
    writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(config))
    writeFileSync(`${folder}/right.ts`, RIGHT)
    writeFileSync(`${folder}/two.ts`, RIGHT.replace("hp: 'f64'", "hp: 'float'").replace('tune(10)', '10'))
    writeFileSync(`${folder}/open.ts`, OPEN)
    writeFileSync(`${folder}/list.ts`, RIGHT.replace("['body']", "'body'.split(' ')"))
    writeFileSync(
      `${folder}/use.ts`,
      RIGHT.replace('things.hp[0]', 'things.mana[0]').replace('LAYER.body', 'LAYER.bod'),
    )
    for (const [name, [right, wrong]] of Object.entries(MISTAKES)) {
      writeFileSync(`${folder}/${name.replaceAll(' ', '-')}.ts`, RIGHT.replace(right, wrong))
    }
    errors = compile()
  })

  const errorsOf = (file: string): readonly string[] => errors.get(file) ?? []

  test('[TY1] a right declaration compiles, also where parts of it are known only in general', () => {
    expect([...errorsOf('right'), ...errorsOf('list'), ...errorsOf('open')]).toEqual([])
  })

  test('[TY2] a right declaration has its exact type: a column or a layer that it lacks is refused where it is used', () => {
    expect(errorsOf('use')).toEqual([
      expect.stringMatching(/Property 'mana' does not exist/),
      expect.stringMatching(/Property 'bod' does not exist/),
    ])
  })

  test.each(Object.entries(MISTAKES))('[TY3] %s is one error, at the mistake', (name, [right, wrong, at, message]) => {
    const program = RIGHT.replace(right, wrong)
    expect(program).not.toBe(RIGHT)
    const found = errorsOf(name.replaceAll(' ', '-'))
    expect(found).toHaveLength(1)
    const around = wrong === '' ? 0 : program.indexOf(wrong)
    expect(found[0]).toMatch(placeOf(program, program.indexOf(at, around)))
    expect(found[0]).toMatch(message)
  })

  test('[TY4] two mistakes are two errors', () => {
    expect(errorsOf('two')).toEqual([expect.stringMatching(/ColumnSpec/), expect.stringMatching(/TuningSpec/)])
  })
})

/** The errors of each file, each as `(line,column): message`. */
function compile(): Map<string, string[]> {
  const compiler = `${dirname(createRequire(import.meta.url).resolve('typescript/package.json'))}/bin/tsc`
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], { encoding: 'utf8' })
  const found = new Map<string, string[]>()
  let lines: string[] | undefined
  for (const line of stdout.split('\n')) {
    const start = /^.*types\/([\w-]+)\.ts(\(.*)$/.exec(line)
    if (start !== null) {
      lines = found.get(start[1]) ?? []
      found.set(start[1], lines)
      lines.push(start[2])
    } else if (lines !== undefined) lines[lines.length - 1] += `\n${line}`
  }
  return found
}

function placeOf(program: string, index: number): RegExp {
  const before = program.slice(0, index).split('\n')
  return new RegExp(`^\\(${before.length},${before[before.length - 1].length + 1}\\)`)
}
