/** Random programs over handles, with the columns as the oracle. */

import { expect, test } from 'vitest'
import { type Random, randomOf } from '../../../test/random.ts'
import type { Snapshot } from '../../host/tools/index.ts'
import { despawn, each, exists, moveTo, push, restore, snapshot, spawn, step, thing } from '../../index.ts'
import { type Arena, type ArenaThing, arena, rule } from './fixtures/arena.ts'

const COLUMNS = ['hp', 'combo', 'ammo', 'coins', 'readyAt', 'x', 'vy', 'owner', 'team'] as const
const LAYERS = ['knight', 'slime', 'rock'] as const

test('[TH15] thousands of random operations: every handle shows the columns of its thing, or throws when that has left', () => {
  const seeds = process.env.HURTBOX_LONG ? 2000 : 24
  let operations = 0
  for (let seed = 1; seed <= seeds; seed++) {
    try {
      operations += play(randomOf(seed), 250)
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error })
    }
  }
  expect(operations).toBeGreaterThanOrEqual(seeds * 250)
})

function play(random: Random, count: number): number {
  const upTo = (n: number) => Math.floor(random() * n)
  // Rules that write, spawn and despawn, and refuse now and then: whatever they do, handles of phases must agree.
  const world = arena({
    hits: rule((knight, slime, hit) => {
      slime.hp -= 1
      knight.coins += slime.ammo
      slime.armour.set(1, knight.hp)
      if (slime.hp % 3 === 0) spawn(hit.world, 'rock', { hp: slime.hp, owner: knight })
      if (slime.hp % 4 === 0) despawn(slime)
      push(slime, 1, 0)
      return slime.hp % 5 === 0 ? 'refused' : undefined
    }),
  })
  const kept = new Set<ArenaThing>()
  const saved: Snapshot[] = []
  const pick = (): ArenaThing | undefined => thing(world, world.tables.things.id[upTo(world.tables.things.count)])
  for (let i = 0; i < count; i++) {
    const kind = upTo(20)
    if (kind < 6) {
      const made = spawn(world, LAYERS[upTo(3)], {
        hp: upTo(100),
        ammo: upTo(9),
        radius: 1,
        x: upTo(6),
        armour: [upTo(9)],
      })
      if (made.id !== 0) kept.add(made)
    } else if (kind < 9) {
      const victim = pick()
      if (victim !== undefined) despawn(victim)
    } else if (kind < 13) write(world, pick(), upTo)
    else if (kind < 16) step(world)
    else if (kind < 18) saved[upTo(3)] = snapshot(world)
    else {
      const from = saved[upTo(3)]
      if (from !== undefined) restore(world, from)
    }
    const { things } = world.tables
    for (let row = 0; row < things.count; row++) if (upTo(3) === 0) kept.add(thing(world, things.id[row])!)
    check(world, kept)
  }
  return count
}

function write(world: Arena, target: ArenaThing | undefined, upTo: (n: number) => number): void {
  if (target === undefined) return
  const column = COLUMNS[upTo(COLUMNS.length)]
  const value = upTo(70_000)
  const { things } = world.tables
  // By the handle or by the column: the other must see it.
  if (upTo(2) === 0) target[column] = value
  else things[column][things.id.indexOf(target.id)] = value
  target.slots.set(upTo(2), value)
  if (upTo(3) === 0) push(target, 1, -1)
  if (upTo(5) === 0) moveTo(target, upTo(6), 0)
}

function check(world: Arena, kept: Set<ArenaThing>): void {
  const { things } = world.tables
  const ids = [...things.id.subarray(0, things.count)]
  for (const handle of kept) {
    const row = ids.indexOf(handle.id)
    let shown: unknown
    try {
      shown = COLUMNS.map((column) => handle[column])
    } catch {
      // This handle stays dead: its id may be in the world again, but with another handle.
      if (row >= 0 && thing(world, handle.id) === handle)
        throw new Error(`${handle.id} throws, though it is in the world`)
      if (exists(handle)) throw new Error(`${handle.id} throws, though it exists`)
      kept.delete(handle)
      continue
    }
    if (row < 0) throw new Error(`${handle.id} can be read, though it has left`)
    if (thing(world, handle.id) !== handle) throw new Error(`${handle.id} has two handles`)
    if (exists(handle) !== (things.leaving[row] === 0)) throw new Error(`${handle.id}: exists is wrong`)
    expect(shown).toEqual(COLUMNS.map((column) => things[column][row]))
    expect([0, 1, 2].map((n) => handle.armour.get(n))).toEqual([...things.armour.subarray(3 * row, 3 * row + 3)])
    expect(handle.layer).toBe(LAYERS[things.layer[row]])
  }
  const looped = [...each(world)].map(({ id }) => id)
  expect(looped).toEqual(ids.filter((_, row) => things.leaving[row] === 0))
}
