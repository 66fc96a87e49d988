/**
 * Plays a trace: its start, its orders, its flow, its flags; gives the frames that come out.
 *
 * The world is stepped like in any match. Only the taking of orders is asked for by itself, because a trace has a frame
 * between the orders and the first step.
 */

import { addRow, createEmptyWorld, HurtboxError, step } from 'hurtbox'
import { sendOrders } from '../bots/send.ts'
import { KIND, MATERIAL, massOf, ORDER_NAMES, SHIPS_PER_TEAM, STEPS, type VinylWorld } from '../rules/declaration.ts'
import { vinylFrontier } from '../rules/index.ts'
import { addAsteroid, addShip, addStation, setVelocity } from '../rules/setup.ts'
import { announcerText, clearAnnouncer, readName, writeName } from '../rules/text.ts'
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

function placeThing(world: VinylWorld, thing: Thing, team: number, number: number): void {
  const { things } = world.tables
  const place = { x: thing.x, y: thing.y }
  const velocity = { speed: thing.speed, heading: thing.heading }
  const row =
    thing.kind === 'station'
      ? addStation(world, team, thing.name, place)
      : thing.kind === 'ship'
        ? addShip(world, team, number, thing.name, place)
        : addAsteroid(world, thing.mass, materialOf(thing.material), place, velocity)
  things.slot[row] = thing.i
  things.orient[row] = thing.orient
  things.radius[row] = thing.size
  setVelocity(world, row, velocity)
  things.dead[row] = thing.alive ? 0 : 1
  writeName(world, row, thing.name)
  if (thing.kind === 'asteroid') things.mass[row] = thing.mass
  if (thing.kind === 'station') things.vinyl[row] = thing.vinyl ?? 0
  if (thing.kind !== 'ship') return
  things.shield[row] = thing.shield ?? 0
  things.fuel[row] = thing.fuel ?? 0
  things.cargo[row] = thing.cargo ?? 0
  // A trace does not tell capacities; they are the usual ones, unless a ship starts with more.
  things.fuelCapacity[row] = Math.max(things.fuelCapacity[row], things.fuel[row])
  things.cargoCapacity[row] = Math.max(things.cargoCapacity[row], things.cargo[row])
  things.docked[row] = things.wasDocked[row] = thing.docked ? 1 : 0
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

/** Collects frames: what changed since the last one, and who is gone. */
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
  const { things } = world.tables
  const listed: Thing[] = []
  for (let row = 0; row < things.count; row++) if (things.leaving[row] === 0) listed.push(thingOf(world, row))
  return listed
}

function thingOf(world: VinylWorld, row: number): Thing {
  const { things } = world.tables
  const common = {
    i: things.slot[row],
    kind: KIND_NAMES[things.kind[row]],
    name: readName(world, row),
    alive: things.dead[row] === 0,
    x: things.x[row],
    y: things.y[row],
    speed: things.speed[row],
    heading: things.heading[row],
    orient: things.orient[row],
    mass: massOf(world, row),
    size: things.radius[row],
  }
  switch (things.kind[row]) {
    case KIND.station:
      return { ...common, vinyl: things.vinyl[row] }
    case KIND.asteroid:
      return { ...common, material: MATERIAL_NAMES[things.material[row]] }
    default: {
      const { shield, fuel, cargo, docked } = things
      return { ...common, shield: shield[row], fuel: fuel[row], cargo: cargo[row], docked: docked[row] === 1 }
    }
  }
}

const KIND_NAMES: readonly Thing['kind'][] = ['asteroid', 'station', 'ship', 'asteroid']
const MATERIAL_NAMES: readonly string[] = Object.keys(MATERIAL)
