/**
 * The second probe: things brought together, so that rules run which the scene of the first never comes to.
 *
 * In some tens of seconds of random presses few things meet: a rule about two that start far apart, or about a wall at the edge, would
 * be in no fingerprint, and two builds that differ in it would play together until it first runs. So states of the scene are taken as
 * they are, some things of each layer are put on one heap (or at the walls), layers that have no thing get some, and the match goes on
 * for a few ticks. These are no states of a match, and rules may fail in them: that too is the same in every build.
 *
 * What is still not reached is known by name: `unprobedRules`.
 */

import { GameFailure } from '../../base/failure.ts'
import { randomAt } from '../../geometry/math/random.ts'
import { type Collision, collisionsOf } from '../../rules/collide/collide.ts'
import { columnType, columnWidth } from '../../state/columns.ts'
import { hashWorld } from '../../state/hash.ts'
import { type AnyTable, addRow } from '../../state/table.ts'
import type { AnyGame } from '../../world/game.ts'
import { layersMeet } from '../../world/layers.ts'
import { restore, snapshot } from '../../world/snapshot.ts'
import { createEncodedInputs, stepEncoded } from '../../world/step.ts'
import { type AnyWorld, createWorld } from '../../world/world.ts'
import { fillInputs, SEED } from './probe.ts'

/** Ticks of the scene after which its things are brought together. */
const MOMENTS: readonly number[] = [20, 80, 150, 260]
/** How long the match goes on then. */
const TICKS = 3
/** So many things of each layer are moved: rules need a pair, and a crowd on one spot would take long. */
const PER_LAYER = 4

/**
 * On a heap as they are; without teams and owners, which refuse many a pair; two and two of layers that meet, apart from the others and with
 * nobody pressing anything, since whoever attacks first leaves nothing to be hurt by; and so at the pieces of the map.
 */
const TRIALS = ['heap', 'strangers', 'pairs', 'walls'] as const
type Trial = (typeof TRIALS)[number]

export type ContactsProbe = {
  /** The hash of the state after each trial; where the game fails, the tick in which it does so. */
  readonly outcomes: readonly string[]
  /** Rules of `collide` that were asked in no trial and not by the scene either. */
  readonly unreached: readonly string[]
}

export function runContactsProbe(game: AnyGame): ContactsProbe {
  const unreached = new Set<string>()
  const outcomes: string[] = []
  try {
    const scene: AnyWorld = createWorld(game, { seed: SEED })
    const world: AnyWorld = createWorld(game, { seed: SEED })
    for (const each of [scene, world]) watchRules(each, unreached)
    const inputs = createEncodedInputs(scene)
    for (let tick = 0; tick <= MOMENTS.at(-1)!; tick++) {
      if (MOMENTS.includes(tick)) {
        const state = snapshot(scene)
        for (const trial of TRIALS) {
          restore(world, state)
          outcomes.push(play(world, trial, unreached))
        }
      }
      fillInputs(scene, tick, inputs)
      stepEncoded(scene, inputs)
    }
  } catch {
    // As in the first probe: a game that fails has a fingerprint all the same.
    outcomes.push('fails')
  }
  return { outcomes, unreached: [...unreached] }
}

function play(world: AnyWorld, trial: Trial, unreached: Set<string>): string {
  bringTogether(world, trial)
  const inputs = createEncodedInputs(world)
  const { tick } = world
  try {
    for (let i = 0; i < TICKS; i++) {
      if (!isIdle(trial)) fillInputs(world, world.tick, inputs)
      // None of the scene's controls: joining and pausing are its own.
      stepEncoded(world, { ...inputs, controls: [] })
    }
    return hashWorld(world)
  } catch (error) {
    // A rule that throws was asked, though it gave no verdict.
    const { what = '' } = error instanceof GameFailure ? error.origin.known : {}
    unreached.delete(/^rule "(.*)"$/.exec(what)?.[1] ?? '')
    return `fails in tick ${world.tick - tick}`
  }
}

function isIdle(trial: Trial): boolean {
  return trial === 'pairs' || trial === 'walls'
}

function bringTogether(world: AnyWorld, trial: Trial): void {
  const { things } = world.tables as { readonly things: Things }
  const middle = things.count === 0 ? NOWHERE : { x: things.x[0], y: things.y[0], z: things.z?.[0] ?? 0 }
  const size = largest(things)
  const { names } = world.game.layers
  // Rows of each layer, oldest first; where there are too few, some are added.
  const rows: number[][] = names.map((_, layer) => rowsOf(things, layer))
  const take = (layer: number) => rows[layer].shift() ?? addThing(world, trial, layer, size)
  if (trial === 'pairs') {
    pairsOf(world).forEach((pair, i) => {
      const place = { ...middle, x: middle.x + 16 * size * i }
      for (const [at, layer] of pair.entries()) putAt(world, trial, take(layer), place, at)
    })
    return
  }
  const pieces = trial === 'walls' ? piecesOf(world) : []
  const places = pieces.length === 0 ? [middle] : pieces
  let moved = 0
  for (const [layer] of names.entries()) {
    const most = rows[layer].length === 0 ? 2 : Math.min(rows[layer].length, PER_LAYER)
    for (let i = 0; i < most; i++, moved++) putAt(world, trial, take(layer), places[moved % places.length], moved)
  }
}

type Place = { readonly x: number; readonly y: number; readonly z: number }
const NOWHERE: Place = { x: 0, y: 0, z: 0 }
type Things = AnyTable & Readonly<Record<string, Float64Array>>

function rowsOf({ count, layer, leaving }: Things, wanted: number): number[] {
  const rows: number[] = []
  for (let row = 0; row < count; row++) if (layer[row] === wanted && leaving[row] === 0) rows.push(row)
  return rows
}

function largest({ count, radius }: Things): number {
  let size = 1
  for (let row = 0; row < count; row++) size = Math.max(size, radius[row])
  return size
}

/** Every two layers that meet. */
function pairsOf({ game: { layers } }: AnyWorld): (readonly [number, number])[] {
  const numbers = layers.names.map((_, layer) => layer)
  return numbers.flatMap((a) => numbers.slice(a).flatMap((b) => (layersMeet(layers, a, b) ? [[a, b] as const] : [])))
}

/** Puts a thing somewhere near a place. There is none (-1) where the table was full. */
function putAt(world: AnyWorld, trial: Trial, row: number, place: Place, seed: number): void {
  const { things } = world.tables as { readonly things: Things }
  if (row < 0) return
  const jitter = Math.max(things.radius[row], 1) / 4
  things.x[row] = place.x + jitter * randomPart(seed, 0)
  things.y[row] = place.y + jitter * randomPart(seed, 1)
  if (things.z !== undefined) things.z[row] = place.z + jitter * randomPart(seed, 2)
  if (trial === 'strangers') {
    things.team[row] = 0
    things.owner[row] = 0
  }
  if (!isIdle(trial)) return
  for (const { spec, array } of things.columns) if (spec === 'timer') array[row] = 0
}

/** A thing with small numbers in the game's columns: kinds count from 0 in some games, in others from 1, and 1 may mean dead. */
function addThing({ game, tables, clock, tick }: AnyWorld, trial: Trial, layer: number, size: number): number {
  const { things } = tables as { readonly things: Things }
  const row = addRow(things)
  if (row < 0) return row
  things.layer[row] = layer
  things.radius[row] = size
  const whole = MOMENTS.indexOf(tick) % 2
  things.kind[row] = whole
  const own = game.declaration.things ?? {}
  for (const [at, name] of Object.keys(own).entries()) {
    const width = columnWidth(own[name])
    // Timers run among strangers and are over elsewhere; ids name nothing.
    const timer = trial === 'strangers' ? clock + 20 : 0
    const values = { f64: 1 + 10 * Math.abs(randomPart(row, at)), timer, id: 0, u32: whole, u16: whole, u8: whole }
    things[name].fill(values[columnType(own[name])], row * width, (row + 1) * width)
  }
  return row
}

function piecesOf(world: AnyWorld): Place[] {
  return [...collisionsOf(world).values()].flatMap(({ statics }) => statics?.pieces ?? [])
}

/** From -1 to 1. */
function randomPart(thing: number, axis: number): number {
  return randomAt(SEED, thing, axis, 0, 2) / 0x80000000 - 1
}

/** Takes out of the set each rule that is asked. */
function watchRules(world: AnyWorld, unreached: Set<string>): void {
  for (const collision of collisionsOf(world).values()) {
    for (const { name } of collision.groups.flat()) unreached.add(name)
    collision.trace = { a: 0, b: 0, entries: [], onVerdict: takeOut, onDecided() {} }
  }
  function takeOut(_: Collision, { name }: { readonly name: string }, _verdict: string, isForRule: boolean): void {
    if (isForRule) unreached.delete(name)
  }
}
