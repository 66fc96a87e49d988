/** Files of replays: their names, and the bounds on their number and size. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { replayFolder } from './replay-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hurtbox-replays-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const match = (number = 1) => ({ game: 'tag', roomId: 'abc', match: number, startedAt: new Date(1e12) })

test('[RM17] game, time, room and match of a replay are not enough to guess its name', async () => {
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

/** A file that was last written so many hours ago. */
function leave(name: string, hoursAgo: number, bytes = 10): void {
  const path = join(folder, name)
  writeFileSync(path, new Uint8Array(bytes))
  const time = Date.now() / 1000 - hoursAgo * 3600
  utimesSync(path, time, time)
}

test('[RM19] what crashes left behind is dropped in its turn, what is being written is not', async () => {
  for (let i = 1; i <= 5; i++) leave(`tag-crash-${i}.hbr.part`, 10 + i)
  leave('tag-old.hbr', 20)
  leave('tag-other-process.hbr.part', 0.2)
  leave('notes.part', 99)
  const sink = replayFolder(folder, { maxFiles: 3 })
  const running = sink(match(1))
  running.write(new Uint8Array(5))
  // Nothing was written for long: a match that rests.
  await vi.waitFor(() => expect(readdirSync(folder).some((name) => name.includes('abc-1'))).toBe(true))
  const [own] = readdirSync(folder).filter((name) => name.includes('abc-1'))
  utimesSync(join(folder, own), 1, 1)
  const ended = sink(match(2))
  ended.write(new Uint8Array(5))
  await ended.end()
  const names = readdirSync(folder).map((name) => name.replace(/-[\w-]{22}\.hbr/, '.hbr'))
  expect(names.sort()).toEqual([
    'notes.part',
    'tag-2001-09-09T01-46-40-abc-1.hbr.part',
    'tag-2001-09-09T01-46-40-abc-2.hbr',
    'tag-crash-1.hbr.part',
    'tag-crash-2.hbr.part',
    'tag-other-process.hbr.part',
  ])
  await running.end()
})

test('[RM19] a server that crashes again and again does not fill the disk: the start of a match makes room, too', async () => {
  for (let i = 1; i <= 9; i++) leave(`tag-crash-${i}.hbr.part`, 10 + i, 100)
  const file = replayFolder(folder, { maxBytes: 250 })(match())
  file.write(new Uint8Array(5))
  await vi.waitFor(() => {
    expect(readdirSync(folder).filter((name) => name.includes('crash'))).toEqual([
      'tag-crash-1.hbr.part',
      'tag-crash-2.hbr.part',
    ])
  })
  await file.end()
})

test('[RM19] a recording whose file was removed ends: there is none without its beginning', async () => {
  const errors: unknown[] = []
  const file = replayFolder(folder, { onError: (error) => errors.push(error) })(match())
  file.write(new Uint8Array(5))
  await vi.waitFor(() => expect(readdirSync(folder)).toHaveLength(1))
  rmSync(join(folder, readdirSync(folder)[0]))
  file.write(new Uint8Array(5))
  await file.end()
  expect(readdirSync(folder)).toEqual([])
  expect(errors.length).toBeGreaterThan(0)
})

test('[ML20] a track has the name of its replay and goes with it', async () => {
  const sink = replayFolder(folder, { maxFiles: 2 })
  for (let number = 1; number <= 3; number++) {
    const file = sink(match(number))
    file.write(new Uint8Array(5))
    file.writeTrack!(new Uint8Array(3))
    await file.end()
    const time = 1e9 + number
    for (const name of readdirSync(folder))
      if (name.includes(`-abc-${number}-`)) utimesSync(join(folder, name), time, time)
  }
  await sink(match(4)).end()
  const names = readdirSync(folder).sort()
  expect(names.map((name) => name.replace(/^.*abc-(\d)-.*\./, '$1 '))).toEqual(['2 hbr', '2 hbt', '3 hbr', '3 hbt'])
  expect(names[0].slice(0, -1)).toBe(names[1].slice(0, -1))
})

test('[RM10] replays on disk are bounded in number and size, and what is too large is cut, not lost', async () => {
  const place = mkdtempSync(join(tmpdir(), 'hurtbox-replays-'))
  writeFileSync(join(place, 'notes.txt'), 'not ours')
  const sink = replayFolder(place, { maxFiles: 3, maxFileBytes: 1000 })
  for (let match = 1; match <= 6; match++) {
    const file = sink({ game: 'tag', roomId: '../../x/y', match, startedAt: new Date(1e12 + match * 1000) })
    for (let i = 0; i < 4; i++) file.write(new Uint8Array(300))
    await file.end()
  }
  const names = readdirSync(place).sort()
  expect(names.map((name) => name.replace(/-[\w-]{22}\.hbr$/, ''))).toEqual([
    'notes.txt',
    'tag-2001-09-09T01-46-44-xy-4',
    'tag-2001-09-09T01-46-45-xy-5',
    'tag-2001-09-09T01-46-46-xy-6',
  ])
  for (const name of names.slice(1)) expect(readFileSync(join(place, name))).toHaveLength(900)
  const errors: unknown[] = []
  const lost = replayFolder(join(place, 'gone'), { onError: (error) => errors.push(error) })
  rmSync(join(place, 'gone'), { recursive: true })
  const file = lost({ game: 'tag', roomId: 'x', match: 1, startedAt: new Date() })
  file.write(new Uint8Array(5))
  await file.end()
  expect(errors.length).toBeGreaterThan(0)
  rmSync(place, { recursive: true })
})
