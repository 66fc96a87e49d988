/** The world before the first tick. */

import { CAMPS, HALF, LANE, LANES, nexusOf, otherSide, type Place, SIDE, STRUCTURES } from './content/map.ts'
import { KIND, UNITS } from './content/units.ts'
import type { SiegeWorld } from './declaration.ts'
import { updateFog } from './fog.ts'
import { addStructures } from './structures.ts'
import { squaredDistance } from './units.ts'
import { addMarcher, fillCamp } from './waves.ts'

/** Between the minions of a crowd: a little more than they need. */
const SPACING = 42
/** Where a heap starts: clear of everything. */
const HEAP: Place = { x: -900, y: 500 }

export function setup(world: SiegeWorld): void {
  addStructures(world)
  for (let camp = 0; camp < CAMPS.length; camp++) fillCamp(world, camp)
  const { crowd } = world.options
  if (crowd > 0) {
    addCrowd(world, SIDE.blue, Math.ceil(crowd / 2))
    addCrowd(world, SIDE.red, Math.floor(crowd / 2))
  }
  for (let i = 0; i < world.options.heap; i++) {
    addMarcher(world, i % 5 < 3 ? KIND.melee : KIND.caster, { team: SIDE.blue, lane: LANE.mid, ...HEAP }).speed = 0
  }
  updateFog(world)
}

/** An army in its half of the map, those nearest to the enemy nexus first: three melee minions to two casters. */
function addCrowd(world: SiegeWorld, team: number, size: number): void {
  const way = (place: Place) => squaredDistance(place, nexusOf(otherSide(team)))
  const places = freePlaces(team).sort((a, b) => way(a) - way(b) || a.x - b.x || a.y - b.y)
  places.slice(0, size).forEach((place, i) => {
    addMarcher(world, i % 5 < 3 ? KIND.melee : KIND.caster, { team, lane: i % LANES, ...place })
  })
}

/** A lattice over one half of the map, without what structures and camps take up. */
function freePlaces(side: number): Place[] {
  const reach = HALF - 250
  const places: Place[] = []
  for (let x = -reach; x <= reach; x += SPACING) {
    for (let y = -reach; y <= reach; y += SPACING) {
      const isOwnHalf = side === SIDE.blue ? y - x > SPACING : x - y > SPACING
      if (isOwnHalf && isFree({ x, y })) places.push({ x, y })
    }
  }
  return places
}

function isFree(place: Place): boolean {
  const isClear = (of: Place, radius: number) =>
    squaredDistance(place, of) > (radius + SPACING / 2) * (radius + SPACING / 2)
  return (
    STRUCTURES.every((each) => isClear(each, UNITS[each.tier === 0 ? KIND.nexus : KIND.tower].radius)) &&
    CAMPS.every((camp) => isClear(camp, 60))
  )
}
