/** Matches in a folder: what a process finds when it is started again. */

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createHost,
  createKeeper,
  type Done,
  Fenced,
  type KeeperState,
  keepTick,
  type MatchLog,
  mayStep,
  sayWhenKept,
  stepHost,
  type TakenMatch,
  tendKeeper,
} from '@hurtbox/netcode/host'
import { hashWorld } from 'hurtbox'
import { readMatchLog } from 'hurtbox/replay'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RECORD } from '../../../netcode/test/memory-store.ts'
import { tag, whimsical } from '../../../netcode/test/support.ts'
import { logFiles } from './folder-log.ts'
import { type FolderStore, folderStore } from './folder-store.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hurtbox-matches-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A store of the folder. One that was made before has lost it. */
async function openStore(): Promise<FolderStore> {
  const store = folderStore(folder)
  expect(await store.claim()).toBeUndefined()
  return store
}

function answered<T>(ask: (done: Done<T>) => void): Promise<T> {
  return new Promise((resolve, reject) =>
    ask((error, result) => (error === undefined ? resolve(result) : reject(error))),
  )
}

const begin = (store: FolderStore): Promise<MatchLog> => answered((done) => store.create(RECORD, done))

const take = (store: FolderStore): Promise<TakenMatch> =>
  answered<TakenMatch | undefined>((done) => store.take(RECORD.id, done)).then((taken) => taken!)

const turnOfLoop = () => new Promise<void>((resolve) => setTimeout(resolve, 0))

/** Runs a match on the log until the log has so many ticks. */
async function play(log: MatchLog, ticks: number) {
  const host = createHost(tag, { seed: RECORD.setup.seed, bots: [whimsical], fill: 2 })
  const keeper = createKeeper(host, log, { checkpointEvery: 16 })
  for (let i = 0; i < ticks; i++) {
    stepHost(host)
    keepTick(keeper)
  }
  await new Promise<void>((resolve) => sayWhenKept(keeper, resolve))
  return keeper
}

test('[ML9] a process that is started again finds its matches, their seats and their replays', async () => {
  const log = await begin(await openStore())
  const seats = [
    { sessionId: 's', seat: 2, mode: 'mirror', name: 'Ada', id: '', data: undefined, tokens: ['hash'] },
  ] as const
  await answered<void>((done) => log.keepSeats(seats, done))
  await play(log, 100)
  const again = await openStore()
  expect(await again.list()).toEqual([RECORD.id])
  const taken = await take(again)
  expect([taken.record, taken.seats]).toEqual([RECORD, seats])
  const logged = readMatchLog(tag, taken.record.setup, taken.entries)!
  expect([logged.session.world.tick, logged.problem]).toEqual([100, undefined])
  expect(taken.replay.length).toBe(logged.replayAt!.length)
})

test('[ML9] however the last write was cut, the match goes on from a tick before it', async () => {
  await play(await begin(await openStore()), 100)
  const path = join(folder, RECORD.id)
  const newest = (await logFiles(path)).at(-1)!
  const whole = readFileSync(join(path, newest))
  const again = await openStore()
  for (let bytes = whole.length - 1; bytes > 0; bytes -= 7) {
    truncateSync(join(path, newest), bytes)
    const { record, entries } = await take(again)
    const logged = readMatchLog(tag, record.setup, entries)
    // In the middle of the checkpoint itself, the log before it may be gone from the disk already.
    if (logged !== undefined) expect(logged.session.world.tick).toBeLessThan(100)
    else expect(bytes).toBeLessThan(whole.length - 4 * 12)
    writeFileSync(join(path, newest), whole)
  }
})

test('[ML28] what is foreign or damaged in the folder fails alone, with the reason', async () => {
  await play(await begin(await openStore()), 20)
  const others = { damaged: 'not json', foreign: '{}', renamed: JSON.stringify(RECORD), large: ' '.repeat(2 << 20) }
  for (const [name, text] of Object.entries(others)) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'record.json'), text)
  }
  mkdirSync(join(folder, 'directory', 'record.json'), { recursive: true })
  mkdirSync(join(folder, 'empty'))
  writeFileSync(join(folder, 'notes'), 'a file')
  const store = await openStore()
  const ids = await store.list()
  expect(ids.sort()).toEqual([...Object.keys(others), 'directory', RECORD.id].sort())
  const problems: string[] = []
  for (const id of ids) {
    await answered<unknown>((done) => store.take(id, done)).catch((error) => problems.push(`${id}: ${error.message}`))
  }
  expect(problems.sort()).toEqual([
    expect.stringMatching(/^damaged: .*JSON/),
    expect.stringMatching(/^directory: EISDIR/),
    'foreign: its record is not that of a match',
    expect.stringMatching(/^large: .* has 2097152 bytes, at most 1048576 are read$/),
    'renamed: its record is not that of a match',
  ])
})

test('[ML9] old logs are removed, and all of a match when it is over', async () => {
  const keeper = await play(await begin(await openStore()), 200)
  const logs = () => readdirSync(join(folder, RECORD.id)).filter((name) => name.startsWith('log-'))
  await expect.poll(() => logs().length, { timeout: 20_000 }).toBe(1)
  await answered<void>((done) => keeper.log.remove(done))
  expect(await (await openStore()).list()).toEqual([])
})

test('[ML5] a disk that is full: the match goes on without protection and says so, and is kept again when there is room', async () => {
  const store = await openStore()
  const host = createHost(tag, { seed: RECORD.setup.seed, bots: [whimsical], fill: 2 })
  const states: string[] = []
  const onState = (state: KeeperState, problem: Error | undefined) =>
    void states.push(`${state} ${(problem as NodeJS.ErrnoException)?.code}`)
  const log = await begin(store)
  // A device of the system on which every write fails as on a full disk.
  const full = [2, 3].map((number) => join(folder, RECORD.id, `log-1-${number}`))
  for (const path of full) symlinkSync('/dev/full', path)
  const keeper = createKeeper(host, log, { checkpointEvery: 16, onState })
  let said = 0
  for (let i = 1; i <= 400 || keeper.state !== 'kept'; i++) {
    expect(mayStep(keeper)).toBe(true)
    stepHost(host)
    keepTick(keeper)
    sayWhenKept(keeper, () => void said++)
    while (said < i) await turnOfLoop()
    // Until another attempt the disk has its time.
    await turnOfLoop()
    tendKeeper(keeper)
  }
  expect(states).toEqual(['away ENOSPC', 'kept undefined'])
  // To be read it would be endless.
  for (const path of full) rmSync(path, { force: true })
  const { record, entries } = await take(store)
  const logged = readMatchLog(tag, record.setup, entries)!
  expect([logged.session.world.tick, hashWorld(logged.session.world)]).toEqual([said, hashWorld(host.world)])
})

test('[ML4] in a folder, too, the owner before cannot write any more', async () => {
  const store = await openStore()
  const keeper = await play(await begin(store), 20)
  await take(store)
  stepHost(keeper.host)
  keepTick(keeper)
  await expect.poll(() => keeper.state).toBe('fenced')
  await expect(answered<void>((done) => keeper.log.keepSeats([], done))).rejects.toBeInstanceOf(Fenced)
})

/** Files of the folder that this process has open. */
function openFiles(): string[] {
  const links = readdirSync('/proc/self/fd').map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`)
    } catch {
      // The one that listed them.
      return ''
    }
  })
  return links.filter((path) => path.startsWith(folder) || path === '/dev/full')
}

const ENTRY = new Uint8Array(8)
const NO_PIECE = { at: 0, bytes: new Uint8Array(0) }

test.runIf(process.platform === 'linux')(
  '[RM47] a full disk costs no open files, and room on it is used at once',
  async () => {
    const log = await begin(await openStore())
    for (let i = 1; i <= 5; i++) symlinkSync('/dev/full', join(folder, RECORD.id, `log-1-${i}`))
    const problems: unknown[] = []
    for (let i = 0; i < 6; i++)
      log.checkpoint(ENTRY, NO_PIECE, (error) => problems.push((error as { code?: string })?.code))
    await expect.poll(() => problems).toEqual([...new Array(5).fill('ENOSPC'), undefined])
    expect(openFiles().map((path) => path.slice(path.lastIndexOf('/') + 1))).toEqual(['replay', 'log-1-6'])
    log.close()
    await expect.poll(openFiles).toEqual([])
  },
)

test.runIf(process.platform === 'linux')('[RM47] what cannot be removed stays', async () => {
  const log = await begin(await openStore())
  mkdirSync(join(folder, RECORD.id, 'log-1-0'))
  for (let i = 0; i < 2; i++) await answered<void>((done) => log.checkpoint(ENTRY, NO_PIECE, done))
  // Were it not caught, the tests would end with an unhandled error.
  await expect.poll(() => openFiles().some((path) => path.endsWith('log-1-1'))).toBe(false)
  await turnOfLoop()
  expect(readdirSync(join(folder, RECORD.id))).toContain('log-1-0')
  log.close()
})
