/** Files of replays: their names, and the bounds on their number and size. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { replayFolder } from '../src/index.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hurtbox-replays-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const match = (number = 1) => ({ game: 'tag', roomId: 'abc', match: number, startedAt: new Date(1e12) })

test('[RM17] who knows game, time, room and match of a replay does not know its name', async () => {
  const sink = replayFolder(folder)
  for (let i = 0; i < 2; i++) {
    const file = sink(match())
    file.write(new Uint8Array(5))
    await file.end()
  }
  const names = readdirSync(folder)
  expect(names).toHaveLength(2)
  for (const name of names) expect(name).toMatch(/^tag-2001-09-09T01-46-40-abc-1-[\w-]{22}\.hbr$/)
})

test('[RM18] a recording that reached its size ends there: what comes later leaves no hole', async () => {
  const file = replayFolder(folder, { maxFileBytes: 1000 })(match())
  for (const [size, value] of [
    [900, 1],
    [300, 2],
    [50, 3],
  ]) {
    file.write(new Uint8Array(size).fill(value))
  }
  await file.end()
  const [name] = readdirSync(folder)
  expect(readFileSync(join(folder, name))).toEqual(Buffer.alloc(900, 1))
})

test('[RM18] a match of which not even the beginning fits leaves no file', async () => {
  const errors: unknown[] = []
  const file = replayFolder(folder, { maxFileBytes: 10, onError: (error) => errors.push(error) })(match())
  file.write(new Uint8Array(11))
  file.write(new Uint8Array(5))
  await file.end()
  expect([readdirSync(folder), errors]).toEqual([[], []])
})
