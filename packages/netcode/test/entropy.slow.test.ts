/** What entropy from the host costs mirrors: two of them, 90 ms each way, with and without it. docs/server.md has the figures. */

import { defineGame } from 'hurtbox'
import { purposeOf, randomAt, unitAt } from 'hurtbox/math'
import { loadReplay, verifyReplay } from 'hurtbox/replay'
import type { AnyGame, AnyWorld } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import { type SimulationReport, simulate } from '../src/links/index.ts'
import { declaration, phases, tag, whimsical } from './support.ts'

const LOOT = purposeOf('loot of a test')
const TICKS = 600

const fastTag = defineGame({ ...declaration, tickRate: 60 }, tag.behaviour as never)

/** Every thrown dart is worth what a die says. */
const lootTag = defineGame({ ...declaration, id: 'loot', tickRate: 60 }, {
  ...tag.behaviour,
  phases: {
    ...phases,
    loot(world: AnyWorld) {
      const { thrown } = world.events
      for (let i = 0; i < thrown.count; i++) {
        world.globals.pot += Math.floor(6 * unitAt(world.entropy, world.clock, thrown.thrower[i], 0, LOOT))
      }
    },
  },
} as never)

const played = new Map<string, SimulationReport>()

/** `every` is `entropyEvery` of the room; 0: none. */
function play(game: AnyGame, every: number): SimulationReport {
  const key = `${game.declaration.id} ${every}`
  const report = played.get(key) ?? playOnce(game, every)
  played.set(key, report)
  return report
}

function playOnce(game: AnyGame, every: number): SimulationReport {
  let drawn = 0
  const bits = () => randomAt(7, ++drawn, 0, 0, LOOT)
  const report = simulate({
    game,
    bots: [whimsical],
    clients: 2,
    ticks: TICKS,
    seed: 5,
    link: { kind: 'stream', latencyMs: 90, jitterMs: 10 },
    host: every === 0 ? {} : { entropy: { every, bits } },
  })
  const { rollbacks, resimulatedPerTick, bytesPerSecond } = report
  console.log(
    `${game.declaration.id}, entropyEvery ${every}: ${rollbacks} corrections, ` +
      `${resimulatedPerTick.toFixed(2)} ticks stepped again per tick, ${bytesPerSecond.toFixed(0)} B/s to a mirror`,
  )
  expect(report.mismatches).toBe(0)
  expect(report.hashChecks).toBeGreaterThan(50)
  return report
}

test('[EN4] where nothing rolls, entropy in every tick corrects nothing; where dice are rolled, their rolls are', () => {
  const without = play(fastTag, 0)
  expect(without.rollbacks).toBeGreaterThan(100)
  for (const every of [1, 60]) {
    const { rollbacks, resimulatedPerTick } = play(fastTag, every)
    expect([rollbacks, resimulatedPerTick]).toEqual([without.rollbacks, without.resimulatedPerTick])
  }
  // Known from the seed a roll is foreseen; drawn by the host it is not.
  const known = play(lootTag, 0)
  const drawn = play(lootTag, 1)
  expect(drawn.rollbacks).toBeGreaterThan(known.rollbacks)
  expect(verifyReplay(lootTag, loadReplay(lootTag, drawn.replay))).toMatchObject({ ok: true })
})

test('[EN5] entropy in every tick is 7 bytes a tick to a mirror: inputs that are held are not sent again', () => {
  const perTick = (play(fastTag, 1).bytesPerSecond - play(fastTag, 0).bytesPerSecond) / 60
  expect(perTick).toBeGreaterThan(6.5)
  expect(perTick).toBeLessThanOrEqual(7)
})
