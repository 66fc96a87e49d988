/** `hurtbox doctor` as people type it. What it finds is held by the tests of `@hurtbox/server`. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../../server/test/free-port.ts'
import { hasCompiler, slowDisk } from '../../server/test/slow-disk.ts'
import { hurtbox, jsonLines } from './command.ts'

test('[DR4] a row for each thing, and 0 when nothing is wrong', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hurtbox-doctor-'))
  const env = { DATA_DIR: folder, PORT: String(await freePort()) }
  const { code, stdout, stderr } = await hurtbox(['doctor'], { env })
  rmSync(folder, { recursive: true })
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^node +ok +24\./m)
  expect(stdout).toMatch(/^data folder +ok /m)
  expect(stdout).toMatch(/\nNothing is wrong\.\n$/)
})

test.runIf(hasCompiler())('[DR4] a disk that takes 150 ms a write is named, and the exit code is 0', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hurtbox-doctor-'))
  const disk = slowDisk(folder, 150)
  disk.set(true)
  const env = { ...disk.env, DATA_DIR: folder, PORT: String(await freePort()) }
  const { code, stdout } = await hurtbox(['doctor'], { env })
  rmSync(folder, { recursive: true })
  expect(stdout).toMatch(/^data folder +\S+ .*: a write takes 1[5-9]\d\.\d ms, longer than a tick: .*REDIS_URL/m)
  expect(code).toBe(0)
})

test('[DR4] with --json an object for each, and 1 when something is wrong', async () => {
  const url = `http://127.0.0.1:${await freePort()}/`
  const outcome = await hurtbox(['doctor', url, '--json'])
  expect(outcome.code).toBe(1)
  expect(jsonLines(outcome)).toEqual([
    { line: 'finding', name: 'server', verdict: 'wrong', says: expect.stringContaining('nothing listens there') },
  ])
})
