/**
 * Random content, random fights: whatever designers write and players press, the state stays whole, and a rollback changes
 * nothing.
 */

import { expect, test } from 'vitest'
import { chance, int, pick, range, seedStream, unitVector } from '../../geometry/math/index.ts'
import { sameSnapshot } from '../../host/tools/index.ts'
import { createWorld, findRow, restore, snapshot, step } from '../../index.ts'
import { type Arena, arena, enter, KIND } from './fixtures/arena.ts'
import type { AbilitySpec, EffectSpec, FrameName } from './index.ts'

// Rules AB37 and AB38; see docs/spec.md, section "Abilities".

const NAMES = ['one', 'two', 'three', 'four']

/** Four abilities of all sorts of effects. */
function randomContent(stream: Uint32Array): Record<string, AbilitySpec> {
  const ticks = (most: number) => int(stream, 0, most)
  const frame = () => pick(stream, ['world', 'caster', 'victim', 'away', 'turned'] as const) as FrameName
  const direction = () => [range(stream, -1, 1), range(stream, -1, 1), range(stream, 0.1, 1)] as const
  const spec = (): AbilitySpec => {
    const active = int(stream, 1, 6)
    const steps = int(stream, 1, 3)
    const onHit = (): EffectSpec =>
      pick(stream, [
        { on: 'hit', damage: { amount: ticks(20) } },
        { on: 'hit', force: { frame: frame(), along: direction(), impulse: range(stream, 0, 30) } },
        { on: 'hit', stun: { ticks: ticks(8), launch: ticks(8), stop: ticks(4) } },
        { on: 'hit', grab: { ticks: 1 + ticks(20) } },
        { on: 'hit', pull: { speed: range(stream, 0, 5) } },
        { on: 'hit', ability: { name: pick(stream, NAMES) } },
        { on: 'hit', target: 'caster', shield: { amount: 10, ticks: ticks(9) } },
      ] satisfies EffectSpec[])
    const own = (): EffectSpec => {
      const on = pick(stream, ['cast', 'active', 'end', 'input'] as const)
      const when = { on, ...(on === 'input' && { slot: pick(stream, NAMES) }) }
      const effect = pick(stream, [
        { dash: { speed: range(stream, 0, 15) } },
        { teleport: { by: [range(stream, -3, 3), range(stream, -3, 3), 0] } },
        { shield: { amount: 15, ticks: ticks(20) } },
        {
          buff: { stat: pick(stream, ['speed', 'damage', 'force', 'weight'] as const), factor: 2, ticks: 1 + ticks(9) },
        },
        { projectile: { speed: range(stream, 1, 60), radius: 0.3, life: 1 + ticks(30), ahead: 1.5, pierce: ticks(2) } },
        { area: { radius: range(stream, 1, 4), life: 1 + ticks(10), every: ticks(3) } },
        { throw: { frame: 'caster', along: direction(), impulse: 20, ticks: ticks(9), launch: ticks(9) } },
        { ability: { name: pick(stream, NAMES) } },
      ])
      // Something released in every tick would only fill the table.
      const isReleased = 'projectile' in effect || 'area' in effect || 'ability' in effect
      return { ...when, ...(on === 'active' && isReleased && { on: 'cast' }), ...effect } as EffectSpec
    }
    const melee = (): EffectSpec => ({
      on: 'active',
      melee: {
        ...pick(stream, [
          { box: [0.5, 0.75, 1], ahead: 1.5 },
          { capsule: { radius: 0.5, halfLength: 1 }, ahead: 1 },
          { sphere: { radius: 2 } },
          { arc: { reach: 3, angle: 2, halfHeight: 1 } },
        ] as const),
        apart: chance(stream, 0.2),
        every: chance(stream, 0.2) ? 1 + ticks(3) : 0,
      },
    })
    return {
      startup: ticks(4),
      active,
      recovery: ticks(4),
      cooldown: ticks(20),
      steps,
      window: ticks(12),
      superArmor: chance(stream, 0.2),
      control: 'turn',
      cancels: chance(stream, 0.5)
        ? { [pick(stream, NAMES)]: pick(stream, ['always', 'active', 'hit', 'recovery'] as const) }
        : {},
      effects: [melee(), ...Array.from({ length: 3 }, onHit), ...Array.from({ length: 2 }, own)],
    }
  }
  return Object.fromEntries(NAMES.map((name) => [name, spec()]))
}

const facing = { x: 1, y: 0 }

/** Random presses and turns for all fighters. */
function stir({ world }: Arena, stream: Uint32Array): void {
  const { things } = world.tables
  const { presses } = world.arrays
  for (let row = 0; row < things.count; row++) {
    for (let slot = 0; slot < NAMES.length; slot++)
      presses[row * 8 + slot] = chance(stream, 0.1) ? int(stream, 1, 2) : 0
    if (things.kind[row] !== KIND.fighter || !chance(stream, 0.2)) continue
    unitVector(stream, facing)
    things.facingX[row] = facing.x
    things.facingY[row] = facing.y
    // Back to the others.
    if (Math.abs(things.x[row]) + Math.abs(things.y[row]) > 12) {
      things.x[row] = range(stream, -3, 3)
      things.y[row] = range(stream, -3, 3)
      things.z![row] = 0
      things.teleports[row]++
    }
  }
}

/** What is true of every state between two ticks; returns what is not. */
function faults({ world, abilities }: Arena): string[] {
  const { things, casts, hits } = world.tables
  const found: string[] = []
  const swings = new Set<number>()
  const subCasts = new Map<number, number>()
  for (let cast = 0; cast < casts.count; cast++) {
    swings.add(casts.swing[cast])
    const caster = findRow(things, casts.caster[cast])
    if (caster < 0) continue
    if (casts.depth[cast] > 0) subCasts.set(caster, (subCasts.get(caster) ?? 0) + 1)
    else if (things.busyWith[caster] !== casts.id[cast])
      found.push(`cast ${casts.id[cast]} does not keep its caster busy`)
    if (casts.endsAt[cast] < world.clock) found.push(`cast ${casts.id[cast]} should have ended`)
    if (casts.step[cast] > abilities.list[casts.ability[cast]].steps)
      found.push(`cast ${casts.id[cast]}: one step too many`)
  }
  for (let row = 0; row < things.count; row++) {
    const id = things.id[row]
    if (things.busyWith[row] !== 0 && findRow(casts, things.busyWith[row]) < 0) found.push(`${id} is busy with nothing`)
    if (things.subCasts[row] !== (subCasts.get(row) ?? 0)) found.push(`${id}: ${things.subCasts[row]} sub-casts`)
    if (things.heldBy[row] !== 0) {
      const holder = findRow(things, things.heldBy[row])
      if (holder >= 0 && things.holds[holder] !== id) found.push(`${id} is held by hands that hold another`)
    }
    if (things.shield[row] < 0 || things.hp[row] < 0) found.push(`${id} has a negative amount`)
    if (things.stopFor[row] !== 0) found.push(`${id} still has a stop to come`)
    if (things.ability[row] !== 0) swings.add(things.swing[row])
  }
  for (let row = 0; row < hits.count; row++) {
    const isOver = !swings.has(Math.floor(hits.attack[row] / 8))
    // What a spent projectile has hit is forgotten when it would have ended.
    if (isOver && hits.until[row] === 0xffffffff)
      found.push(`a hit set of swing ${Math.floor(hits.attack[row] / 8)} is left`)
  }
  return found
}

const PROGRAMS = process.env.HURTBOX_LONG ? 3000 : 25
const TICKS = 120

test('[AB37] random fights with random content leave the state whole; [AB38] and rolled back they are the same', () => {
  let strikes = 0
  let casts = 0
  for (let seed = 0; seed < PROGRAMS; seed++) {
    const stream = new Uint32Array(4)
    seedStream(stream, seed, 'abilities')
    const stage = arena(randomContent(stream))
    for (let i = 0; i < 4; i++) enter(stage, 2 * i - 3, i % 2, 1, 0)
    const { world } = stage
    const before = snapshot(world)
    const saved = Uint32Array.from(stream)
    let kept = snapshot(world)
    let keptStream = Uint32Array.from(stream)
    for (let t = 0; t < TICKS; t++) {
      if (t % 10 === 0) {
        kept = snapshot(world)
        keptStream = Uint32Array.from(stream)
      }
      stir(stage, stream)
      step(world)
      strikes += world.events.strike.count
      casts += world.events.cast.count
      expect(faults(stage), `seed ${seed}, tick ${t}`).toEqual([])
      if (t % 10 !== 9) continue
      const now = snapshot(world)
      restore(world, kept)
      stream.set(keptStream)
      for (let again = 0; again < 10; again++) {
        stir(stage, stream)
        step(world)
      }
      expect(sameSnapshot(snapshot(world), now), `seed ${seed}, up to tick ${t}`).toBe(true)
    }
    // And all of it again, from the start, in another world.
    const end = snapshot(world)
    const other = { ...stage, world: createWorld(stage.game) }
    restore(other.world, before)
    for (let t = 0; t < TICKS; t++) {
      stir(other, saved)
      step(other.world)
    }
    expect(sameSnapshot(snapshot(other.world), end), `seed ${seed}, again`).toBe(true)
  }
  expect(casts).toBeGreaterThan(PROGRAMS * 20)
  expect(strikes).toBeGreaterThan(PROGRAMS * 10)
})
