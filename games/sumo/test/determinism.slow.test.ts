import { advance, hashWorld, listEvents, playBots, restore, type Scene, snapshot, step, syncTest } from 'hurtbox'
import { type AnyWorld, playScene, type Snapshot, startScene, type TickInputs } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import { proveDeterminism } from '../../test/determinism.ts'
import { yokozuna } from '../bots/index.ts'
import type { SumoWorld } from '../rules/declaration.ts'
import { shortScenes } from '../scenes/index.ts'

proveDeterminism(
  shortScenes,
  {
    dummy: 'f29a9774ea01824c',
    bout: '93979635113226d0',
    brawl: '2125e4c936faff20',
    royal: 'ced10df9de9ecb43',
  },
  // Deeper ones are on the four-bot fight below. A ring is 16 m wide.
  { depths: () => [1, 8], cellSizes: [1, 7, 100] },
)

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
  const noted = new Map<string, string>()
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
    note(session.world, noted)
  }

  // The same match again, predicted: every five ticks the last twelve are rolled back and played again.
  const { world } = startScene(scene)
  const saved: Snapshot[] = []
  const notedAgain = new Map<string, string>()
  const play = (t: number) => {
    saved[t] = snapshot(world)
    step(world, inputs[t])
    note(world, notedAgain)
  }
  for (let t = 0; t < scene.ticks; t++) {
    play(t)
    if (t % 5 !== 0 || t < 12) continue
    restore(world, saved[t - 11])
    for (let again = t - 11; again <= t; again++) play(again)
  }
  expect([...notedAgain]).toEqual(expect.arrayContaining([...noted]))
  expect(notedAgain.size).toBe(noted.size)
  expect(hashWorld(world)).toBe(hashWorld(session.world))
  const strikes = [...noted.keys()].filter((key) => key.includes(' strike ')).length
  const { hitting } = world.arrays as SumoWorld['arrays']
  expect(strikes).toBeGreaterThan(10)
  expect(hitting.reduce((sum, times) => sum + times, 0)).toBe(strikes)
})
