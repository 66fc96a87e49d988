/**
 * Vinyl Frontier: what there is.
 *
 * Ships of several teams gather vinyl from asteroids on a torus and bring it home. A turn is one second in five ticks;
 * orders are given once a turn. Units: world units, seconds, tons, radians.
 */

import {
  axis,
  button,
  choice,
  declareGame,
  fixed,
  flag,
  type Hit,
  oneOf,
  press,
  type RuleWorld,
  type Thing,
  type World,
  whole,
  wide,
} from 'hurtbox'
import { GRID_OPTIONS } from '../../grid.ts'

/** Seconds of a tick and of a turn; ticks of a turn. */
export const DT = 0.2
export const TURN_SECONDS = 1
export const STEPS = 5

export const MAX_SPEED = 30
export const MAX_THRUST = 60
/** Differences below this are rounding, to the original. */
export const EPSILON = 1e-7

export const SHIPS_PER_TEAM = 4
const MAX_TEAMS = 4
export const SHIP = { radius: 12, hull: 40, hold: 30, shieldCapacity: 8000, shieldAtStart: 15 } as const
export const STATION = { radius: 30, mass: 99999.9, spin: 0.9 } as const
export const ASTEROID = { mass: 40, minMass: 3, sizeBase: 3, sizePerRoot: 1.6, spin: 1, fragments: 3 } as const
export const LASER = { rangePerTon: 50, massPerUnit: 30, maxLength: 512, shatterMass: 1000, impulseDivisor: 3 } as const

/** Momentum (or the mass of a laser) per point of shield or ton of vinyl lost. */
export const DAMAGE_DIVISOR = 1000
/** Room left between ships after a bump, in the new and in the legacy engine. */
export const SHIP_CLEARANCE = 3
export const LEGACY_DOCK_DISTANCE = 30
/** Energy of turning per ton of fuel; in the legacy model full rotations per ton. */
export const TURN_ENERGY_PER_TON = 648000
export const LEGACY_ROTATIONS_PER_TON = 6

export const NAME_LENGTH = 14
export const MESSAGE_LENGTH = 256
export const ANNOUNCER_LENGTH = 2048

export const KIND = { station: 1, ship: 2, asteroid: 3 } as const
export const MATERIAL = { generic: 0, vinyl: 1, uranium: 2 } as const

/** Orders in the order in which a ship takes them. */
export const ORDER = { shield: 0, laser: 1, thrust: 2, turn: 3, jettison: 4 } as const
export const ORDER_NAMES = ['SHIELD', 'LASER', 'THRUST', 'TURN', 'JETTISON'] as const
export const ORDERS = ORDER_NAMES.length

/** What an order travels as: a whole number of thousandths in 32 bits. */
const amount = fixed({ min: -2_147_483, max: 2_147_483, step: 0.001 })

/** One level per ship and order: `thrust0` … `thrust3` and so on. They are wiped when a turn has taken them. */
type OrderFields = Readonly<Record<`${Lowercase<(typeof ORDER_NAMES)[number]>}${0 | 1 | 2 | 3}`, typeof amount>>
const FIELDS = ORDER_NAMES.map((name) => [0, 1, 2, 3].map((ship) => `${name.toLowerCase()}${ship}`))
const orderFields = Object.fromEntries(FIELDS.flat().map((field) => [field, amount])) as unknown as OrderFields

/** The input that carries an order of a ship. */
export function orderField(kind: number, ship: number): string {
  return FIELDS[kind][ship]
}

const name = wide('u8', NAME_LENGTH)
/** Where an event stands: among those of its tick, and in the match. */
const now = { order: 'u32', turn: 'u32' } as const

export const declaration = declareGame({
  id: 'vinyl-frontier',
  tickRate: 5,
  seats: { min: 1, max: MAX_TEAMS },
  options: {
    preset: oneOf(
      ['document', 'original', 'commands'],
      'the promises of the document; its server as it was measured; or the document’s pipeline of commands as written',
    ),
    legacyCollisionHandling: flag(false, 'the old collision loop, with its repeated hits'),
    legacyPhysics: flag(false, 'old impacts: separation impulses, uneven damage, no push by lasers, double recoil'),
    legacyAsteroidEatDamage: flag(false, 'eating an asteroid hurts'),
    legacyDocking: flag(false, 'launches too short to get away'),
    legacyMode: flag(false, 'all of the legacy flags, and the old thrust, turning and laser fuel as well'),
    glancing: flag(false, 'document: an off-centre impact of ships and rocks hurts less'),
    spin: flag(false, 'document: off-centre impacts set ships and rocks spinning'),
    swept: flag(false, 'document: things meet what they passed within a tick'),
    teams: whole(2, { min: 1, max: MAX_TEAMS, help: 'how many teams have a station' }),
    returns: whole(0, { min: 0, max: 100_000, help: 'every so many turns rocks come back, 0: never' }),
    start: oneOf(['match', 'pile'], 'pile: four hits on one rock in one tick, to see what each engine makes of it'),
    maxTurns: whole(300, { min: 1, max: 100_000, help: 'length of the match' }),
    vinyl: whole(5, { min: 0, max: 100, help: 'vinyl asteroids at the start' }),
    uranium: whole(5, { min: 0, max: 100, help: 'uranium asteroids at the start' }),
    ...GRID_OPTIONS,
  },
  layers: {
    station: ['ship', 'asteroid'],
    ship: ['ship', 'asteroid'],
    asteroid: [],
    beam: ['station', 'ship', 'asteroid'],
  },
  capacity: 512,
  things: {
    /** Place in the original's list of things; what its traces call `i`. */
    slot: 'u32',
    /** Ship 0 … 3 of its team. */
    number: 'u8',
    label: name,
    /** Dead, though perhaps not yet out of the list. */
    dead: 'u8',
    /** The velocity, as the original keeps it; `vx` and `vy` follow from it. */
    speed: 'f64',
    heading: 'f64',
    /** What `vx` and `vy` were when `speed` and `heading` were last made from them. */
    knownVx: 'f64',
    knownVy: 'f64',
    /** Where it looks. */
    orient: 'f64',
    /** Radians per second given by off-centre impacts (option `spin`). */
    spinRate: 'f64',
    /** Without cargo and fuel. */
    mass: 'f64',
    material: 'u8',
    eatenBy: 'id',
    shield: 'f64',
    fuel: 'f64',
    fuelCapacity: 'f64',
    cargo: 'f64',
    cargoCapacity: 'f64',
    docked: 'u8',
    /** Docked when the turn's orders came. */
    wasDocked: 'u8',
    /** Launched in this turn: thrust is free. */
    launched: 'u8',
    dockDistance: 'f64',
    orders: wide('f64', ORDERS),
    /** What its crew does while its player flies another ship; see `crew.ts`. */
    task: 'u8',
    /** What its laser is aimed at in this tick, and how long the beam is (document). */
    aim: 'id',
    beamLength: 'f64',
    /** What a station has in store. */
    vinyl: 'f64',
  },
  arrays: { announcer: { type: 'u8', length: ANNOUNCER_LENGTH } },
  globals: {
    /** Turns completed, and the step of the turn that runs now or next. */
    turn: 'u32',
    step: 'u8',
    /** Seconds, added up as the original does. */
    time: 'f64',
    /** Whether the orders of this turn are taken. */
    ordersTaken: 'u8',
    announcerLength: 'u32',
    messagesLost: 'u32',
  },
  streams: ['ties'],
  input: {
    ...orderFields,
    /** Playing by hand: these become orders of the chosen ship. */
    thrust: axis(),
    turn: axis(),
    fire: button(),
    boost: button(),
    dump: choice(['nothing', 'vinyl', 'uranium']),
    ship: choice(['1', '2', '3', '4']),
    /** The next task for the chosen ship; the task of the chosen ship for all. */
    task: press(),
    taskForAll: press(),
  },
  players: {
    /** Whether this player has touched a control: then the crews of the other ships work by themselves. */
    byHand: 'u8',
  },
  events: {
    /** Two things touch; what the original logs as COLLISION_DETECTED. `docking`: 1 just docked, 2 docked already. */
    contact: {
      ...now,
      nameA: name,
      nameB: name,
      kindA: 'u8',
      kindB: 'u8',
      a: wide('f64', 5),
      b: wide('f64', 5),
      distance: 'f64',
      overlap: 'f64',
      docking: 'u8',
    },
    /** A laser hits: shooter's place, beam length, range, target's place, laser velocity and mass. */
    laser: {
      ...now,
      shooter: name,
      target: name,
      shooterTeam: 'u8',
      targetTeam: 'u8',
      targetKind: 'u8',
      figures: wide('f64', 9),
    },
    /** Momentum of all that takes part in an impact, before and after, as it stands in the world; or of what the speed limit cuts. */
    momentum: { ...now, impact: 'u8', beforeX: 'f64', beforeY: 'f64', afterX: 'f64', afterY: 'f64' },
    fragment: {
      ...now,
      parent: name,
      fragment: name,
      number: 'u8',
      mass: 'f64',
      x: 'f64',
      y: 'f64',
      speed: 'f64',
      heading: 'f64',
    },
    delivered: { ship: 'id', station: 'id', tons: 'f64', isHome: 'u8' },
    /** `by` is 0 for a laser. */
    destroyed: { ship: 'id', by: 'id' },
    hurt: { ship: 'id', by: 'id', points: 'f64' },
    message: { order: 'u32', text: wide('u8', MESSAGE_LENGTH) },
    launch: { ...now, ship: name, distance: 'f64' },
    outOfFuel: { ...now, ship: name },
    /** A command of the pipeline (preset `commands`): its place among the seven, whom it changes, by whom, and whether it was done. */
    command: {
      ...now,
      step: 'u8',
      priority: 'u8',
      target: 'id',
      targetName: name,
      byName: name,
      x: 'f64',
      y: 'f64',
      isDone: 'u8',
    },
  },
  eventCapacity: 256,
})

export interface VinylWorld extends World<typeof declaration> {}
export interface VinylRuleWorld extends RuleWorld<typeof declaration> {}
export interface VinylThing extends Thing<typeof declaration> {}
export type VinylHit = Hit<typeof declaration>
export type VinylOptions = VinylWorld['options']

/** Which of the old behaviours are on. */
export function legacy(options: VinylOptions): Legacy {
  let flags = known.get(options)
  if (flags === undefined) known.set(options, (flags = legacyFlags(options)))
  return flags
}

/** The options of a match are one object. */
const known = new WeakMap<VinylOptions, Legacy>()

function legacyFlags(options: VinylOptions) {
  const { legacyMode } = options
  return {
    collisions: options.legacyCollisionHandling || legacyMode,
    physics: options.legacyPhysics || legacyMode,
    eatDamage: options.legacyAsteroidEatDamage || legacyMode,
    docking: options.legacyDocking || legacyMode,
    /** Thrust, turning and shields as they were before speeds and fuel were limited properly. */
    motion: legacyMode,
    laserFuel: legacyMode,
    laserRange: legacyMode,
  }
}

export type Legacy = ReturnType<typeof legacyFlags>

/** Tons that a thing moves with. Cargo and fuel are 0 for all but ships. */
export function massOf({ mass, cargo, fuel }: VinylThing): number {
  return mass + cargo + fuel
}
