/** What the compiler says: small wrong games, compiled together by the real one, each with its one message. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { MISNAMED, NAMED } from './named-parts.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = `${root}.cache/types`

/** Uses every part of its declaration, so that a part that lost its type would be missed at once. */
const RIGHT = `
import {
  axis,
  choice,
  collide,
  createWorld,
  declareGame,
  defineGame,
  despawn,
  each,
  emit,
  eventsOf,
  fixed,
  flag,
  insert,
  layerNumbers,
  list,
  listEvents,
  playerAt,
  players,
  press,
  push,
  rememberHits,
  rows,
  type RuleThing,
  type RuleWorld,
  spawn,
  step,
  type Thing,
  thing,
  tune,
  wide,
  type World,
} from 'hurtbox'
import { hurt, spawnFrom } from 'hurtbox/combat'

const declaration = declareGame({
  id: 'duel',
  rulesVersion: 1,
  tickRate: 60,
  seats: { min: 1, max: 2 },
  options: { hard: flag(false) },
  layers: { sword: ['body'], body: [] },
  capacity: 16,
  things: { hp: 'f64', shield: 'f64', armour: wide('f64', 1), slots: wide('u8', 2) },
  players: { score: 'u32' },
  hits: rememberHits(16),
  tables: { orders: { capacity: 4, columns: { about: 'id', weight: 'f64' } } },
  arrays: { fog: { type: 'u8', length: 4 } },
  globals: { wave: 'u32' },
  tuning: { damage: tune(10), reach: tune(3) },
  streams: ['waves'],
  input: { move: axis(), attack: press(), stance: choice(['low', 'high']), orders: list(2, { does: choice(['stay', 'run']) }) },
  join: { size: choice(['small', 'large']), level: fixed({ min: 1, max: 9, step: 1 }) },
  events: { hit: { victim: 'id', depth: 'f64' }, fall: { at: 'timer' } },
})
const LAYER = layerNumbers(declaration)

interface DuelWorld extends World<typeof declaration> {}
interface DuelRuleWorld extends RuleWorld<typeof declaration> {}
interface DuelThing extends Thing<typeof declaration> {}

const hits = collide(
  declaration,
  {
    'sword hits body': {
      between: ['sword', 'body'],
      touching: true,
      gates: ['owner', { name: 'low', refuses: (first, second) => first.hp < second.hp }],
      once: (sword, body, { world }) => (sword.hp < body.hp ? world.tuning.reach : 0),
      attack: (sword) => sword.owner,
      decide(sword, body, { world, time, wall }) {
        if (body.slots.get(1) > 3 || wall >= 0) return 'guarded'
        body.hp -= world.tuning.damage * time
        push(body, sword.vx, 0)
        hurt(body, 3, sword)
        weaken(world, body)
        emit(world, 'hit', { victim: body, depth: sword.x })
        spawnFrom(sword, 'body').hp = 2
        despawn(sword)
      },
    },
  },
  {
    orderBy: (first, second) => first.hp - second.hp,
    sharedOrder: [['sword hits body']],
    pose: { sword(sword) { sword.hp += 1 } },
  },
)

/** Serves rules and phases alike. */
function weaken(world: DuelRuleWorld, body: RuleThing<typeof declaration>): void {
  body.shield = world.globals.wave
  for (const other of each(world, 'body')) other.team = body.team
}

function play(world: DuelWorld): void {
  const { things } = world.tables
  for (const body of each(world, 'body')) {
    const layer: 'body' = body.layer
    body.x += body.slots.get(0) + layer.length
    weaken(world, body)
    hurt(body, 2)
  }
  for (const player of players(world)) {
    player.score += player.move * player.attack + (player.stance === 'high' ? 1 : 0)
    if (player.ordersDoes.get(0) === 'run') player.stance = 'low'
    player.thing ??= spawn(world, 'sword', { owner: thing(world, 1)!, hp: 3, armour: [0.5] })
  }
  for (const order of rows(world, 'orders')) order.weight += thing(world, order.about)?.hp ?? 0
  insert(world, 'orders', { about: things.id[0], weight: 2 })
  for (const { victim, depth } of eventsOf(world, 'hit')) world.globals.wave += victim + depth
  world.globals.wave += world.arrays.fog[0] + world.tuning.reach + world.random.waves[0] + (world.options.hard ? 1 : 0)
  things.layer[0] = LAYER.body
}

export const game = defineGame(declaration, {
  phases: ({ hard }) => ({ play, hits, ...(hard && { menu: { run: play, whilePaused: true } }) }),
  onJoin(world, player, data) {
    player.thing = spawn(world, 'sword', { hp: player.seat })
    if (data?.size === 'large') player.score = data.level
  },
  isOver: (world: DuelWorld) => world.globals.wave > 3,
  visible: (world, team, each) => each.team === team || world.tick > 3,
})

const world = createWorld(game, { seed: 1, options: { hard: true }, tuning: { reach: 4 } })
step(world, { controls: [{ control: 'join', seat: 0 }], players: [{ seat: 0, move: 1, stance: 'high' }] })
export const falls = [...eventsOf(world, 'fall')].length
export const score: number | undefined = playerAt(world, 0)?.score
export function discriminated(): number {
  let sum = 0
  for (const event of listEvents(world)) {
    if (event.kind === 'hit') sum += event.victim + event.depth
    else sum += event.at
  }
  return sum
}
export const nearest = (things: Iterable<DuelThing>): DuelThing | undefined => [...things][0]
`

/** Declarations of which the compiler knows only a part when it checks them. */
const OPEN = `
import { createWorld, declareGame, defineGame, each } from 'hurtbox'
import type { ColumnSpecs, Declaration } from 'hurtbox/tools'

const base = { id: 'open', tickRate: 60 }
export function gameWith<C extends ColumnSpecs>(things: C) {
  return defineGame(declareGame({ ...base, things }), { phases: {} })
}
createWorld(gameWith({ hp: 'f64' })).tables.things.hp[0] = 1

export const general = (declaration: Declaration) => defineGame(declareGame(declaration), { phases: {} })
export const fromFile = defineGame(declareGame(JSON.parse('{}')), { phases: {} })

export const alone = defineGame(
  { ...base, rulesVersion: 1, seats: { min: 0, max: 1 }, capacity: 1, things: { hp: 'f64' } },
  { phases: { heal: ({ tables: { things } }) => void things.hp.fill(1) } },
)

const layers = { sword: ['body'], body: [] } as const
export const elsewhere = declareGame({ ...base, layers, things: { hp: 'f64' } })
for (const body of each(createWorld(defineGame(elsewhere, { phases: {} })), 'body')) body.hp += body.layer.length
`

type Mistake = readonly [right: string, wrong: string, at: string, message: RegExp]

/** What is written instead of what, the word of it that is to be underlined, and what the compiler says there. */
const MISTAKES: Readonly<Record<string, Mistake>> = {
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
    'capacity: 4, columns',
    'capacity: 4, colums',
    'colums',
    /Did you mean to write 'columns'/,
  ],
  'a table without capacity': [
    'orders: { capacity: 4, columns',
    'orders: { columns',
    'orders',
    /Property 'capacity' is missing/,
  ],
  'hits as a plain number': [
    'hits: rememberHits(16)',
    'hits: 16',
    'hits',
    /'number' is not assignable to type 'HitRoom'/,
  ],
  'hits as a table': [
    'hits: rememberHits(16)',
    'hits: { capacity: 16 }',
    'hits',
    /is not assignable to type 'HitRoom'/,
  ],
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

/** The same for what is made of a declaration: rules, phases, behaviour, inputs, events. */
const USES: Readonly<Record<string, Mistake>> = {
  'a misspelt column in a rule': ['body.hp -= world', 'body.sheld -= world', 'sheld', /Did you mean 'shield'/],
  'a misspelt column in a phase': ['body.x += body', 'body.radus += body', 'radus', /Did you mean 'radius'/],
  'a misspelt wide column': ['body.slots.get(0)', 'body.slot.get(0)', 'slot.', /Did you mean 'slots'/],
  'a misspelt column of a player': ['player.score +=', 'player.scor +=', 'scor', /Did you mean 'score'/],
  'a misspelt column of a row': ['order.weight +=', 'order.wight +=', 'wight', /Did you mean 'weight'/],
  'a misspelt global in a rule': ['world.globals.wave\n', 'world.globals.wav\n', 'wav\n', /Did you mean 'wave'/],
  'a misspelt layer in between': ["between: ['sword', 'body']", "between: ['sword', 'bod']", "'bod'", /Type '"bod"'/],
  'a misspelt layer in each': [
    "other of each(world, 'body')",
    "other of each(world, 'bod')",
    "'bod'",
    /of type '"bod"'/,
  ],
  'a misspelt layer in spawn': [
    "spawn(world, 'sword', { hp",
    "spawn(world, 'swrd', { hp",
    "'swrd'",
    /of type '"swrd"'/,
  ],
  'a misspelt layer in spawnFrom': ["spawnFrom(sword, 'body')", "spawnFrom(sword, 'bod')", "'bod'", /of type '"bod"'/],
  'a misspelt column in spawn': ['{ hp: player.seat }', '{ sheld: player.seat }', 'sheld', /mean to write 'shield'/],
  'a misspelt gate': ["gates: ['owner',", "gates: ['ownr',", "'ownr'", /Did you mean '"owner"'/],
  'a misspelt field of a rule': ['touching: true', 'tuching: true', 'tuching', /mean to write 'touching'/],
  'a number from decide': [
    'decide(sword, body, { world, time, wall }) {',
    'decide(sword, body, { world, time, wall }) { if (time > 2) return 5;',
    'decide(',
    /'number' is not assignable to type/,
  ],
  'a place assigned in a rule': [
    'push(body, sword.vx, 0)',
    'body.x += sword.vx',
    'x +=',
    /'x' because it is a read-only/,
  ],
  'a layer assigned': ['body.x +=', "body.layer = 'body'; body.x +=", 'layer =', /'layer' because it is a read-only/],
  'a column written in a rule': [
    'push(body, sword.vx, 0)',
    'world.tables.things.hp[0] = 1',
    'world',
    /only permits reading/,
  ],
  'a misspelt rule in sharedOrder': [
    "[['sword hits body']]",
    "[['sword hit body']]",
    "'sword hit body'",
    /not assignable to type '"sword hits body"'/,
  ],
  'a misspelt layer in pose': ['sword(sword) {', 'swrd(sword: DuelThing) {', 'swrd', /'swrd' does not exist in type/],
  'a misspelt event in emit': ["emit(world, 'hit', {", "emit(world, 'hitt', {", "'hitt'", /of type '"hitt"'/],
  'a misspelt field in emit': ['depth: sword.x }', 'deph: sword.x }', 'deph', /mean to write 'depth'/],
  'a missing field in emit': [
    '{ victim: body, depth: sword.x }',
    '{ victim: body }',
    '{ victim: body }',
    /Property 'depth' is missing/,
  ],
  'a misspelt event in eventsOf': ["eventsOf(world, 'fall')", "eventsOf(world, 'fal')", "'fal'", /of type '"fal"'/],
  'an event of the wrong kind': ['sum += event.at', 'sum += event.depth', 'depth', /Property 'depth' does not exist/],
  'a misspelt input in step': ['{ seat: 0, move: 1,', '{ seat: 0, movX: 1,', 'movX', /'movX' does not exist in type/],
  'an input left half written': ['{ seat: 0, move: 1,', '{ seat: 0, mov: 1,', 'mov:', /mean to write 'move'/],
  'a wrong choice in step': ["stance: 'high'", "stance: 'hig'", 'stance', /Did you mean '"high"'/],
  'a misspelt option in createWorld': ['{ hard: true }', '{ hrd: true }', 'hrd', /mean to write 'hard'/],
  'a misspelt tuning in createWorld': ['{ reach: 4 }', '{ rech: 4 }', 'rech', /mean to write 'reach'/],
  'a misspelt part of a behaviour': ['isOver:', 'isOvr:', 'isOvr', /mean to write 'isOver'/],
  'a misspelt table in rows': ["rows(world, 'orders')", "rows(world, 'order')", "'order'", /of type '"order"'/],
}

/** Choices are words of the declaration, wherever they are read. */
const CHOICES: typeof USES = {
  'a wrong choice of a player': [
    "player.stance === 'high'",
    "player.stance === 'hgh'",
    'player.stance',
    /'"high" \| "low"' and '"hgh"' have no overlap/,
  ],
  'a wrong choice in a list': [
    "player.ordersDoes.get(0) === 'run'",
    "player.ordersDoes.get(0) === 'rn'",
    'player.ordersDoes',
    /and '"rn"' have no overlap/,
  ],
  'a wrong choice assigned': [
    "player.stance = 'low'",
    "player.stance = 'lo'",
    'player.stance',
    /'"lo"' is not assignable/,
  ],
  'a choice taken for a number': [
    "player.stance === 'high'",
    'player.stance === 1',
    'player.stance',
    /have no overlap/,
  ],
  'a wrong choice in join data': [
    "data?.size === 'large'",
    "data?.size === 'lage'",
    'data?.size',
    /and '"lage"' have no overlap/,
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
      RIGHT.replace('things.layer[0]', 'things.mana[0]').replace('LAYER.body', 'LAYER.bod'),
    )
    writeFileSync(
      `${folder}/literal.ts`,
      RIGHT.replace(
        'if (body.slots',
        "const layers: ['sword', 'body'] = [sword.layer, body.layer]\nif (layers[0] === body.kind + '' || body.slots",
      ),
    )
    writeFileSync(`${folder}/const.ts`, OPEN.replace("'body'))", "'bodi'))"))
    for (const [name, [right, wrong]] of Object.entries({ ...MISTAKES, ...USES, ...CHOICES })) {
      writeFileSync(`${folder}/${name.replaceAll(' ', '-')}.ts`, RIGHT.replace(right, wrong))
    }
    writeFileSync(`${folder}/named.ts`, NAMED)
    for (const [name, [right, wrong]] of Object.entries(MISNAMED)) {
      writeFileSync(`${folder}/misnamed-${name.replaceAll(' ', '-')}.ts`, NAMED.replace(right, wrong))
    }
    errors = compile()
  }, 60_000)

  const errorsOf = (file: string): readonly string[] => errors.get(file) ?? []

  test('[TY1] a right declaration compiles, also where parts of it are known only in general', () => {
    expect([...errorsOf('right'), ...errorsOf('list'), ...errorsOf('open'), ...errorsOf('literal')]).toEqual([])
  })

  test('[TY2] a right declaration has its exact type: a column or a layer that it lacks is refused where it is used', () => {
    expect(errorsOf('use')).toEqual([
      expect.stringMatching(/Property 'mana' does not exist/),
      expect.stringMatching(/Property 'bod' does not exist/),
    ])
  })

  test('[TY2] layers that are a constant elsewhere keep their names', () => {
    expect(errorsOf('const')).toEqual([expect.stringMatching(/'"bodi"' is not assignable to .* '"body" \| "sword"/)])
  })

  const expectOneError = (file: string, before: string, [right, wrong, at, message]: Mistake) => {
    const program = before.replace(right, wrong)
    expect(program).not.toBe(before)
    const found = errorsOf(file.replaceAll(' ', '-'))
    expect(found).toHaveLength(1)
    const around = wrong === '' ? 0 : program.indexOf(wrong)
    expect(found[0]).toMatch(placeOf(program, program.indexOf(at, around)))
    expect(found[0]).toMatch(message)
  }

  const all = Object.entries({ ...MISTAKES, ...USES })
  test.each(all)('[TY3] %s is one error, at the mistake', (name, mistake) => expectOneError(name, RIGHT, mistake))

  test.each(Object.entries(CHOICES))('[CW4] %s is one error, at the mistake', (name, mistake) => {
    expectOneError(name, RIGHT, mistake)
  })

  test('[NT3] right names of parts of a declaration compile, also in helpers, and names that are known only in general', () => {
    expect(errorsOf('named')).toEqual([])
  })

  test.each(Object.entries(MISNAMED))('[NT4] %s that was not declared is one error, there', (name, mistake) => {
    expectOneError(`misnamed-${name}`, NAMED, mistake)
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
