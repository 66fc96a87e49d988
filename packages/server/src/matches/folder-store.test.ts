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
import { HurtboxError, hashWorld } from 'hurtbox'
import { readMatchLog } from 'hurtbox/replay'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RECORD } from '../../../netcode/test/memory-store.ts'
import { tag, whimsical } from '../../../netcode/test/support.ts'
import { type FolderStore, folderStore } from './folder-store.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hurtbox-matches-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function begin(store: FolderStore): MatchLog {
  let log: MatchLog | undefined
  store.create(RECORD, (_error, made) => {
    log = made
  })
  return log!
}

function take(store: FolderStore): TakenMatch {
  let taken: TakenMatch | undefined
  store.take(RECORD.id, (error, found) => {
    if (error !== undefined) throw error
    taken = found
  })
  return taken!
}

function play(log: MatchLog, ticks: number) {
  const host = createHost(tag, { seed: RECORD.setup.seed, bots: [whimsical], fill: 2 })
  const keeper = createKeeper(host, log, { checkpointEvery: 16 })
  for (let i = 0; i < ticks; i++) {
    stepHost(host)
    keepTick(keeper)
  }
  return keeper
}

test('[ML9] a process that is started again finds its matches, their seats and their replays', () => {
  const log = begin(folderStore(folder))
  const seats = [
    { sessionId: 's', seat: 2, mode: 'mirror', name: 'Ada', id: '', data: undefined, tokens: ['hash'] },
  ] as const
  log.keepSeats(seats, (error) => expect(error).toBeUndefined())
  play(log, 100)
  const again = folderStore(folder)
  expect(again.list()).toEqual([RECORD.id])
  const taken = take(again)
  expect([taken.record, taken.seats]).toEqual([RECORD, seats])
  const logged = readMatchLog(tag, taken.record.setup, taken.entries)!
  expect([logged.session.world.tick, logged.problem]).toEqual([100, undefined])
  expect(taken.replay.length).toBe(logged.replayAt!.length)
})

test('[ML9] however the last write was cut, the match goes on from a tick before it', () => {
  play(begin(folderStore(folder)), 100)
  const path = join(folder, RECORD.id)
  const newest = readdirSync(path)
    .filter((name) => name.startsWith('log-'))
    .sort((a, b) => Number(a.slice(4)) - Number(b.slice(4)))
    .at(-1)!
  const whole = readFileSync(join(path, newest))
  for (let bytes = whole.length - 1; bytes > 0; bytes -= 7) {
    truncateSync(join(path, newest), bytes)
    const { record, entries } = take(folderStore(folder))
    const logged = readMatchLog(tag, record.setup, entries)
    // In the middle of the checkpoint itself, the log before it may be gone from the disk already.
    if (logged !== undefined) expect(logged.session.world.tick).toBeLessThan(100)
    else expect(bytes).toBeLessThan(whole.length - 4 * 12)
    writeFileSync(join(path, newest), whole)
  }
})

test('[ML28] what is foreign or damaged in the folder fails alone, with the reason', () => {
  play(begin(folderStore(folder)), 20)
  const others = { damaged: 'not json', foreign: '{}', renamed: JSON.stringify(RECORD), large: ' '.repeat(2 << 20) }
  for (const [name, text] of Object.entries(others)) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'record.json'), text)
  }
  mkdirSync(join(folder, 'directory', 'record.json'), { recursive: true })
  mkdirSync(join(folder, 'empty'))
  writeFileSync(join(folder, 'notes'), 'a file')
  const store = folderStore(folder)
  expect(store.list().sort()).toEqual([...Object.keys(others), 'directory', RECORD.id].sort())
  const problems = store.list().flatMap((id) => {
    let problem: Error | undefined
    store.take(id, (error) => {
      problem = error
    })
    return problem === undefined ? [] : [`${id}: ${problem.message}`]
  })
  expect(problems.sort()).toEqual([
    expect.stringMatching(/^damaged: .*JSON/),
    expect.stringMatching(/^directory: EISDIR/),
    'foreign: its record is not that of a match',
    expect.stringMatching(/^large: .* has 2097152 bytes, at most 1048576 are read$/),
    'renamed: its record is not that of a match',
  ])
})

test('[ML9] old logs are removed, and all of a match when it is over', async () => {
  const keeper = play(begin(folderStore(folder)), 200)
  const logs = () => readdirSync(join(folder, RECORD.id)).filter((name) => name.startsWith('log-'))
  await expect.poll(() => logs().length, { timeout: 20_000 }).toBe(1)
  keeper.log.remove(() => {})
  expect(folderStore(folder).list()).toEqual([])
})

test('[ML5] a disk that is full: the match goes on without protection and says so, and is kept again when there is room', () => {
  const store = folderStore(folder)
  const host = createHost(tag, { seed: RECORD.setup.seed, bots: [whimsical], fill: 2 })
  const states: string[] = []
  const onState = (state: KeeperState, problem: Error | undefined) =>
    void states.push(`${state} ${(problem as NodeJS.ErrnoException)?.code}`)
  const log = begin(store)
  // A device of the system on which every write fails as on a full disk.
  const full = ['log-2', 'log-3'].map((name) => join(folder, RECORD.id, name))
  for (const path of full) symlinkSync('/dev/full', path)
  const keeper = createKeeper(host, log, { checkpointEvery: 16, onState })
  for (let i = 0; i < 400; i++) {
    expect(mayStep(keeper)).toBe(true)
    stepHost(host)
    keepTick(keeper)
    let isSaid = false
    sayWhenKept(keeper, () => {
      isSaid = true
    })
    expect(isSaid).toBe(true)
    tendKeeper(keeper)
  }
  expect(states).toEqual(['away ENOSPC', 'kept undefined'])
  // To be read it would be endless.
  for (const path of full) rmSync(path, { force: true })
  const { record, entries } = take(store)
  const logged = readMatchLog(tag, record.setup, entries)!
  expect([logged.session.world.tick, hashWorld(logged.session.world)]).toEqual([400, hashWorld(host.world)])
})

test('[ML4] in a folder, too, the owner before cannot write any more', () => {
  const store = folderStore(folder)
  const keeper = play(begin(store), 20)
  take(store)
  stepHost(keeper.host)
  keepTick(keeper)
  expect(keeper.state).toBe('fenced')
  keeper.log.keepSeats([], (error) => expect(error).toBeInstanceOf(Fenced))
})

test('[ML10] a folder that a living process uses is refused, one of a dead process is not', () => {
  folderStore(folder)
  // The parent of this process lives, and so does its beginning.
  const stat = readFileSync(`/proc/${process.ppid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')[19]
  writeFileSync(join(folder, '.process'), `${process.ppid} ${stat}`)
  expect(() => folderStore(folder)).toThrow(HurtboxError)
  writeFileSync(join(folder, '.process'), `${process.ppid} 1`)
  expect(() => folderStore(folder), 'another process got its number').not.toThrow()
  writeFileSync(join(folder, '.process'), '999999999 1')
  expect(() => folderStore(folder)).not.toThrow()
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
  () => {
    const log = begin(folderStore(folder))
    for (let i = 1; i <= 5; i++) symlinkSync('/dev/full', join(folder, RECORD.id, `log-${i}`))
    const problems: unknown[] = []
    for (let i = 0; i < 6; i++)
      log.checkpoint(ENTRY, NO_PIECE, (error) => problems.push((error as { code?: string })?.code))
    expect(problems).toEqual([...new Array(5).fill('ENOSPC'), undefined])
    expect(openFiles().map((path) => path.slice(path.lastIndexOf('/') + 1))).toEqual(['replay', 'log-6'])
    log.close()
  },
)

test.runIf(process.platform === 'linux')('[RM47] what cannot be removed stays', async () => {
  const log = begin(folderStore(folder))
  mkdirSync(join(folder, RECORD.id, 'log-0'))
  for (let i = 0; i < 2; i++) log.checkpoint(ENTRY, NO_PIECE, (error) => expect(error).toBeUndefined())
  // Were it not caught, the tests would end with an unhandled error.
  while (openFiles().some((path) => path.endsWith('log-1'))) await new Promise((resolve) => setTimeout(resolve, 5))
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(readdirSync(join(folder, RECORD.id))).toContain('log-0')
  log.close()
})
