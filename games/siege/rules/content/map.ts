/**
 * The map: a square of 3,600 units around (0, 0), y down, with the nexuses in two corners and three lanes between them.
 *
 * Blue is at the lower left. Red's half is blue's turned by half a turn.
 */

import { border } from 'hurtbox'

export type Place = Readonly<{ x: number; y: number }>

/** Teams of things. */
export const SIDE = { blue: 1, red: 2, neutral: 3 } as const
export const SIDE_NAMES = ['', 'blue', 'red', 'neutral'] as const

/** Half the side of the map, and of the part inside the water around it. */
export const HALF = 1800
export const LAND = 1608

/** The static map. */
export const WATER = border({ layer: 'water', minX: -LAND, minY: -LAND, maxX: LAND, maxY: LAND })

export const LANE = { top: 0, mid: 1, bot: 2 } as const
export const LANES = 3

const CORNER: Place = { x: -1200, y: 1200 }

/** From blue's nexus to red's. */
const PATHS: readonly (readonly Place[])[] = [
  [CORNER, { x: -1200, y: -1000 }, { x: -1000, y: -1200 }, { x: 1200, y: -1200 }],
  [CORNER, { x: -750, y: 750 }, { x: 0, y: 0 }, { x: 750, y: -750 }, { x: 1200, y: -1200 }],
  [CORNER, { x: 1000, y: 1200 }, { x: 1200, y: 1000 }, { x: 1200, y: -1200 }],
]

/** By side and lane, from the own nexus to the other. */
export const WAYS: readonly (readonly (readonly Place[])[])[] = [[], PATHS, PATHS.map((path) => [...path].reverse())]

/** Structures are the first things of every world: their ids are their places in the list plus 1. */
export type Structure = Readonly<{
  side: number
  x: number
  y: number
  /** Of a tower. */
  lane?: number
  /** 1 near the nexus, 2 in front of it; 0 for the nexus itself. */
  tier: number
}>

const BLUE_TOWERS: readonly Omit<Structure, 'side'>[] = [
  { lane: LANE.top, tier: 1, x: -1200, y: 700 },
  { lane: LANE.top, tier: 2, x: -1200, y: 200 },
  { lane: LANE.mid, tier: 1, x: -650, y: 650 },
  { lane: LANE.mid, tier: 2, x: -350, y: 350 },
  { lane: LANE.bot, tier: 1, x: -200, y: 1200 },
  { lane: LANE.bot, tier: 2, x: 400, y: 1200 },
]

/** Where the map is turned by half a turn, top and bottom lane change places. */
function turned({ lane = LANE.mid, tier, x, y }: Omit<Structure, 'side'>): Structure {
  return { side: SIDE.red, lane: 2 - lane, tier, x: -x, y: -y }
}

export const STRUCTURES: readonly Structure[] = [
  ...BLUE_TOWERS.map((tower) => ({ ...tower, side: SIDE.blue })),
  ...BLUE_TOWERS.map(turned),
  { side: SIDE.blue, tier: 0, ...CORNER },
  { side: SIDE.red, tier: 0, x: -CORNER.x, y: -CORNER.y },
]

/** Where champions spawn, heal and buy. */
export const FOUNTAINS: readonly Place[] = [
  { x: 0, y: 0 },
  { x: -1100, y: 1100 },
  { x: 1100, y: -1100 },
]

/** Jungle camps. */
export const CAMPS: readonly Place[] = [
  { x: -600, y: -350 },
  { x: 600, y: 350 },
]

export function nexusOf(side: number): Structure {
  return STRUCTURES[2 * BLUE_TOWERS.length + side - 1]
}

/** By side, lane and tier: minions check in every tick whether a structure is protected. */
const TOWER_IDS = new Uint8Array(27)
STRUCTURES.forEach(({ side, lane = 0, tier }, place) => {
  TOWER_IDS[side * 9 + lane * 3 + tier] = place + 1
})

export function towerId(side: number, lane: number, tier: number): number {
  return TOWER_IDS[side * 9 + lane * 3 + tier]
}

export function otherSide(side: number): number {
  return SIDE.blue + SIDE.red - side
}
