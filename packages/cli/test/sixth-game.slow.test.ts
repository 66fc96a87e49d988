/** A game as a user writes one: every command takes it, and no other file knows of it. */

import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hurtbox, jsonLines } from './command.ts'
import { folder, GAME, run } from './sixth-game.ts'

describe('a game of one’s own in a folder of one’s own', () => {
  test('[CL8] [CL24] run plays it without a name, by its id and by its path, with the bots of its seating', async () => {
    const [unnamed, byId, byPath] = await Promise.all([
      run('run', '--json'),
      run('run', 'bumper', '--json'),
      run('run', './game/index.js', '--json'),
    ])
    expect(unnamed).toMatchObject({ code: 0, stderr: '' })
    const [summary] = jsonLines(unnamed)
    // Two cars of two teams drive into each other: five bumps are the end of one.
    expect(summary).toMatchObject({
      game: 'bumper',
      scene: 'bare',
      over: true,
      result: { winner: 'seat 0' },
      stats: { players: 2, teams: 1 + 2 },
      events: { damage: 5, kill: 1 },
    })
    expect([byId.stdout, byPath.stdout]).toEqual([unnamed.stdout, unnamed.stdout])
    expect((await run('run')).stdout).toMatch(/^bumper, scene bare, seed 1: .* \(2 bots\)\n/)
    expect(jsonLines(await run('run', '--bots', '0', '--json'))[0]).toMatchObject({
      over: false,
      stats: { players: 0 },
    })
    const below = await hurtbox(['run', '--json'], { cwd: join(folder, 'game') })
    expect(below.stdout).toBe(unnamed.stdout)
  })

  test('[CL24] synctest, why and balance play the same match', async () => {
    const sync = await run('synctest', '--depth', '1,8')
    expect(sync).toMatchObject({ code: 0, stdout: expect.stringMatching(/^depth {2}1 {2}ok: \d+ rollbacks/) })
    const why = await run('why', 'bumper', '--tick', '10', '--a', '1', '--b', '2')
    expect(why).toMatchObject({ code: 0, stdout: expect.stringMatching(/car bumps car: 1 and 2: accepted/) })
    const balance = await run('balance', '--matches', '4', '--vary', 'damage=5..10/2', '--out', 'lab')
    expect(balance.code, balance.stderr).toBe(0)
    expect(balance.stdout).toMatch(/^bumper, scene bare, 2 bots: 2 settings/)
    expect(balance.stdout).toMatch(/100\.0 %/)
  })

  test('[CL31] a folder that has one game stands for it; why needs no name where the project has one game', async () => {
    const question = ['--tick', '10', '--a', '1', '--b', '2']
    const byId = await run('why', 'bumper', ...question)
    for (const name of [[], ['./game'], ['.'], [folder]]) {
      expect(await run('why', ...name, ...question), name.join()).toEqual(byId)
    }
    expect((await run('run', './game', '--json')).stdout).toBe((await run('run', '--json')).stdout)
    mkdirSync(join(folder, 'two'))
    expect(await run('run', './two')).toMatchObject({ code: 2, stderr: expect.stringMatching(/two is no .* module/) })
    for (const ending of ['js', 'ts']) writeFileSync(join(folder, `two/index.${ending}`), GAME)
    const two = await run('why', './two', ...question)
    expect(two).toMatchObject({ code: 2, stderr: expect.stringMatching(/folder \.\/two has several games/) })
    rmSync(join(folder, 'two'), { recursive: true })
    const none = await run('run', './node_modules')
    expect(none).toMatchObject({ code: 2, stderr: expect.stringMatching(/node_modules has no game: no index\.ts/) })
  })

  test('[CL18] games lists it, and only it', async () => {
    const { code, stdout } = await run('games')
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^bumper: 1 to 6 players, 30 ticks a second, rules version 1\n {2}Be the last car that drives\.\n/,
    )
    expect(jsonLines(await run('games', '--json'))).toMatchObject([{ game: 'bumper', title: 'Bumper' }])
  })

  test('[CL26] scenarios compares, and fails if one differs', async () => {
    const fine = await run('scenarios')
    expect(fine).toEqual({
      code: 0,
      stderr: '',
      stdout: `ok         bumper one bump (rules of the fair, 2)
  expected  50 : 40
  actual    50 : 40
1 of 1 came out as expected
`,
    })
    const wrong = await hurtbox(['scenarios', 'bumper', '--json'], { cwd: folder, env: { WRONG: '1' } })
    expect(wrong.code).toBe(1)
    expect(jsonLines(wrong)).toMatchObject([
      { line: 'scenario', ok: true },
      { scenario: 'two bumps', ok: false, expected: '50 : 30', actual: '50 : 40' },
    ])
    const unknown = await run('scenarios', '--only', 'one bum')
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/no scenario of bumper "one bum"\. Did you mean/),
    })
  })

  test('[CL25] its own options of run, and its own commands', async () => {
    const played = await run('run', 'bumper', '--log')
    expect(played.stdout).toMatch(/^(cars: 2\n){3}bumper, /)
    expect(played.stdout, 'logs are compared: nothing measured').not.toMatch(/ticks a second/)
    expect(jsonLines(await run('run', '--laps', '1', '--json')).at(-1)).toMatchObject({ ticks: 1 })
    const bad = await run('run', 'bumper', '--laps', '2')
    expect(bad).toMatchObject({ code: 2, stderr: expect.stringMatching(/'2' is invalid\. It must be 1\./) })
    expect((await run('run', '--help')).stdout).toMatch(/Options of bumper:\n +--laps <n> +how long/)

    const tracks = { code: 3, stdout: 'ring  400 m\n', stderr: 'one track only\n' }
    expect(await run('tracks', '--long')).toEqual(tracks)
    expect(await run('bumper', 'tracks', '--long')).toEqual(tracks)
    expect(await run('bumper', 'games')).toMatchObject({ code: 0, stdout: '' })
    expect((await run('games')).stdout, 'a command of ours is not replaced').toMatch(/^bumper: /)
    expect((await run('--help')).stdout).toMatch(/^ {2}tracks \[options\] +list the tracks \(Bumper\)/m)
  })

  test('[CL8] [EW13] a list that is wrong, a file that is missing or broken, two games of one id: told in words', async () => {
    const other = join(folder, 'other')
    mkdirSync(join(other, 'games/twin'), { recursive: true })
    cpSync(join(folder, 'game'), join(other, 'games/bumper'), { recursive: true })
    cpSync(join(folder, 'game'), join(other, 'games/twin'), { recursive: true })
    const list = (games: unknown) =>
      writeFileSync(join(other, 'package.json'), JSON.stringify({ type: 'module', hurtbox: { games } }))
    const at = (...args: string[]) => hurtbox(args, { cwd: other })

    list('game/index.js')
    expect(await at('run')).toMatchObject({ code: 2, stderr: expect.stringMatching(/must be a list of paths/) })
    list([])
    expect((await at('run')).stderr).toMatch(/Which game\? .* list it in package\.json: "hurtbox"/)
    list(['games/*/index.js', 'missing.js', 'broken.js', 'torn.ts'])
    writeFileSync(join(other, 'torn.ts'), 'export const a = 1\nexport const b = {{ 1\n')
    writeFileSync(join(other, 'broken.js'), 'throw new Error("not today")')
    const games = await at('games')
    expect(games.code).toBe(1)
    expect(games.stdout).toMatch(/^bumper: /)
    expect(games.stderr.replaceAll('\\', '/').split('\n').slice(0, 4)).toEqual([
      'hurtbox: games/twin/index.js and games/bumper/index.js are both the game "bumper".',
      'hurtbox: There is no file missing.js.',
      'hurtbox: broken.js could not be loaded: not today (broken.js:1:7)',
      expect.stringMatching(/^hurtbox: torn\.ts could not be loaded: .* \(.*torn\.ts:2\)$/),
    ])
    expect((await at('run', 'bumper', '--ticks', '1')).code, 'others still run').toBe(0)
    const unknown = await at('run', 'bumpr')
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringMatching(/no game "bumpr"\. Known: bumper\./) })
    expect(unknown.stderr).toMatch(/broken\.js could not be loaded: not today/)
  })
})
