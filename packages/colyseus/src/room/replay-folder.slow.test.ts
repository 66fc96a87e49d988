/** Files of replays on a disk that fills up. In a process of its own, which may write no more. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { replayFolder } from './replay-folder.ts'

/** Files of this process get at most so many bytes, as on a disk that is full: a file can be made, and takes what fits. */
function limitFiles(bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`])
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hurtbox-replays-'))
})
afterEach(() => {
  limitFiles('unlimited')
  rmSync(folder, { recursive: true })
})

const match = () => ({ game: 'tag', roomId: 'abc', match: 1, startedAt: new Date(1e12) })

describe.runIf(process.platform === 'linux')('a disk that is full', () => {
  test('[ML42] a disk that is full when a recording begins, as at a takeover, leaves no replay without its beginning', async () => {
    const errors: unknown[] = []
    const file = replayFolder(folder, { onError: (error) => errors.push((error as { code: string }).code) })(match())
    limitFiles(0)
    file.write(new Uint8Array(600).fill(1))
    await vi.waitUntil(() => errors.length > 0)
    limitFiles('unlimited')
    file.write(new Uint8Array(15).fill(2))
    await file.end()
    expect([readdirSync(folder), errors]).toEqual([[], ['EFBIG']])
  })

  test('[ML42] a disk that fills up in the middle: what there is stays, unfinished, and nothing comes after the gap', async () => {
    const errors: unknown[] = []
    const file = replayFolder(folder, { onError: (error) => errors.push(error) })(match())
    limitFiles(900)
    for (const value of [1, 2, 3]) file.write(new Uint8Array(400).fill(value))
    await vi.waitUntil(() => errors.length > 0)
    limitFiles('unlimited')
    file.write(new Uint8Array(50).fill(4))
    await file.end()
    const [name, ...others] = readdirSync(folder)
    expect([name.endsWith('.hbr.part'), others, errors.length]).toEqual([true, [], 1])
    const values = [...readFileSync(join(folder, name))]
    expect(values).toEqual([...new Array(400).fill(1), ...new Array(400).fill(2), ...new Array(100).fill(3)])
  })
})
