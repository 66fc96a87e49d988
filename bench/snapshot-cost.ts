/**
 * What a snapshot costs, beside a plain copy of the same bytes: `node bench/snapshot-cost.ts`.
 *
 * Things with 24 columns in a table with four times as much room, as games have it. Turns are interleaved and medians
 * taken, because the machine is shared.
 */

import { createWorld, declareGame, defineGame, restore, snapshot, spawn } from 'hurtbox'

/** With the engine's own 12 columns these make 24. */
const columns = {
  hp: 'f64',
  maxHp: 'f64',
  shield: 'f64',
  armour: 'f64',
  heading: 'f64',
  throttle: 'f64',
  invulnerableUntil: 'timer',
  readyAt: 'timer',
  returnsAt: 'timer',
  target: 'id',
  charge: 'u16',
  mode: 'u8',
} as const

const ROUNDS = 41

for (const count of [200, 1_000, 10_000, 50_000]) {
  const game = defineGame(
    declareGame({
      id: 'cost',
      tickRate: 60,
      seats: { min: 0, max: 1 },
      layers: { fighter: [] },
      capacity: 4 * count,
      things: columns,
    }),
    { phases: {} },
  )
  const world = createWorld(game)
  for (let i = 0; i < count; i++) spawn(world, 'fighter', { x: i, y: -i, hp: 100 })
  const taken = snapshot(world)
  const target = snapshot(world)
  const copy = new Uint8Array(taken.byteLength)
  const repeats = Math.max(1, Math.round(400_000 / count))

  const contenders: readonly (readonly [string, () => void])[] = [
    ['copy', () => copy.set(taken.bytes.subarray(0, taken.byteLength))],
    ['snapshot', () => void snapshot(world, target)],
    ['restore', () => restore(world, taken)],
  ]
  const times = new Map<string, number[]>(contenders.map(([name]) => [name, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const [name, run] = contenders[(turn + round) % contenders.length]
      const start = performance.now()
      for (let i = 0; i < repeats; i++) run()
      times.get(name)!.push(((performance.now() - start) / repeats) * 1000)
    }
  }
  const median = (name: string) => times.get(name)!.sort((a, b) => a - b)[ROUNDS >> 1]
  const [plain, taking, restoring] = ['copy', 'snapshot', 'restore'].map(median)
  console.log(
    JSON.stringify({
      things: count,
      columns: world.tables.things.columns.length,
      bytesPerThing: Math.round(taken.byteLength / count),
      copyMicroseconds: round2(plain),
      snapshotMicroseconds: round2(taking),
      restoreMicroseconds: round2(restoring),
      snapshotToCopy: round2(taking / plain),
      restoreToCopy: round2(restoring / plain),
    }),
  )
}

function round2(value: number): number {
  return Math.round(value * 100) / 100
}
