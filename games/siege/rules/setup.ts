/** The world before the first tick. */

import { CAMPS, HALF, LANES, nexusOf, otherSide, SIDE, STRUCTURES } from './content/map.ts'
import { KIND, UNITS } from './content/units.ts'
import type { SiegeWorld } from './declaration.ts'
import { lookOut } from './fog.ts'
import { addStructures } from './structures.ts'
import { addMarcher, fillCamp } from './waves.ts'

/** Between the minions of a crowd: a little more than they need. */
const SPACING = 42
/** Of every five minions of a crowd, so many strike with their hands. */
const MELEE_OF_FIVE = 3

export function setup(world: SiegeWorld): void {
  addStructures(world)
  for (let camp = 0; camp < CAMPS.length; camp++) fillCamp(world, camp)
  const { crowd } = world.options
  if (crowd > 0) {
    addCrowd(world, SIDE.blue, Math.ceil(crowd / 2))
    addCrowd(world, SIDE.red, Math.floor(crowd / 2))
  }
  lookOut(world)
}

/** Two armies, each in its half of the map, the nearest to the other's nexus in front. */
function addCrowd(world: SiegeWorld, side: number, size: number): void {
  const towards = nexusOf(otherSide(side))
  const places = freePlaces(side)
  const wayTo = ({ x, y }: { x: number; y: number }) =>
    (x - towards.x) * (x - towards.x) + (y - towards.y) * (y - towards.y)
  places.sort((a, b) => wayTo(a) - wayTo(b) || a.x - b.x || a.y - b.y)
  places.slice(0, size).forEach(({ x, y }, i) => {
    addMarcher(world, i % 5 < MELEE_OF_FIVE ? KIND.melee : KIND.caster, side, i % LANES, x, y)
  })
}

/** A lattice over one half of the map, without what is taken by structures and camps. */
function freePlaces(side: number): { x: number; y: number }[] {
  const reach = HALF - 250
  const places: { x: number; y: number }[] = []
  for (let x = -reach; x <= reach; x += SPACING) {
    for (let y = -reach; y <= reach; y += SPACING) {
      const isOwnHalf = side === SIDE.blue ? y - x > SPACING : x - y > SPACING
      if (isOwnHalf && isFree(x, y)) places.push({ x, y })
    }
  }
  return places
}

function isFree(x: number, y: number): boolean {
  const clear = (place: { x: number; y: number }, radius: number) =>
    (x - place.x) * (x - place.x) + (y - place.y) * (y - place.y) > (radius + SPACING / 2) * (radius + SPACING / 2)
  return (
    STRUCTURES.every((each) => clear(each, UNITS[each.tier === 0 ? KIND.nexus : KIND.tower].radius)) &&
    CAMPS.every((camp) => clear(camp, 60))
  )
}
