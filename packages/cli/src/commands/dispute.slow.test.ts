import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DUEL, hurtbox } from '../../test/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'hurtbox-cli-dispute-'))
const replay = join(folder, 'duel.hbr')
const ask = ['dispute', replay, '--game', DUEL, '--tick', '8', '--ask', '1,2']

beforeAll(async () => {
  const { code, stderr } = await hurtbox(['run', DUEL, '--replay', replay])
  expect(code, stderr).toBe(0)
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('dispute', () => {
  test('[DI10] tells the story of a replay without a track, and writes it as a page', async () => {
    const page = join(folder, 'story.html')
    const { code, stdout, stderr } = await hurtbox([...ask, '--html', page])
    expect([code, stderr]).toEqual([0, `${page} is written\n`])
    const lines = stdout.split('\n')
    expect(lines[0]).toBe('duel, seed 5, tick 8: blade 2 and dummy 1, hit')
    expect(lines).toContain('  phase hits: blade hurts dummy: blade 2 and dummy 1: accepted')
    expect(lines).toContain('    dummy 1: hp 3 → 2')
    expect(lines).toContain('  No player had a part in it.')
    expect(lines).toContain('What the tick did to dummy 1')
    const html = readFileSync(page, 'utf8')
    expect(html).toContain('<h1>duel, seed 5, tick 8: blade 2 and dummy 1, hit</h1>')
    expect(html.match(/<svg/g)).toHaveLength(1)
    const { stdout: json } = await hurtbox([...ask, '--json'])
    const chapters = json
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(chapters.map(({ line, title }) => `${line}: ${title}`)).toContain('chapter: Why it counted')
  })

  test.for<[string, string[], RegExp]>([
    ['one id', ['--ask', '1'], /It must be the ids of two things, like 3,12/],
    ['the same id twice', ['--ask', '1,1'], /the ids of two things/],
    ['a thing that is not there', ['--ask', '1,99'], /there is no thing with id 99 in tick 8/],
    ['a tick that is not there', ['--tick', '5000'], /there is no tick 5000: the match has/],
    ['a track that is none', ['--track', join(folder, 'none.hbt')], /the track: this is not a Hurtbox replay/],
    ['a track that is missing', ['--track', join(folder, 'missing.hbt')], /there is no such file/],
    ['a page that cannot be written', ['--html', join(folder, 'no', 'such.html')], /such\.html: /],
  ])('[DI10] %s is refused in words', async ([, args, expected]) => {
    writeFileSync(join(folder, 'none.hbt'), 'nothing')
    const { code, stderr } = await hurtbox([...ask, ...args])
    expect([code, stderr]).toEqual([2, expect.stringMatching(expected)])
  })
})
