/** What several test files need: an empty field with whatever the test is about, and what happened in words. */

import { createWorld, findRow, seatRow, spawn, step, type TickInputs } from 'hurtbox'
import type { EnemyName } from '../rules/content/enemies.ts'
import { UPGRADES } from '../rules/content/upgrades.ts'
import { type declaration, KIND, LAYER, type NightWorld } from '../rules/declaration.ts'
import { nightfall } from '../rules/index.ts'
import { grant } from '../rules/upgrades.ts'
import { addEnemy } from '../rules/waves.ts'

type Given = Parameters<typeof createWorld<typeof declaration>>[1]

export { isThere } from '../../test/run.ts'

export type Inputs = TickInputs<typeof declaration>

/** A field on which nothing comes by itself and nobody carries a weapon. */
export function emptyField(given: Given = {}): NightWorld {
  return createWorld(nightfall, { seed: 42, ...given, options: { start: 'empty', ...given?.options } })
}

/** A night in which nothing comes by itself, but survivors are armed. */
export function quietNight(given: Given = {}): NightWorld {
  const tuning = { spawnRate: 0, hazardEvery: 3600, ...given?.tuning }
  return createWorld(nightfall, { seed: 42, ...given, tuning })
}

/** A survivor joins on seat `seat`, in a tick of its own. */
export function join(world: NightWorld, seat = 0): number {
  step(world, { controls: [{ control: 'join', seat }] })
  return world.tables.players.thing[seatRow(world, seat)]
}

export function play(world: NightWorld, ticks: number, input: (tick: number) => Inputs = () => ({})): void {
  for (let i = 0; i < ticks; i++) step(world, input(world.tick))
}

/** An enemy that stands still unless it is given a speed. */
export function enemy(
  world: NightWorld,
  x: number,
  y: number,
  { name = 'zombie' as EnemyName, hp = 20, speed = 0, touch = 5, isElite = false } = {},
): number {
  return addEnemy(world, [name, 1, hp, speed, touch], isElite, x, y)
}

/** A projectile of nobody, standing still, with 10 damage. */
export function projectile(world: NightWorld, x: number, y: number, more: Partial<ThingValues> = {}): number {
  return spawn(world.tables.things, {
    kind: KIND.projectile,
    layer: LAYER.projectile,
    x,
    y,
    radius: 3,
    damage: 10,
    ...more,
  })
}

export function bullet(world: NightWorld, x: number, y: number, more: Partial<ThingValues> = {}): number {
  return spawn(world.tables.things, { kind: KIND.bullet, layer: LAYER.bullet, x, y, radius: 4, damage: 7, ...more })
}

type ThingValues = NonNullable<Parameters<typeof spawn<NightWorld['tables']['things']>>[1]>

/** A column's value for a thing, or NaN when the thing has left. */
export function read(
  world: NightWorld,
  id: number,
  column: 'hp' | 'x' | 'y' | 'vx' | 'vy' | 'shield' | 'hittableFrom',
): number {
  const row = findRow(world.tables.things, id)
  return row < 0 ? Number.NaN : world.tables.things[column][row]
}

export function rowsOf(world: NightWorld, kind: number): number[] {
  const { things } = world.tables
  return Array.from({ length: things.count }, (_, row) => row).filter((row) => things.kind[row] === kind)
}

/** Gives a player an upgrade by name, `levels` times. */
export function give(world: NightWorld, name: string, levels = 1, player = 0): void {
  const upgrade = UPGRADES.findIndex((each) => each.name === name)
  if (upgrade < 0) throw new Error(`no upgrade is called ${name}`)
  for (let i = 0; i < levels; i++) grant(world, player, upgrade)
}

/** Takes away everything drafted, the starter included. */
export function disarm(world: NightWorld): void {
  world.tables.players.owned.fill(0)
}

/** Word 1 of the header is the clock. Playing twenty minutes to see the last tick would take a minute. */
export function setClock(world: NightWorld, clock: number): void {
  world.memory.header[1] = clock
  if (world.clock !== clock) throw new Error('the clock has moved to another word of the header')
}
