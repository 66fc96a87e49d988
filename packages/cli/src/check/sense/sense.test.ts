/** What is written and has no effect: each sort of finding, and what looks like one and is none. */

import { describe, expect, test } from 'vitest'
import type { Finding } from '../finding.ts'
import { parseCode, type Source } from '../source.ts'
import { unreadColumns } from './columns.ts'
import { undrawnEntropy } from './entropy.ts'
import { unsetFacing } from './facing.ts'
import { frozenWrites } from './frozen.ts'
import { unmetRules } from './layers.ts'
import { unlistedPhases } from './phases.ts'
import type { Project, ProjectFile } from './project.ts'
import { createWatch } from './watch.ts'

// Rules [CK15].. are in docs/spec.md, section "Check".

function source(text: string, file = '/game/rules.js'): Source {
  const program = parseCode(text, file)
  const imports = program.body.flatMap(({ source }: { readonly source?: { readonly value: string } }) =>
    source ? [{ specifier: source.value, isDynamic: false, start: 0, end: 0 }] : [],
  )
  return { file, text, code: text, program, imports }
}

const project =
  (...files: readonly ProjectFile[]): (() => Project) =>
  () => ({ files, isCut: false })

/** `3 poison`: line and name. */
const told = (findings: readonly Finding[]) => findings.map(({ line, name }) => `${line} ${name}`)

describe('a phase that is not listed', () => {
  const phases = (text: string, ...files: readonly ProjectFile[]) => {
    const rules = [source(text)]
    return told(unlistedPhases(rules, rules, project({ file: '/game/rules.js', text }, ...files)))
  }

  test.each([
    ['function poison(world) { world.globals.n = 1 }', '1 poison'],
    ['const poison = (world) => { world.globals.n = 1 }', '1 poison'],
    ['export const poison = (world) => void world', '1 poison'],
    ['\nexport function poison(world) { if (world.paused) return\n poison(world) }', '2 poison'],
    ['const hits = collide(declaration, {})', '1 hits'],
    ['const venom = { whilePaused: true, run(world) { world.globals.n = 1 } }', '1 venom'],
    ['const venom = { create: (world) => ({ run() {} }) }', '1 venom'],
  ])('[CK15] %s: %s', (text, expected) => {
    expect(phases(text)).toEqual([expected])
  })

  test('[CK15] a world by its type alone is one too', () => {
    const text = 'function poison(pit: PitWorld) {}'
    const plain: Source = { ...source('function poison(pit          ) {}'), text }
    expect(told(unlistedPhases([plain], [plain], project()))).toEqual(['1 poison'])
  })

  test.each([
    ['it is listed', 'function poison(world) {}\ndefineGame(declaration, { phases: { poison } })'],
    ['it is called', 'function poison(world) {}\nexport const game = { run: (w) => poison(w) }'],
    ['it answers', 'export function isOver(world) { return world.tick > 9 }'],
    ['it answers at once', 'export const isOver = (world) => world.tick > 9'],
    ['it takes more', 'export function hop(world, frog) {}'],
    ['it is exported by another name', 'function poison(world) {}\nexport { poison as venom }'],
    ['it is the default', 'export default function poison(world) {}'],
    ['it stands inside a function', 'export function make() { const poison = (world) => {}; return 1 }'],
    ['it is allowed', '// hurtbox-ignore: for later\nfunction poison(world) {}'],
  ])('[CK15] nothing is said where %s', (_, text) => {
    expect(phases(text)).toEqual([])
  })

  test('[CK15] nor where another file names it, or takes all there is', () => {
    const text = 'export function poison(world) {}'
    expect(phases(text)).toEqual(['1 poison'])
    expect(phases(text, { file: '/test/a.ts', text: "import { poison } from '../game/rules.js'" })).toEqual([])
    const rules = source(text, import.meta.filename)
    const other = source("import * as all from './sense.test.ts'", `${import.meta.dirname}/other.ts`)
    expect(told(unlistedPhases([rules], [rules, other], project()))).toEqual([])
  })
})

describe('an assignment that cannot count', () => {
  const writes = (text: string) => told(frozenWrites([source(text)]))
  const rule = (body: string) => `collide(d, { hit: { between: ['a', 'b'], decide(a, b, hit) {\n${body}\n} } })`

  test.each([
    ['a.x = 1'],
    ['b.y += 2'],
    ['b.z++'],
    ['Object.assign(b, { hp: 1, x: 2 })'],
    ['if (a.hp > 0) { a.x = 1 }'],
  ])('[CK18] to a place, in decide: %s', (body) => {
    const place = /(\w)(?:\.|, \{.*)([xyz])\b/.exec(body.replace('a.hp', ''))!
    expect(writes(rule(body))).toEqual([`2 ${place[1]}.${place[2]}`])
  })

  test('[CK18] in a function that decide names, in a poser, in what only answers, to the declaration', () => {
    expect(writes("const decide = (a) => {\na.x = 1 }\ncollide(d, { hit: { between: ['a', 'b'], decide } })")).toEqual([
      '2 a.x',
    ])
    expect(writes('collide(d, {}, { pose: { a(a, boxes) {\na.x = 1 } } })')).toEqual(['2 a.x'])
    expect(writes('collide(d, {}, { orderBy: (a) => a.hp++ })')).toEqual(['1 a.hp'])
    expect(writes("const g = { name: 'g', refuses(a, b) { b.hp = 1 } }")).toEqual(['1 b.hp'])
    expect(writes('const d = declareGame({})\nexport function f() { d.content.map.n = 1 }')).toEqual([
      '2 d.content.map.n',
    ])
  })

  test('[CK18] to the declaration by another name', () => {
    const text = 'const declared = declareGame({})\nconst d = declared\nexport function f() { d.content.n = 1 }'
    expect(writes(text)).toEqual(['3 d.content.n'])
  })

  test.each([
    [rule('a.vx = 1; b.hp -= 1; a.armour.x = 1')],
    [rule('const b2 = { x: 0 }; b2.x = 1')],
    [rule('{ const a = { x: 0 }; a.x = 1 }')],
    [rule('hit.x = 1; const y = a.x')],
    ['collide(d, {}, { pose: { a(a, boxes) { addCircle(boxes, { x: a.x, y: 0 }) } } })'],
    ['export function move(world) { for (const a of each(world)) a.x += 1 }'],
    ['const d = declareGame({})\nexport function f(d) { d.x = 1 }'],
    [rule('a.x = 1 // hurtbox-ignore: a test')],
  ])('[CK18] nothing is said of %s', (text) => {
    expect(writes(text)).toEqual([])
  })
})

describe('a rule that can never be met', () => {
  const layers = "declareGame({ layers: { sword: ['slime'], slime: [] } })\n"
  const collide = "collide(d, { 'sword hits slime': { between: ['sword', 'slime'], decide() {} } }"
  const met = (text: string, unreached = ['sword hits slime'], watch = createWatch()) => {
    const rules = [source(layers + text)]
    return unmetRules(rules, rules, unreached, watch).map(({ line, message }) => `${line} ${message}`)
  }
  const spawns = "spawn(world, 'slime')\n"

  test('[CK17] nothing is ever on one of its layers', () => {
    const expected = ['3 rule "sword hits slime" can never be met: nothing is ever on layer sword.']
    expect(met(`${spawns}${collide})`)).toEqual(expected)
    expect(met(`for (const s of each(w, 'sword')) if (s.layer === 'sword') ${spawns}${collide})`)).toEqual(expected)
    expect(met(`defineCombat({ damageTypes: ['sword'] }); ${spawns}${collide})`)).toEqual(expected)
  })

  test.each([
    [`${spawns}spawn(world, 'sword')\n${collide})`],
    [`${spawns}${collide}, { pose: { knight: (k, boxes) => addShape(boxes, blade, k, 'sword') } })`],
    [`${spawns}const kinds = [{ layer: 'sword' }]\n${collide})`],
    [`${spawns}const at = (n) => \`swo\${n}\`\n${collide})`],
    [`${spawns}const at = (n) => 'sw' + n\n${collide})`],
    [`${spawns}things.layer[row] = LAYER.sword\n${collide})`],
  ])('[CK17] nothing is said of %s', (text) => {
    expect(met(text)).toEqual([])
  })

  test('[CK17] nor of a rule that was reached, or of a layer that a scene had something on', () => {
    expect(met(`${spawns}${collide})`, [])).toEqual([])
    const watch = createWatch()
    watch.lived.add('sword')
    expect(met(`${spawns}${collide})`, undefined, watch)).toEqual([])
  })

  test('[CK17] a poser that gives the boxes of its things to other layers', () => {
    const both = "spawn(world, 'slime'); spawn(world, 'sword')\n"
    const pose = (body: string) => met(`${both}${collide}, { pose: { slime(s, boxes) { ${body} } } })`)
    expect(pose("addShape(boxes, blade, s, 'jelly'); sweepBox(boxes, 1, 0)")).toEqual([
      '3 rule "sword hits slime" can never be met: the poser of slime adds boxes on other layers only.',
    ])
    expect(pose('addCircle(boxes, s)')).toEqual([])
    expect(pose("addCircle(boxes, s, 'slime')")).toEqual([])
    expect(pose("addCircle(boxes, s, 'jelly'); body(s, boxes)")).toEqual([])
    expect(pose('addShape(boxes, blade, s, s.layer)')).toEqual([])
  })
})

describe('a facing that is never set', () => {
  const declared = "declareGame({\nthings: { facingX: 'f64', facingY: 'f64' } })\n"
  const poses = 'const pose = (knight, boxes) => addShape(boxes, blade, knight)\n'
  const facing = (text: string, watch = createWatch()) => {
    const rules = [source(text)]
    return told(unsetFacing(rules, rules, watch))
  }

  test('[CK16] is told where it is declared', () => {
    expect(facing(declared + poses)).toEqual(['2 facingX'])
    expect(facing(`${declared}${poses}export const at = (knight) => knight.facingX * 2`)).toEqual(['2 facingX'])
  })

  test.each([
    ['knight.facingX = 1'],
    ['spawn(world, "knight", { facingX: 1 })'],
    ['face(knight, 1, 0)'],
    ['things.facingX[row] = 1'],
    ['const { facingX } = world.tables.things; facingX[row] = 1'],
    ['write(things.facingX)'],
  ])('[CK16] %s may set it', (text) => {
    expect(facing(declared + poses + text)).toEqual([])
  })

  test('[CK16] nothing is said without shapes, without the columns, or where a thing was turned', () => {
    expect(facing(declared)).toEqual([])
    expect(facing(poses)).toEqual([])
    expect(facing(`${declared}addShape(boxes, blade, { x: 1, y: 1 })`)).toEqual([])
    expect(facing(declared + poses, { ...createWatch(), hasFacing: true })).toEqual([])
  })
})

describe('a column that is never read', () => {
  const declared =
    "const d = declareGame({ things: {\nbleeds: 'timer' }, globals: { rounds: 'u8' } })\nuse(w.globals.rounds)\n"
  const columns = (text: string, ...files: readonly ProjectFile[]) => {
    const rules = [source(declared + text)]
    return unreadColumns(import.meta.filename, rules, rules, project(...files))
  }

  test('[CK19] is a warning, also where it is written', () => {
    const findings = columns('t.bleeds = 1; spawn(w, "a", { bleeds: 2 }); Object.assign(t, { bleeds: 3 })')
    expect(findings).toMatchObject([{ line: 2, name: 'bleeds', isWarning: true, rule: 'never-read' }])
  })

  test.each([
    ['if (t.bleeds > 0) stop()'],
    ['t.bleeds += 1'],
    ['const { bleeds } = t'],
    ["const hide = ['things.bleeds']"],
    ['const at = w.tables.things.bleeds[0]'],
    ['t[`bleeds`] = 1'],
  ])('[CK19] %s reads it, or may', (text) => {
    expect(columns(text)).toEqual([])
  })

  test('[CK19] a page, or a file that is not parsed, may read it; the engine knows names of its own', () => {
    expect(columns('', { file: '/client/page.vue', text: '<b>{{ thing.bleeds }}</b>' })).toEqual([])
    const rules = [source("declareGame({ things: { hp: 'f64', stunnedUntil: 'timer' } })")]
    expect(unreadColumns(import.meta.filename, rules, rules, project())).toEqual([])
  })
})

describe('entropy that no room draws', () => {
  const entropy = (text: string, room: object | undefined, ...files: readonly ProjectFile[]) =>
    told(undrawnEntropy({ room, game: { tables: {}, behaviour: {} } } as never, [source(text)], project(...files)))
  const read = 'export const roll = (world) =>\nworld.entropy % 6'

  test('[CK20] is told where it is read', () => {
    expect(entropy(read, {})).toEqual(['2 world.entropy'])
    expect(entropy('export const roll = ({ entropy }) => entropy % 6', {})).toEqual(['1 world.entropy'])
  })

  test('[CK20] nothing is said where it is drawn, where nobody could know it before, or where nothing reads it', () => {
    expect(entropy(read, { entropyEvery: 1 })).toEqual([])
    expect(entropy(read, {}, { file: '/server/main.ts', text: 'gameRoom({ game, entropyEvery: 4 })' })).toEqual([])
    expect(entropy(read, { modes: ['terminal'] })).toEqual([])
    expect(entropy(read, undefined)).toEqual([])
    expect(entropy('export const roll = (world) => world.tick % 6', {})).toEqual([])
  })
})
