/** A game as a user writes one: served, measured, and played in other runtimes. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { COMMAND, jsonLines, REPOSITORY } from './command.ts'
import { folder, GAME, run } from './sixth-game.ts'

describe('a game of one’s own in a folder of one’s own', () => {
  test('[CL30] serve plays it for others, by its path and unnamed, and load measures it', async () => {
    for (const args of [['./game/index.js'], []]) {
      const server = spawn(process.execPath, [COMMAND, 'serve', ...args, '--port', '0', '--no-studio'], {
        cwd: folder,
        env: { PATH: process.env.PATH },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      onTestFinished(() => void server.kill('SIGKILL'))
      const [line] = await once(createInterface(server.stdout), 'line')
      const { games, address } = JSON.parse(line)
      expect(games).toEqual(['bumper'])
      expect((await fetch(`http://${address}/rooms.json`)).status).toBe(200)
      server.kill('SIGTERM')
      expect((await once(server, 'exit'))[0]).toBe(0)
    }
    const load = await run('load', '--rooms', '1', '--seconds', '1', '--json')
    expect(jsonLines(load)[0], load.stderr).toMatchObject({ game: 'bumper', clients: 6, lost: 0, tickRate: 30 })
    const many = await run('load', 'bumper', '--clients', '7')
    expect(many).toMatchObject({ code: 2, stderr: expect.stringContaining('has 6 seats; --clients can be 6 at most') })
    const gone = await run('load', '--url', 'http://127.0.0.1:1')
    expect(gone).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no answer from http://127.0.0.1:1'),
    })
  })

  test('[CL17] engines plays its probes in other runtimes, and names the tick that differs', async () => {
    const bun = join(folder, 'node_modules/.bin')
    mkdirSync(bun, { recursive: true })
    symlinkSync(join(REPOSITORY, 'node_modules/bun/bin/bun.exe'), join(bun, 'bun'))
    const [report] = jsonLines(await run('engines', '--json'))
    expect(report).toMatchObject({ line: 'engines', game: 'bumper', ok: true, equal: true })
    expect(report.runtimes).toEqual(
      expect.arrayContaining([expect.stringMatching(/^node /), expect.stringMatching(/^bun /)]),
    )
    expect(report.scenes).toEqual([{ scene: 'bare', ticks: 300, hash: expect.stringMatching(/^[0-9a-f]{16}$/) }])
    expect(await run('engines', '--min', '9')).toMatchObject({ code: 1, stdout: expect.stringContaining('--min is 9') })

    const file = join(folder, 'game/index.js')
    onTestFinished(() => writeFileSync(file, GAME))
    writeFileSync(file, GAME.replace('player.moveX * 0.1', "player.moveX * (typeof Bun === 'undefined' ? 0.1 : 0.11)"))
    const { code, stdout } = await run('engines', 'bumper')
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/NOT EQUAL[\s\S]*differs {2}bun .*, scene bare: tick 1 .*things/),
    ])
  })
})
