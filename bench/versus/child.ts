/**
 * One process of the comparison: it loads one checkout, measures one thing and prints one line of JSON.
 *
 * Each measurement has a process of its own, because what the compiler made of an earlier one would be measured too. Time
 * is CPU time of the whole process after a warm-up, so collecting garbage counts and other programs on the machine do not.
 *
 *   node bench/versus/child.ts --root <checkout> --what <what> --matches <folder> [--game <name>]
 */

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { GCProfiler } from 'node:v8'
import { type Engine, loadEngine, loadGame } from './engine.ts'
import { createHits, HITS } from './hits.ts'
import { loadMatch, MATCHES, type Match, playOn, type Replay, recordMatch, saveMatch, startReplay } from './match.ts'
import { createSpace, type SpaceName } from './space.ts'

export type What = 'record' | 'game' | 'storm' | 'hits' | 'hits-after-games' | 'space' | 'heap'

export type Measured = {
  /** Microseconds of CPU time per tick, or bytes per tick. */
  readonly value: number
  /** The state at the end. */
  readonly hash: string
}

const WARM_UP_MS = 1500
const MEASURE_MS = 800
/** Ticks of each game that make shared code megamorphic before the hits are measured. */
const TICKS_BEFORE_HITS = 1500
const STORM = { warmUp: 120, ticks: 200 }
const HIT_TICKS = 2000
/** In ticks, not in time: the compiler gets rid of allocations one by one, and both sides must be equally far. */
const HEAP_WARM_UP = 60_000
/** Parts of a match before its heap is looked at: scratch grows at first, and a collection throws compiled code away. */
const SETTLING = { beforeCollection: 0.2, after: 0.3 }

const { values } = parseArgs({
  options: {
    root: { type: 'string' },
    what: { type: 'string' },
    matches: { type: 'string' },
    game: { type: 'string' },
  },
})
const { root = '', matches = '', game: gameName = '' } = values
const engine = await loadEngine(root)
process.stdout.write(`${JSON.stringify(await measure(values.what as What))}\n`)

async function measure(what: What): Promise<Measured> {
  switch (what) {
    case 'record':
      return record()
    case 'game':
      return measureGame()
    case 'storm':
      return measureStorm()
    case 'hits':
      return measureHits()
    case 'hits-after-games':
      for (const name of Object.keys(MATCHES)) {
        const { match, start } = await loadReplays(name)
        playOn(engine, match, start(), TICKS_BEFORE_HITS)
      }
      return measureHits()
    case 'space':
      return measureSpace()
    case 'heap':
      return measureHeap()
  }
}

async function record(): Promise<Measured> {
  const match = recordMatch(engine, gameName, await loadGame(root, gameName))
  saveMatch(matchFile(gameName), match)
  return { value: match.ticks, hash: match.hash }
}

async function measureGame(): Promise<Measured> {
  const { match, start } = await loadReplays(gameName)
  let replay = start()
  const playOnce = () => {
    replay = start()
    return cpuTime(() => playOn(engine, match, replay, match.ticks))
  }
  repeat(playOnce, WARM_UP_MS)
  return { value: repeat(playOnce, MEASURE_MS) / match.ticks, hash: engine.hashWorld(replay.world) }
}

/** The world of games/nightfall/bench/storm.ts. The rain is timed too (a tenth), as leaving it out needs the game's phases. */
async function measureStorm(): Promise<Measured> {
  const { game } = await loadGame(root, 'nightfall')
  const world = engine.createWorld(game, {
    seed: 3,
    options: { start: 'storm' },
    tuning: { survivorHp: 1e6, gemWorth: 0 },
  })
  engine.step(world, { controls: [{ control: 'join', seat: 0 }] })
  const run = stepper(world)
  run(STORM.warmUp)
  const spent = cpuTime(() => run(STORM.ticks))
  return { value: spent / STORM.ticks, hash: engine.hashWorld(world) }
}

function measureHits(): Measured {
  const { world, hpLost } = createHits(engine)
  const run = stepper(world)
  const playOnce = () => cpuTime(() => run(HIT_TICKS))
  repeat(playOnce, WARM_UP_MS)
  const value = repeat(playOnce, MEASURE_MS) / HIT_TICKS
  if (hpLost() !== HITS * world.tick) throw new Error(`${hpLost()} hits in ${world.tick} ticks, not ${HITS} a tick.`)
  // How often it ran depends on its speed, and so does the state.
  return { value, hash: '' }
}

/** One search over all circles, or a thousand questions. */
async function measureSpace(): Promise<Measured> {
  const search = await createSpace(root, gameName as SpaceName)
  const searchOnce = () => cpuTime(() => void search())
  repeat(searchOnce, WARM_UP_MS)
  return { value: repeat(searchOnce, MEASURE_MS), hash: String(search()) }
}

/** Needs --expose-gc and a young generation so large that nothing is collected while it counts. */
async function measureHeap(): Promise<Measured> {
  const { match, start } = await loadReplays(gameName)
  for (let played = 0; played < HEAP_WARM_UP; played += match.ticks) playOn(engine, match, start(), match.ticks)
  const replay = start()
  playOn(engine, match, replay, Math.floor(match.ticks * SETTLING.beforeCollection))
  globalThis.gc?.()
  playOn(engine, match, replay, Math.floor(match.ticks * SETTLING.after))
  const ticks = match.ticks - replay.world.tick
  const profiler = new GCProfiler()
  profiler.start()
  const before = process.memoryUsage().heapUsed
  playOn(engine, match, replay, ticks)
  const allocated = process.memoryUsage().heapUsed - before
  if (profiler.stop()!.statistics.length > 0) throw new Error(`garbage was collected while ${gameName} was measured.`)
  return { value: allocated / ticks, hash: engine.hashWorld(replay.world) }
}

async function loadReplays(name: string): Promise<{ readonly match: Match; readonly start: () => Replay }> {
  const { game } = await loadGame(root, name)
  const match = loadMatch(matchFile(name))
  return { match, start: () => startReplay(engine, game, match) }
}

function matchFile(name: string): string {
  return join(matches, `${name}.match`)
}

/** Ticks without inputs. */
function stepper(world: Parameters<Engine['stepEncoded']>[0]): (ticks: number) => void {
  const inputs = engine.createEncodedInputs(world)
  return (ticks) => {
    for (let i = 0; i < ticks; i++) engine.stepEncoded(world, inputs)
  }
}

/** Runs for at least `leastMs` and returns the mean of what the runs took. */
function repeat(run: () => number, leastMs: number): number {
  let [total, runs] = [0, 0]
  while (total < leastMs * 1000) {
    total += run()
    runs++
  }
  return total / runs
}

/** Microseconds. */
function cpuTime(run: () => void): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
