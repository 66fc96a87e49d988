/**
 * Plays a trace: its start, its orders, its flow, its flags; returns the frames that come out.
 *
 * The world is stepped like in any match. Only the orders are taken separately, because a trace has a frame between the
 * orders and the first step.
 */

import { addRow, each, HurtboxError, step } from 'hurtbox'
import { createEmptyWorld } from 'hurtbox/tools'
import { sendOrders } from '../bots/send.ts'
import {
  KIND,
  MATERIAL,
  massOf,
  ORDER_NAMES,
  SHIPS_PER_TEAM,
  STEPS,
  type VinylThing,
  type VinylWorld,
} from '../rules/declaration.ts'
import { vinylFrontier } from '../rules/index.ts'
import { addAsteroid, addShip, addStation, setVelocity } from '../rules/setup.ts'
import { announcerText, clearAnnouncer, labelBytes, readName } from '../rules/text.ts'
import { beginTurn } from '../rules/turn.ts'
import { type Frame, type GivenOrder, MODES, type Thing, type Trace } from './format.ts'

export type TraceOverrides = { readonly preset?: string; readonly mode?: string }

export function playTrace(trace: Trace, overrides: TraceOverrides = {}): Trace {
  const preset = overrides.preset ?? trace.preset
  const mode = overrides.mode ?? trace.mode
  const world = startTrace(trace, preset, mode)
  const recorder = createRecorder(world)
  const simulatesFirst = trace.flow === 'simulate-then-orders'
  const isKept = (turn: number) => trace.everyTurns === 1 || turn % trace.everyTurns === 0

  recorder.record('start', 0, -1)
  for (let turn = 1; turn <= trace.turns; turn++) {
    const takeTurnOrders = () => {
      const given = trace.orders.filter((order) => order.turn === turn)
      giveOrders(world, given)
      beginTurn(world)
      if (trace.everyTurns === 1) recorder.record('orders', turn, -1)
    }
    if (!simulatesFirst) takeTurnOrders()
    // The first turn of the server has no orders at all.
    world.globals.ordersTaken = 1
    for (let s = 0; s < STEPS; s++) {
      step(world)
      if (trace.everyTurns === 1 || (isKept(turn) && s === STEPS - 1)) recorder.record('sim', turn, s)
      clearAnnouncer(world)
    }
    if (simulatesFirst) {
      takeTurnOrders()
      clearAnnouncer(world)
    }
  }
  const { scenario, flow, everyTurns, seed, turns, orders } = trace
  return { scenario, mode, preset, flow, everyTurns, seed, turns, orders, frames: recorder.frames }
}

/** A world as the start frame says, with a player for every team. */
function startTrace(trace: Trace, preset: string, mode: string): VinylWorld {
  const start = trace.frames[0]
  const flags = MODES[mode]
  if (start?.phase !== 'start') throw new HurtboxError('bad-argument', 'a trace begins with a frame of phase "start".')
  if (flags === undefined) {
    throw new HurtboxError('unknown-name', `there is no mode "${mode}". Known: ${Object.keys(MODES).join(', ')}.`)
  }
  const teams = start.changed.filter(({ kind }) => kind === 'station').length
  const options = { ...flags, preset: presetOf(preset), teams, maxTurns: Math.max(1, trace.turns) }
  const world = createEmptyWorld(vinylFrontier, { seed: trace.seed, options } as never)
  for (let seat = 0; seat < teams; seat++) world.tables.players.seat[addRow(world.tables.players)] = seat
  let team = -1
  let station = 0
  // Ships stand in the list right behind their station, in the order of their numbers; some may be gone.
  for (const thing of [...start.changed].sort((a, b) => a.i - b.i)) {
    if (thing.kind === 'station') {
      team++
      station = thing.i
    }
    placeThing(world, thing, team, thing.kind === 'ship' ? (thing.i - station - 1) % SHIPS_PER_TEAM : 0)
  }
  return world
}

/** The newest server was recorded as well; of our presets the document comes nearest to it. */
function presetOf(preset: string): string {
  return preset === 'newest' ? 'document' : preset
}

function placeThing(world: VinylWorld, recorded: Thing, team: number, number: number): void {
  const { kind, name, speed, heading } = recorded
  const thing =
    kind === 'station'
      ? addStation(world, team, name, recorded)
      : kind === 'ship'
        ? addShip(world, team, number, name, recorded)
        : addAsteroid(world, recorded.mass, materialOf(recorded.material), recorded, recorded)
  thing.slot = recorded.i
  thing.orient = recorded.orient
  thing.radius = recorded.size
  setVelocity(thing, { speed, heading })
  thing.dead = recorded.alive ? 0 : 1
  for (const [i, byte] of labelBytes(name).entries()) thing.label.set(i, byte)
  if (kind === 'asteroid') thing.mass = recorded.mass
  if (kind === 'station') thing.vinyl = recorded.vinyl ?? 0
  if (kind !== 'ship') return
  thing.shield = recorded.shield ?? 0
  thing.fuel = recorded.fuel ?? 0
  thing.cargo = recorded.cargo ?? 0
  // A trace does not list capacities; they are the usual ones, unless a ship starts with more.
  thing.fuelCapacity = Math.max(thing.fuelCapacity, thing.fuel)
  thing.cargoCapacity = Math.max(thing.cargoCapacity, thing.cargo)
  thing.docked = thing.wasDocked = recorded.docked ? 1 : 0
}

function materialOf(name = ''): number {
  return (MATERIAL as Readonly<Record<string, number>>)[name] ?? MATERIAL.generic
}

/** Writes a turn's orders where the input of the players stands. */
function giveOrders(world: VinylWorld, given: readonly GivenOrder[]): void {
  const { players } = world.tables
  const columns = players as unknown as Readonly<Record<string, Float64Array>>
  for (let player = 0; player < players.count; player++) {
    const team = players.seat[player]
    const orders = given
      .filter((order) => order.team === team)
      .map(({ ship, order, value }) => ({ ship, kind: orderKind(order), value }))
    for (const [field, value] of Object.entries(sendOrders(world, team, orders))) columns[field][player] = value
  }
}

function orderKind(name: string): number {
  const kind = ORDER_NAMES.indexOf(name.replace(/^O_/, '') as (typeof ORDER_NAMES)[number])
  if (kind < 0) throw new HurtboxError('unknown-name', `there is no order "${name}". Known: ${ORDER_NAMES.join(', ')}.`)
  return kind
}

/** Collects frames: what changed since the last one, and what is gone. */
function createRecorder(world: VinylWorld) {
  const frames: Frame[] = []
  let before = new Map<number, Thing>()
  return {
    frames,
    record(phase: Frame['phase'], turn: number, stepOfTurn: number): void {
      const now = new Map(listThings(world).map((thing) => [thing.i, thing]))
      const changed = [...now.values()].filter((thing) => !isSame(thing, before.get(thing.i)))
      const gone = [...before.keys()].filter((index) => !now.has(index))
      const announcer = announcerText(world)
      frames.push({
        phase,
        turn,
        step: stepOfTurn,
        time: world.globals.time,
        ...(announcer === '' ? {} : { announcer }),
        changed,
        ...(gone.length === 0 ? {} : { gone }),
      })
      before = now
    },
  }
}

function isSame(thing: Thing, before: Thing | undefined): boolean {
  if (before === undefined) return false
  return (Object.keys(thing) as (keyof Thing)[]).every((field) => thing[field] === before[field])
}

function listThings(world: VinylWorld): Thing[] {
  return Array.from(each(world), record)
}

function record(thing: VinylThing): Thing {
  const { slot, kind, dead, x, y, speed, heading, orient, radius } = thing
  const common = {
    i: slot,
    kind: KIND_NAMES[kind],
    name: readName(thing),
    alive: dead === 0,
    x,
    y,
    speed,
    heading,
    orient,
    mass: massOf(thing),
    size: radius,
  }
  switch (kind) {
    case KIND.station:
      return { ...common, vinyl: thing.vinyl }
    case KIND.asteroid:
      return { ...common, material: MATERIAL_NAMES[thing.material] }
    default: {
      const { shield, fuel, cargo, docked } = thing
      return { ...common, shield, fuel, cargo, docked: docked === 1 }
    }
  }
}

const KIND_NAMES: readonly Thing['kind'][] = ['asteroid', 'station', 'ship', 'asteroid']
const MATERIAL_NAMES: readonly string[] = Object.keys(MATERIAL)
