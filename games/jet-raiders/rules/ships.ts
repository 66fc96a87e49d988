/** Ships: how they come, steer, die, return and go. */

import { emit, findRow, spawn, thingOf } from 'hurtbox'
import { clamp, cos, range, sin } from 'hurtbox/math'
import { DT, HEIGHT, isAlive, type JetWorld, KIND, LAYER, WIDTH } from './declaration.ts'
import { clearEffects, speedFactor } from './effects.ts'

/** A new player gets a ship somewhere on the plane. */
export function join(world: JetWorld, player: number): void {
  const { things, players } = world.tables
  const { shipRadius, shipHp } = world.tuning
  players.thing[player] = spawn(things, {
    kind: KIND.ship,
    layer: LAYER.ship,
    team: players.team[player],
    radius: shipRadius,
    maxHp: shipHp,
  })
  const ship = thingOf(world, player)
  if (ship >= 0) place(world, ship)
}

/** Ships have no inertia: they fly where they look, as fast as the throttle says. The dead wait for their return. */
export function steer(world: JetWorld): void {
  const { things, players } = world.tables
  const { clock, tuning } = world
  for (let player = 0; player < players.count; player++) {
    const ship = thingOf(world, player)
    if (ship < 0) continue
    if (!isAlive(world, ship)) {
      if (things.returnsAt[ship] <= clock) comeBack(world, ship, player)
      continue
    }
    things.heading[ship] += players.turn[player] * tuning.turnRate * DT
    things.throttle[ship] = clamp(things.throttle[ship] + players.thrust[player] * tuning.throttleRate * DT, 0, 1)
    const speed = things.throttle[ship] * tuning.shipSpeed * speedFactor(world, ship)
    things.vx[ship] = sin(things.heading[ship]) * speed
    things.vy[ship] = -cos(things.heading[ship]) * speed
    things.x[ship] += things.vx[ship] * DT
    things.y[ship] += things.vy[ship] * DT
    meetEdge(world, ship)
  }
}

/** A ship that died in this tick stops and waits. It keeps its id, its seat and its score. */
export function bury(world: JetWorld): void {
  const { things } = world.tables
  const { kill } = world.events
  for (let n = 0; n < kill.count; n++) {
    const ship = findRow(things, kill.victim[n])
    things.returnsAt[ship] = world.clock + world.tuning.respawn
    things.throttle[ship] = 0
    things.readyAt[ship] = 0
  }
}

function comeBack(world: JetWorld, ship: number, player: number): void {
  const { things, players } = world.tables
  place(world, ship)
  // What was held while dead does not count any more.
  players.thrust[player] = 0
  players.turn[player] = 0
  players.shoot[player] = 0
  emit(world.events.returned, { ship: things.id[ship] })
}

/** Somewhere on the plane, whole, at rest, looking up. */
function place(world: JetWorld, ship: number): void {
  const { things } = world.tables
  const { spawns } = world.random
  const [edgeX, edgeY] = [WIDTH / 2 - edgeMargin(world, ship), HEIGHT / 2 - edgeMargin(world, ship)]
  things.x[ship] = range(spawns, -edgeX, edgeX)
  things.y[ship] = range(spawns, -edgeY, edgeY)
  things.heading[ship] = 0
  things.throttle[ship] = 0
  things.vx[ship] = 0
  things.vy[ship] = 0
  things.hp[ship] = things.maxHp[ship]
  things.teleports[ship]++
  clearEffects(world, ship)
}

/** Keeps a ship on the plane, each axis for itself. */
function meetEdge(world: JetWorld, ship: number): void {
  const { x, y, teleports } = world.tables.things
  const isWall = world.options.edges === 'wall'
  const margin = edgeMargin(world, ship)
  const flownX = x[ship]
  const flownY = y[ship]
  x[ship] = atEdge(flownX, WIDTH / 2 - margin, isWall)
  y[ship] = atEdge(flownY, HEIGHT / 2 - margin, isWall)
  if (!isWall && (x[ship] !== flownX || y[ship] !== flownY)) teleports[ship]++
}

/** Over an edge a ship appears exactly on the opposite one, as in the seed: what it flew beyond is lost. A wall stops it. */
function atEdge(place: number, edge: number, isWall: boolean): number {
  if (isWall) return clamp(place, -edge, edge)
  if (place > edge) return -edge
  return place < -edge ? edge : place
}

/** How far its centre stays off the edge: a wall is met by the rim of a ship, an open edge by its centre. */
function edgeMargin(world: JetWorld, ship: number): number {
  return world.options.edges === 'wall' ? world.tables.things.radius[ship] : 0
}
