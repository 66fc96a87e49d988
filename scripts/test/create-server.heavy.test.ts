/** The server of a generated project, from the packed packages alone: flooded, with accounts, with others on one Redis. */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../packages/server/test/free-port.ts'
import { hasRedis, startRedis } from '../../packages/server/test/redis-process.ts'
import { repositoryRoot as root } from '../engines/install-npm.ts'
import { ABOUT, ACCOUNTS, TWO_PROCESSES } from './packages/clients.ts'
import { buildPage, generateProject } from './packages/generated.ts'
import { ALONE, ELSEWHERE, MINUTES, PROBES, rowsOf } from './packages/limits.ts'

const { project, program, start, remove } = await generateProject('goblin-hunt')
buildPage(project)
afterAll(remove, 60_000)

describe('a generated server', () => {
  test('[TG1] its server holds every row of the table of limits', { timeout: 600_000 }, async () => {
    const rows = rowsOf(readFileSync(join(root, 'docs/server.md'), 'utf8')).filter(({ way }) => !ELSEWHERE.test(way))
    expect(Object.keys(PROBES).sort()).toEqual(rows.map(({ way }) => way).sort())
    const port = await freePort()
    const token = 'a-token-of-the-operator'
    const server = await start(`127.0.0.1:${port}`, { PORT: String(port), HURTBOX_TOKEN: token }, 'server/main.ts')
    // A second try would find a first server at work in the same folder.
    onTestFinished(() => void server.kill('SIGKILL'))
    const hello = JSON.parse(program('about.ts', ABOUT))
    const target = {
      url: `http://127.0.0.1:${port}`,
      port,
      folder: project,
      game: 'goblin-hunt',
      token,
      hello,
      pid: server.pid!,
    }
    const outcomeOf = ({ way, budget }: (typeof rows)[number], i: number) =>
      PROBES[way](target, `127.0.1.${i + 1}`, budget).catch((error) => `${way}: ${error.message}`)
    const isLong = process.env.HURTBOX_LONG !== undefined
    const outcomes = await Promise.all(
      rows.map((row, i) =>
        ALONE.includes(row.way) || (MINUTES.includes(row.way) && !isLong) ? undefined : outcomeOf(row, i),
      ),
    )
    for (const row of rows) if (ALONE.includes(row.way)) outcomes.push(await outcomeOf(row, 0))
    expect(outcomes.filter((outcome) => outcome !== undefined)).toEqual([])
  })

  test('[TG2] a server with accounts refuses strangers and lets players in', { timeout: 120_000 }, () => {
    expect(JSON.parse(program('accounts.ts', ACCOUNTS))).toEqual({
      stranger: expect.stringContaining('Sign in first'),
      banned: expect.stringContaining('Not before Monday.'),
      names: ['Ada'],
      results: [{ id: 'account-1', end: 'abandoned' }],
    })
  })

  test('[TG3] load measures it and gives a verdict', { timeout: 120_000 }, () => {
    const command = join(project, 'node_modules/@hurtbox/cli/bin/hurtbox.js')
    const args = [command, 'load', '--rooms', '1', '--clients', '2', '--seconds', '1']
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' })
    expect(stdout, stderr).toMatch(/^goblin-hunt, 1 room, 2 clients \(mirror\), 1 s\n[\s\S]*\n +verdict +\S/)
    // A busy machine may not hold the rate; the verdict says so, and so does the exit code.
    expect(status).toBe(/verdict +held/.test(stdout) ? 0 : 1)
  })

  test.skipIf(!hasRedis())('[TG4] two processes with one Redis play one room', { timeout: 120_000 }, async () => {
    const redis = await startRedis()
    onTestFinished(() => void redis.child.kill())
    const ports = [await freePort(), await freePort()]
    for (const port of ports) {
      await start(`127.0.0.1:${port}`, { PORT: String(port), REDIS_URL: redis.url }, 'server/main.ts')
    }
    const seen = JSON.parse(program('two-processes.ts', TWO_PROCESSES, ...ports.map(String)))
    expect(seen).toEqual({ sameRoom: true, seats: [0, 1], players: [2, 2], listed: [1, 1] })
  })
})
