/** Who may use a folder: processes, containers, and one that stood still. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Claim, claimFolder, fateOf, type Holder } from './folder-claim.ts'

let folder: string
const claims: Claim[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hurtbox-claim-'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const claim of claims.splice(0)) await claim.release().catch(() => {})
  rmSync(folder, { recursive: true, force: true })
})

async function claimed(): Promise<Claim> {
  const claim = await claimFolder(folder)
  if (!('isOurs' in claim)) throw new Error(`process ${claim.pid} uses it`)
  claims.push(claim)
  return claim
}

/** As written by process 1 of another container. */
const OTHER: Holder = { id: 'other', pid: 1, began: '77', host: 'container', space: 'boot pid:[1]' }
const write = (number: number, holder: Holder) =>
  writeFileSync(join(folder, `.process-${number}`), JSON.stringify(holder))

test('[ML10] a claim of another container is respected while it is renewed, and taken when nothing was renewed', async () => {
  write(4, OTHER)
  let beats = 0
  const timer = setInterval(() => utimesSync(join(folder, '.process-4'), ++beats, beats), 300)
  expect(await claimFolder(folder)).toEqual(OTHER)
  clearInterval(timer)
  const claim = await claimed()
  expect(claim.number).toBe(5)
  expect(readdirSync(folder)).toEqual(['.process-5'])
  expect([claim.known(), await claim.isOurs()]).toEqual([true, true])
})

test('[ML10] a folder that was given up is taken at once, and numbers never begin anew', async () => {
  const first = await claimed()
  await first.release()
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const second = await claimed()
  expect(timers, 'it is not watched').not.toHaveBeenCalled()
  expect([first.number, second.number]).toEqual([1, 2])
})

test('[ML10] of many that claim a folder at once exactly one gets it', async () => {
  write(1, OTHER)
  const containers = [1, 2, 3, 4, 5].map((i) => ({ ...OTHER, id: `new-${i}`, host: `container-${i}` }))
  const found = await Promise.all(containers.map((self) => claimFolder(folder, self)))
  const won = found.filter((each) => 'isOurs' in each)
  claims.push(...won)
  expect(won).toHaveLength(1)
  const owner = JSON.parse(readFileSync(join(folder, '.process-2'), 'utf8'))
  expect(found.filter((each) => !('isOurs' in each))).toEqual(new Array(4).fill(owner))
})

test('[ML4] a claim of the same process takes the place of that before at once', async () => {
  const first = await claimed()
  await claimed()
  expect([first.known(), await first.isOurs()]).toEqual([false, false])
})

test('[ML40] an owner that stood still looks again before it says anything, and finds out that it has lost the folder', async () => {
  const claim = await claimed()
  const now = performance.now()
  rmSync(join(folder, '.process-1'))
  write(2, OTHER)
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 1_500)
  expect(claim.known()).toBeUndefined()
  expect(await claim.isOurs()).toBe(false)
  clock.mockRestore()
  expect(claim.known()).toBe(false)
})

test('[ML40] it looks again, too, when only the clock on the wall says that it stood still', async () => {
  const claim = await claimed()
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
  expect(claim.known()).toBeUndefined()
  expect(await claim.isOurs()).toBe(true)
})

test('[ML40] a folder that is removed as a whole belongs to nobody else: that is an error, no loss', async () => {
  const claim = await claimed()
  rmSync(folder, { recursive: true })
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
  await expect(claim.isOurs()).rejects.toThrow('ENOENT')
  expect(claim.known()).not.toBe(false)
})

test('[ML40] an owner renews its claim', async () => {
  await claimed()
  const path = join(folder, '.process-1')
  utimesSync(path, 1, 1)
  await expect.poll(() => statSync(path).mtimeMs).toBeGreaterThan(1_000)
  expect(JSON.parse(readFileSync(path, 'utf8')).pid).toBe(process.pid)
})

test('[ML41] what is known of a process without watching: dead, alive, or neither', () => {
  const self: Holder = { id: 'self', pid: 50, began: '1000', host: 'here', space: 'boot pid:[1]' }
  const other: Holder = { ...self, id: 'other', pid: 60, began: '900' }
  const system = (runs: readonly number[], began: string) => ({
    isRunning: (pid: number) => runs.includes(pid),
    beganAt: () => began,
  })
  const fate = (holder: Holder | undefined, runs: readonly number[], began: string, by = self) =>
    fateOf(holder, by, system(runs, began))
  expect(fate(other, [], ''), 'it does not run').toBe('dead')
  expect(fate(other, [60], '900'), 'it runs').toBe('alive')
  expect(fate(other, [60], '950'), 'another program has its number').toBe('dead')
  expect(fate({ ...other, pid: 50 }, [50], '1000'), 'we have its number').toBe('dead')
  expect(fate(self, [50], '1000'), 'ourselves').toBe('dead')
  expect(fate({ ...other, host: 'elsewhere' }, [], ''), 'its numbers are not ours').toBe('unknown')
  expect(fate({ ...other, space: 'boot pid:[2]' }, [], ''), 'its numbers are not ours').toBe('unknown')
  expect(fate(undefined, [], ''), 'half a file').toBe('unknown')
  // As on macOS and Windows, where nothing says when a process began.
  const plain = { ...self, began: '', space: '' }
  const otherPlain = { ...other, began: '', space: '' }
  expect(fate(otherPlain, [], '', plain), 'no program has its number').toBe('dead')
  expect(fate(otherPlain, [60], '', plain), 'some program has its number').toBe('unknown')
  expect(fate({ ...otherPlain, pid: 50 }, [50], '', plain), 'we have its number').toBe('unknown')
})
