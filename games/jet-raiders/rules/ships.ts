/** Ships: how they come, steer, die, return and go. */

import { emit, eventsOf, players, spawn, thing } from 'hurtbox'
import { safestPlace } from 'hurtbox/match'
import { clamp, direction, range } from 'hurtbox/math'
import { DT, HEIGHT, type JetPlayer, type JetThing, type JetWorld, KIND, WIDTH } from './declaration.ts'
import { clearEffects, speedFactor } from './effects.ts'

/** A new player gets a ship somewhere on the plane. */
export function join(world: JetWorld, player: JetPlayer): void {
  player.thing = spawn(world, 'ship', { kind: KIND.ship, team: player.team })
  if (player.thing !== undefined) place(world, player.thing)
}

/** Ships have no inertia: they fly where they look, as fast as the throttle says. The dead wait for their return. */
export function steer(world: JetWorld): void {
  const { clock, tuning } = world
  for (const player of players(world)) {
    const ship = player.thing
    if (ship === undefined) continue
    ship.radius = tuning.shipRadius
    if (ship.hp <= 0) {
      if (ship.returnsAt <= clock) comeBack(world, ship, player)
      continue
    }
    ship.heading += player.turn * tuning.turnRate * DT
    ship.throttle = clamp(ship.throttle + player.thrust * tuning.throttleRate * DT, 0, 1)
    const speed = ship.throttle * tuning.shipSpeed * speedFactor(world, ship)
    lookAhead(ship)
    ship.vx = ahead.x * speed
    ship.vy = ahead.y * speed
    ship.x += ship.vx * DT
    ship.y += ship.vy * DT
    meetEdge(world, ship)
  }
}

/** Scratch, written by `lookAhead`: the unit vector that a ship looks along. */
export const ahead = { x: Number.NaN, y: Number.NaN }

/** Angle 0 points up, positive is clockwise. */
export function lookAhead(ship: JetThing): void {
  direction(ship.heading, ahead)
  const cosine = ahead.x
  ahead.x = ahead.y
  ahead.y = -cosine
}

/** A ship that died in this tick stops and waits. It keeps its id, its seat and its score. */
export function bury(world: JetWorld): void {
  for (const { victim } of eventsOf(world, 'kill')) {
    const ship = thing(world, victim)!
    ship.returnsAt = world.clock + world.tuning.respawn
    ship.throttle = 0
    ship.readyAt = 0
  }
}

function comeBack(world: JetWorld, ship: JetThing, player: JetPlayer): void {
  place(world, ship)
  // What was held while dead does not count.
  player.thrust = 0
  player.turn = 0
  player.shoot = 0
  emit(world, 'returned', { ship })
}

/** Somewhere on the plane, whole, at rest, looking up, and safe for a moment. */
function place(world: JetWorld, ship: JetThing): void {
  const { clock, tuning } = world
  ship.radius = tuning.shipRadius
  ship.maxHp = tuning.shipHp
  choosePlace(world, ship)
  ship.heading = 0
  ship.throttle = 0
  ship.vx = 0
  ship.vy = 0
  ship.hp = ship.maxHp
  ship.teleports++
  clearEffects(ship)
  ship.appearedAt = clock
  ship.protectedUntil = clock + tuning.protection
  ship.invulnerableUntil = ship.protectedUntil
}

/** Of several random places the one farthest from the nearest foe; the first, where all are alike. */
function choosePlace(world: JetWorld, ship: JetThing): void {
  const { spawns } = world.random
  const margin = edgeMargin(world, ship)
  const [edgeX, edgeY] = [WIDTH / 2 - margin, HEIGHT / 2 - margin]
  const places = Array.from({ length: world.tuning.spawnChoices }, () => ({
    x: range(spawns, -edgeX, edgeX),
    y: range(spawns, -edgeY, edgeY),
  }))
  const { x, y } = safestPlace(places, ship)
  ship.x = x
  ship.y = y
}

/** Keeps a ship on the plane, each axis for itself. */
function meetEdge(world: JetWorld, ship: JetThing): void {
  const isWall = world.options.edges === 'wall'
  const margin = edgeMargin(world, ship)
  const { x, y } = ship
  ship.x = atEdge(x, WIDTH / 2 - margin, isWall)
  ship.y = atEdge(y, HEIGHT / 2 - margin, isWall)
  if (!isWall && (ship.x !== x || ship.y !== y)) ship.teleports++
}

/** Over an edge a ship appears exactly on the opposite one, as in the seed: what it flew beyond is lost. A wall stops it. */
function atEdge(place: number, edge: number, isWall: boolean): number {
  if (isWall) return clamp(place, -edge, edge)
  if (place > edge) return -edge
  return place < -edge ? edge : place
}

/** How far its centre stays off the edge: a wall is met by the rim of a ship, an open edge by its centre. */
function edgeMargin({ options }: JetWorld, ship: JetThing): number {
  return options.edges === 'wall' ? ship.radius : 0
}
