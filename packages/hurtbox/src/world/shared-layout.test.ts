/** V8 compiles code for the layouts of objects that it has seen. Where each world has its own, a process with many rooms runs slowly. */

import { setFlagsFromString } from 'node:v8'
import { expect, test } from 'vitest'
import { createWorld, declareGame, defineGame, tune } from '../index.ts'
import type { AnyWorld } from './world.ts'

setFlagsFromString('--allow-natives-syntax')
const isSameLayout = new Function('a', 'b', 'return %HaveSameMap(a, b)') as (a: object, b: object) => boolean
const isFast = new Function('a', 'return %HasFastProperties(a)') as (a: object) => boolean

test('[RM41] worlds of a game share the layout of what every tick reads', () => {
  const layers = { ship: ['bullet'], bullet: [] } as const
  const events = { hit: { victim: 'id' }, miss: { shooter: 'id' } } as const
  const game = defineGame(
    declareGame({
      id: 'many',
      tickRate: 60,
      layers,
      events,
      players: { score: 'u32' },
      tuning: { speed: tune(3), radius: tune(9), range: tune(100) },
    }),
    { phases: { rest: () => {} } },
  )
  const [one, other] = [1, 2].map((seed) => createWorld(game, { seed }) as unknown as AnyWorld)
  const parts = (world: AnyWorld): Readonly<Record<string, object>> => ({
    world,
    tuning: world.tuning,
    tables: world.tables,
    things: world.tables.things,
    players: world.tables.players,
    events: world.events,
    'events.hit': world.events.hit,
    memory: world.memory,
    block: world.memory.block,
  })
  const others = parts(other)
  for (const [name, part] of Object.entries(parts(one))) {
    expect(isFast(part), `${name} has a fixed layout`).toBe(true)
    expect(isSameLayout(part, others[name]), `${name} has the layout of another world's`).toBe(true)
  }
  expect(Object.values({ ...one.tuning }).slice(1)).toEqual([3, 9, 100])
})
