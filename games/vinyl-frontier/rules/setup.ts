/** How things come into the world: stations, ships, asteroids, and the start of a match. */

import { addRow } from 'hurtbox'
import { PI, TAU } from 'hurtbox/math'
import { cRandom } from './c-random.ts'
import {
  ASTEROID,
  KIND,
  LAYER,
  LEGACY_DOCK_DISTANCE,
  MATERIAL,
  MAX_SPEED,
  type Readable,
  SHIP,
  SHIPS_PER_TEAM,
  STATION,
  type VinylWorld,
} from './declaration.ts'
import { oneDecimal, writeName } from './text.ts'
import { type Place, type Polar, polar, toPlane } from './torus.ts'

/** Where teams live, and what their things are called. */
export const TEAMS: readonly {
  readonly name: string
  readonly station: string
  readonly ships: string
  readonly home: Place
}[] = [
  { name: 'NoOp', station: 'Void Station', ships: 'Drift', home: { x: -256, y: -256 } },
  { name: 'TestTeam', station: 'Test Station', ships: 'Test', home: { x: 256, y: 256 } },
  { name: 'Third', station: 'Third Station', ships: 'Third', home: { x: -256, y: 256 } },
  { name: 'Fourth', station: 'Fourth Home', ships: 'Fourth', home: { x: 256, y: -256 } },
]

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
  for (let i = 0; i < vinyl + uranium; i++) {
    random()
    const heading = random() * TAU - PI
    const speed = (1 - random()) * MAX_SPEED
    const material = i < vinyl ? MATERIAL.vinyl : MATERIAL.uranium
    addAsteroid(world, ASTEROID.mass, material, { x: 0, y: 0 }, polar(speed, heading))
  }
}

export function addStation(world: VinylWorld, team: number, name: string, place: Place): number {
  const row = addThing(world, KIND.station, LAYER.station, name, place, STATION.radius, STATION.mass)
  if (row >= 0) world.tables.things.team[row] = team + 1
  return row
}

/** A ship, docked, its tanks full. */
export function addShip(world: VinylWorld, team: number, number: number, name: string, place: Place): number {
  const { things } = world.tables
  const row = addThing(world, KIND.ship, LAYER.ship, name, place, SHIP.radius, SHIP.hull)
  if (row < 0) return row
  things.team[row] = team + 1
  things.number[row] = number
  things.fuel[row] = SHIP.hold
  things.fuelCapacity[row] = SHIP.hold
  things.cargoCapacity[row] = SHIP.hold
  things.shield[row] = SHIP.shieldAtStart
  things.docked[row] = 1
  things.wasDocked[row] = 1
  things.dockDistance[row] = LEGACY_DOCK_DISTANCE
  return row
}

/** An asteroid of at least the least mass, or −1 when there is no room for it. */
export function addAsteroid(world: VinylWorld, mass: number, material: number, place: Place, velocity: Polar): number {
  const tons = Math.max(mass, ASTEROID.minMass)
  const row = addThing(
    world,
    KIND.asteroid,
    LAYER.asteroid,
    asteroidName(tons, material),
    place,
    asteroidRadius(tons),
    tons,
  )
  if (row < 0) return row
  world.tables.things.material[row] = material
  setVelocity(world, row, velocity)
  return row
}

export function asteroidRadius(tons: number): number {
  return ASTEROID.sizeBase + ASTEROID.sizePerRoot * Math.sqrt(tons)
}

export function asteroidName(tons: number, material: number): string {
  const what = material === MATERIAL.vinyl ? 'Vinyl' : material === MATERIAL.uranium ? 'Urnm' : 'Astrd'
  return `${what} ${oneDecimal(tons)}`
}

export function setVelocity(world: VinylWorld, row: number, velocity: Polar): void {
  const { things } = world.tables
  things.speed[row] = velocity.speed
  things.heading[row] = velocity.heading
  const { x, y } = toPlane(velocity)
  things.vx[row] = things.knownVx[row] = x
  things.vy[row] = things.knownVy[row] = y
}

export function velocityOf({ tables: { things } }: Pick<Readable, 'tables'>, row: number): Polar {
  return { speed: things.speed[row], heading: things.heading[row] }
}

export function setPlace(world: VinylWorld, row: number, place: Place): void {
  world.tables.things.x[row] = place.x
  world.tables.things.y[row] = place.y
}

export function placeOf({ tables: { things } }: Pick<Readable, 'tables'>, row: number): Place {
  return { x: things.x[row], y: things.y[row] }
}

function addThing(
  world: VinylWorld,
  kind: number,
  layer: number,
  name: string,
  place: Place,
  radius: number,
  mass: number,
): number {
  const { things } = world.tables
  const slot = nextSlot(world)
  const row = addRow(things)
  if (row < 0) return row
  things.kind[row] = kind
  things.layer[row] = layer
  things.slot[row] = slot
  things.radius[row] = radius
  things.mass[row] = mass
  setPlace(world, row, place)
  writeName(world, row, name)
  return row
}

/** The place after the last thing still in the list; only when the last ones leave is a place used again. */
function nextSlot({ tables: { things } }: VinylWorld): number {
  for (let row = things.count - 1; row >= 0; row--) if (things.leaving[row] === 0) return things.slot[row] + 1
  return 0
}

/** The row of a team's ship that is still in the list, dead or alive; −1 when it is gone. */
export function shipRow({ tables: { things } }: VinylWorld, team: number, number: number): number {
  for (let row = 0; row < things.count; row++) {
    const isIt = things.kind[row] === KIND.ship && things.team[row] === team + 1 && things.number[row] === number
    if (isIt && things.leaving[row] === 0) return row
  }
  return -1
}

export function stationRow({ tables: { things } }: VinylWorld, team: number): number {
  for (let row = 0; row < things.count; row++) {
    if (things.kind[row] === KIND.station && things.team[row] === team + 1) return row
  }
  return -1
}
