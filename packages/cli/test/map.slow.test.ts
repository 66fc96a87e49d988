import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hurtbox, jsonLines, REPOSITORY } from './command.ts'

let folder: string
beforeAll(() => {
  // Inside the repository, so that the module finds the engine.
  mkdirSync(join(REPOSITORY, '.cache'), { recursive: true })
  folder = mkdtempSync(join(REPOSITORY, '.cache/map-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const property = (name: string, value: string) => ({ name, type: 'string', value })
const LEVEL = {
  type: 'map',
  orientation: 'orthogonal',
  width: 3,
  height: 2,
  tilewidth: 16,
  tileheight: 16,
  tilesets: [{ firstgid: 1, source: 'walls.tsj' }],
  layers: [
    { type: 'tilelayer', name: 'Ground', width: 3, height: 2, data: [0, 2, 0, 1, 1, 1] },
    { type: 'objectgroup', name: 'Starts', objects: [{ id: 1, x: 8, y: 8, point: true, type: 'start' }] },
  ],
}
const WALLS = {
  tiles: [
    { id: 0, properties: [property('layer', 'wall')] },
    { id: 1, properties: [property('layer', 'ledge')] },
  ],
}
const write = (name: string, content: unknown) =>
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))

test('[TI5] hurtbox map writes a module that the game imports, with its layers as types', async () => {
  write('level.tmj', LEVEL)
  write('walls.tsj', WALLS)
  const made = await hurtbox(['map', join(folder, 'level.tmj')])
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(made.stdout).toContain('level.ts: 48 × 32\n  pieces   1 ledge, 1 wall\n  objects  1 start\n')
  expect(readFileSync(join(folder, 'level.ts'), 'utf8')).toContain('change the level there')
  const game = (layers: string) => `import { declareGame, defineStatics } from 'hurtbox'
import { level } from './level.ts'

const game = declareGame({ id: 'climb', tickRate: 60, layers: { hero: ['wall'], ${layers} }, content: { map: level.map } })
console.log(defineStatics(game, level.map).pieces.length, level.objects[0].kind)
`
  write('game.ts', game('wall: [], ledge: []'))
  const played = execFileSync(process.execPath, [join(folder, 'game.ts')], { encoding: 'utf8' })
  expect(played).toBe('2 start\n')
  // A layer that the game lacks is a mistake that the compiler finds.
  write('other.ts', game('wall: []'))
  const compilerOptions = { types: ['node'], noEmit: true, rootDir: REPOSITORY }
  const check = (file: string) => {
    const tsconfig = { extends: '../../tsconfig.base.json', compilerOptions, files: [file] }
    write('tsconfig.json', tsconfig)
    return execFileSync(join(REPOSITORY, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' })
  }
  check('game.ts')
  expect(() => check('other.ts')).toThrow()

  // Made again it is the same, and --json says what is in it.
  const before = readFileSync(join(folder, 'level.ts'), 'utf8')
  const [again] = jsonLines(await hurtbox(['map', join(folder, 'level.tmj'), '--json']))
  expect(again).toMatchObject({ width: 48, height: 32, pieces: { wall: 1, ledge: 1 }, objects: { start: 1 } })
  expect(readFileSync(join(folder, 'level.ts'), 'utf8')).toBe(before)
})

test('[TI6] what cannot be read, and a file of somebody else, are told; a level without walls is', async () => {
  const said = async (name: string, content?: unknown, ...more: string[]) => {
    if (content !== undefined) write(name, content)
    const { code, stderr } = await hurtbox(['map', join(folder, name), ...more])
    return `${code} ${stderr}`
  }
  expect(await said('none.tmj')).toMatch(/^2 hurtbox: .*none\.tmj cannot be read: ENOENT/)
  expect(await said('xml.tmj', '<map>')).toMatch(
    /^2 hurtbox: .* cannot be read: it is no JSON: save it in Tiled as \.tmj/,
  )
  expect(await said('sets.tmj', { ...LEVEL, tilesets: [{ firstgid: 1, source: 'walls.tsx' }] })).toMatch(
    /^2 .*walls\.tsx is XML/,
  )
  expect(await said('iso.tmj', { ...LEVEL, orientation: 'isometric' })).toMatch(/^2 .*the map is isometric/)
  expect(await said('empty.tmj', { ...LEVEL, tilesets: [] })).toMatch(/^1 hurtbox: nothing in this level is solid/)
  write('mine.ts', 'export const mine = 1\n')
  expect(await said('mine.tmj', LEVEL)).toMatch(/^2 .*mine\.ts was not made by hurtbox map; it is not written over/)
  expect(readFileSync(join(folder, 'mine.ts'), 'utf8')).toBe('export const mine = 1\n')
})
