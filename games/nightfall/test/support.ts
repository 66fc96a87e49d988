/** What several test files share: an empty field, a quiet night, and short ways to add things. */

import { createWorld, each, playerAt, players, spawn, step, thingAt } from 'hurtbox'
import type { TickInputs } from 'hurtbox/tools'
import type { EnemyName } from '../rules/content/enemies.ts'
import { UPGRADES } from '../rules/content/upgrades.ts'
import { type declaration, KIND, type NightPlayer, type NightThing, type NightWorld } from '../rules/declaration.ts'
import { nightfall } from '../rules/index.ts'
import { grant } from '../rules/upgrades.ts'
import { addEnemy } from '../rules/waves.ts'

type Given = Parameters<typeof createWorld<typeof declaration>>[1]

export type Inputs = TickInputs<typeof declaration>

/** A field on which nothing comes by itself and survivors have no weapons. */
export function emptyField(given: Given = {}): NightWorld {
  return createWorld(nightfall, { seed: 42, ...given, options: { start: 'empty', ...given?.options } })
}

/** A night in which nothing comes by itself, but survivors are armed. */
export function quietNight(given: Given = {}): NightWorld {
  const tuning = { spawnRate: 0, hazardEvery: 3600, ...given?.tuning }
  return createWorld(nightfall, { seed: 42, ...given, tuning })
}

/** A player joins on seat `seat`, in a tick of its own. Returns its survivor. */
export function join(world: NightWorld, seat = 0): NightThing {
  step(world, { controls: [{ control: 'join', seat }] })
  return player(world, seat).thing!
}

export function player(world: NightWorld, seat = 0): NightPlayer {
  return playerAt(world, seat)!
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
): NightThing {
  return thingAt(world, addEnemy(world, [name, 1, hp, speed, touch], { x, y }, isElite ? 1 : 0))
}

type Values = Parameters<typeof spawn<typeof declaration, 'projectile'>>[2]

/** A projectile without an owner, standing still, with 10 damage. */
export function projectile(world: NightWorld, x: number, y: number, more: Values = {}): NightThing {
  return spawn(world, 'projectile', { kind: KIND.projectile, x, y, radius: 3, damage: 10, ...more })
}

/** A blow without an owner that stays, with 10 damage: of a starter, which hits once. */
export function strike(world: NightWorld, x: number, y: number, more: Values = {}): NightThing {
  return spawn(world, 'strike', { kind: KIND.strike, x, y, radius: 3, damage: 10, endsAt: 1e6, ...more })
}

export function bullet(world: NightWorld, x: number, y: number, more: Values = {}): NightThing {
  return spawn(world, 'bullet', { kind: KIND.bullet, x, y, radius: 4, damage: 7, ...more })
}

export function pickup(world: NightWorld, kind: number, x: number, y: number, worth = 0): NightThing {
  return spawn(world, 'pickup', { kind, x, y, radius: kind === KIND.gem ? 4 : 8, worth })
}

/** The things of a kind, oldest first. */
export function allOf(world: NightWorld, kind: number): NightThing[] {
  return [...each(world)].filter((one) => one.kind === kind)
}

/** Gives a player an upgrade by name, `levels` times. */
export function give(world: NightWorld, name: string, levels = 1, seat = 0): void {
  const upgrade = UPGRADES.findIndex((each) => each.name === name)
  if (upgrade < 0) throw new Error(`no upgrade is called ${name}`)
  for (let i = 0; i < levels; i++) grant(world, player(world, seat), upgrade)
}

/** Takes away everything drafted, the starter included. */
export function disarm(world: NightWorld): void {
  for (const { owned } of players(world)) for (let i = 0; i < owned.width; i++) owned.set(i, 0)
}

/** Makes all weapons ready. */
export function reload(world: NightWorld): void {
  for (const { readyAt } of players(world)) for (let i = 0; i < readyAt.width; i++) readyAt.set(i, 0)
}

/** Word 1 of the header is the clock. Playing twenty minutes to see the last tick would take a minute. */
export function setClock(world: NightWorld, clock: number): void {
  world.memory.header[1] = clock
  if (world.clock !== clock) throw new Error('the clock has moved to another word of the header')
}
