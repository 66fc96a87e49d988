import {
  type AnyWorld,
  advance,
  hashWorld,
  listEvents,
  playBots,
  playScene,
  requireInSync,
  restore,
  runScene,
  type Scene,
  type Session,
  type Snapshot,
  snapshot,
  startScene,
  step,
  syncTest,
  type TickInputs,
} from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { withPoisonedGlobals } from '../../../scripts/engines/poison.ts'
import { yokozuna } from '../bots/index.ts'
import type { SumoWorld } from '../rules/index.ts'
import { shortScenes } from '../scenes/index.ts'

/**
 * Change these only together with a deliberate change of behaviour, and say so in the commit. Bots are part of a scene:
 * a bot that plays differently moves its hash as well.
 */
const GOLDEN: Readonly<Record<string, string>> = {
  dummy: 'f29a9774ea01824c',
  bout: '93979635113226d0',
  brawl: '2125e4c936faff20',
  royal: 'ced10df9de9ecb43',
}

describe.each(shortScenes)('scene $name', (scene) => {
  let played: Session | undefined

  /** The scene played to its end, once for all tests. */
  function playedToEnd(): Session {
    if (played !== undefined) return played
    played = startScene(scene)
    playScene(scene, played, scene.ticks)
    return played
  }

  test('[DT1] ends in the committed hash', () => {
    expect(runScene(scene).hash).toBe(GOLDEN[scene.name])
  })

  // Deeper ones are on the four-bot fight below.
  test.each([1, 8])('[DT2] rolled back %d ticks on every tick, it equals itself never rolled back', (depth) => {
    requireInSync(syncTest(playedToEnd(), depth))
  })

  test('[DT3] restored into a fresh world on every tick, it equals itself', () => {
    requireInSync(syncTest(playedToEnd(), 1, { fresh: true }))
  })

  test('[DT7] cell size and grid on or off change nothing', () => {
    for (const options of [{ grid: false }, { cellSize: 1 }, { cellSize: 100 }]) {
      const { hash } = runScene({ ...scene, options: { ...scene.options, ...options } })
      expect(hash, JSON.stringify(options)).toBe(GOLDEN[scene.name])
    }
  })

  test('[DT4] runs with all approximate and ambient functions replaced by throwing ones', () => {
    const { hash } = withPoisonedGlobals(() => runScene(scene))
    expect(hash).toBe(GOLDEN[scene.name])
  })
})

/** The four-bot fight, with other seeds for longer runs. */
function brawl(seed?: number): Scene {
  const scene = shortScenes.find(({ name }) => name === 'brawl')!
  return seed === undefined ? scene : { ...scene, seed, inputs: playBots(yokozuna, 4, seed) }
}

test('[SU30] a four-bot fight with all abilities, rolled back by 1 to 64 ticks on every tick, differs in none', () => {
  const isLong = process.env.HURTBOX_LONG !== undefined
  const depths = isLong ? Array.from({ length: 64 }, (_, i) => i + 1) : [1, 3, 8, 21, 64]
  const wanted = isLong ? 100_000 : depths.length * brawl().ticks
  let rollbacks = 0
  for (let n = 0; rollbacks < wanted; n++) {
    const scene = brawl(n < depths.length ? undefined : n)
    const session = startScene(scene)
    playScene(scene, session, scene.ticks)
    const { used } = session.world.arrays as SumoWorld['arrays']
    if (n === 0)
      expect(
        used.every((times) => times > 0),
        'all abilities are used',
      ).toBe(true)
    const depth = depths[n % depths.length]
    const report = syncTest(session, depth)
    expect(report.mismatch, `seed ${scene.seed}, depth ${depth}`).toBeUndefined()
    rollbacks += report.rollbacks
  }
  expect(rollbacks).toBeGreaterThanOrEqual(wanted)
})

test('[SU31] a hit that is simulated again counts once, in the state and in the events', () => {
  const scene = brawl()
  const session = startScene(scene)
  const inputs: TickInputs[] = []
  const told = new Map<string, string>()
  const note = (world: AnyWorld, into: Map<string, string>) => {
    for (const event of listEvents(world)) {
      const key = `${event.tick} ${event.kind} ${event.n}`
      const text = JSON.stringify(event)
      expect(into.get(key) ?? text, key).toBe(text)
      into.set(key, text)
    }
  }
  for (let t = 0; t < scene.ticks; t++) {
    inputs.push(scene.inputs!(t, session.world))
    advance(session, inputs[t])
    note(session.world, told)
  }

  // The same match again, predicted: every five ticks the last twelve are taken back and played again.
  const { world } = startScene(scene)
  const saved: Snapshot[] = []
  const toldAgain = new Map<string, string>()
  const play = (t: number) => {
    saved[t] = snapshot(world)
    step(world, inputs[t])
    note(world, toldAgain)
  }
  for (let t = 0; t < scene.ticks; t++) {
    play(t)
    if (t % 5 !== 0 || t < 12) continue
    restore(world, saved[t - 11])
    for (let again = t - 11; again <= t; again++) play(again)
  }
  expect([...toldAgain]).toEqual(expect.arrayContaining([...told]))
  expect(toldAgain.size).toBe(told.size)
  expect(hashWorld(world)).toBe(hashWorld(session.world))
  const strikes = [...told.keys()].filter((key) => key.includes(' strike ')).length
  const { hitting } = world.arrays as SumoWorld['arrays']
  expect(strikes).toBeGreaterThan(10)
  expect(hitting.reduce((sum, times) => sum + times, 0)).toBe(strikes)
})
