/** How things come into the world: stations, ships, asteroids, and the start of a match. */

import { each, spawn } from 'hurtbox'
import { PI, TAU } from 'hurtbox/math'
import { cRandom } from './c-random.ts'
import {
  ASTEROID,
  KIND,
  LEGACY_DOCK_DISTANCE,
  MATERIAL,
  MAX_SPEED,
  SHIP,
  SHIPS_PER_TEAM,
  STATION,
  type VinylRuleWorld,
  type VinylThing,
  type VinylWorld,
} from './declaration.ts'
import { pile } from './pile.ts'
import { labelBytes, oneDecimal } from './text.ts'
import { type Place, type Polar, polar, toPlane } from './torus.ts'

/** Where teams live, and what their things are called. */
export const TEAMS = [
  { name: 'NoOp', station: 'Void Station', ships: 'Drift', home: { x: -256, y: -256 } },
  { name: 'TestTeam', station: 'Test Station', ships: 'Test', home: { x: 256, y: 256 } },
  { name: 'Third', station: 'Third Station', ships: 'Third', home: { x: -256, y: 256 } },
  { name: 'Fourth', station: 'Fourth Home', ships: 'Fourth', home: { x: 256, y: -256 } },
] as const

/** Fills a new world: per team its station and four docked ships, then the asteroids, all in the middle. */
export function setup(world: VinylWorld): void {
  const { teams, vinyl, uranium } = world.options
  // The identity of every ship and station takes a number first; it is not needed here.
  const random = cRandom(world.seed >>> 0)
  for (let i = 0; i < teams * (SHIPS_PER_TEAM + 1); i++) random()
  for (let team = 0; team < teams; team++) {
    const { station, ships, home } = TEAMS[team]
    addStation(world, team, station, home)
    for (let number = 0; number < SHIPS_PER_TEAM; number++) addShip(world, team, number, `${ships}-${number + 1}`, home)
  }
  if (world.options.start === 'pile') {
    pile(world)
    return
  }
  for (let i = 0; i < vinyl + uranium; i++) {
    random()
    const heading = random() * TAU - PI
    const speed = (1 - random()) * MAX_SPEED
    const material = i < vinyl ? MATERIAL.vinyl : MATERIAL.uranium
    addAsteroid(world, ASTEROID.mass, material, { x: 0, y: 0 }, polar(speed, heading))
  }
}

export function addStation(world: VinylWorld, team: number, name: string, { x, y }: Place): VinylThing {
  const { radius, mass } = STATION
  return spawn(world, 'station', { ...listed(world, name), kind: KIND.station, team: team + 1, x, y, radius, mass })
}

/** A ship, docked, its tanks full. */
export function addShip(world: VinylWorld, team: number, number: number, name: string, { x, y }: Place): VinylThing {
  return spawn(world, 'ship', {
    ...listed(world, name),
    kind: KIND.ship,
    team: team + 1,
    number,
    x,
    y,
    radius: SHIP.radius,
    mass: SHIP.hull,
    fuel: SHIP.hold,
    fuelCapacity: SHIP.hold,
    cargoCapacity: SHIP.hold,
    shield: SHIP.shieldAtStart,
    docked: 1,
    wasDocked: 1,
    dockDistance: LEGACY_DOCK_DISTANCE,
  })
}

/** An asteroid of at least the least mass. */
export function addAsteroid(
  world: VinylRuleWorld,
  tons: number,
  material: number,
  { x, y }: Place,
  velocity: Polar,
): VinylThing {
  const mass = Math.max(tons, ASTEROID.minMass)
  const radius = asteroidRadius(mass)
  const entry = listed(world, asteroidName(mass, material))
  const rock = spawn(world, 'asteroid', { ...entry, kind: KIND.asteroid, x, y, radius, mass, material })
  setVelocity(rock, velocity)
  return rock
}

export function asteroidRadius(tons: number): number {
  return ASTEROID.sizeBase + ASTEROID.sizePerRoot * Math.sqrt(tons)
}

function asteroidName(tons: number, material: number): string {
  const what = material === MATERIAL.vinyl ? 'Vinyl' : material === MATERIAL.uranium ? 'Urnm' : 'Astrd'
  return `${what} ${oneDecimal(tons)}`
}

export function setVelocity(thing: VinylThing, velocity: Polar): void {
  thing.speed = velocity.speed
  thing.heading = velocity.heading
  toPlane(velocity, plane)
  thing.vx = thing.knownVx = plane.x
  thing.vy = thing.knownVy = plane.y
}

const plane = { x: 0.5, y: 0.5 }

/** A copy, for code that goes on to change the thing. */
export function velocityOf({ speed, heading }: VinylThing): Polar {
  return { speed, heading }
}

export function setPlace(thing: VinylThing, { x, y }: Place): void {
  thing.x = x
  thing.y = y
}

/** A new thing's name, and its place in the list: after the last thing that stays. */
function listed({ tables: { things } }: VinylRuleWorld, name: string): { label: number[]; slot: number } {
  let last = things.count - 1
  while (last >= 0 && things.leaving[last] !== 0) last--
  return { label: labelBytes(name), slot: last < 0 ? 0 : things.slot[last] + 1 }
}

/** A team's ship that is still in the list, dead or alive. */
export function shipOf(world: VinylWorld, team: number, number: number): VinylThing | undefined {
  for (const ship of each(world, 'ship')) if (ship.team === team + 1 && ship.number === number) return ship
  return undefined
}

export function stationOf(world: VinylWorld, team: number): VinylThing | undefined {
  for (const station of each(world, 'station')) if (station.team === team + 1) return station
  return undefined
}
