/** A player made of code: fights who is near, throws darts, parries them, fetches the flag and brings it home. */

import { type Bot, each, type Thing, type World } from 'hurtbox'
import { purposeOf, unitAt } from 'hurtbox/math'
import { BASES, PLATE } from './map.ts'
import type { Harbour } from './rules.ts'

const MOOD = purposeOf('mood')

export const brawler: Bot<Harbour> = {
  name: 'brawler',
  about: 'fights who is near, and brings the flag home',
  think(world, { thing: fighter, seat }, seed) {
    if (fighter === undefined) return {}
    const { clock } = world
    const [flag] = each(world, 'flag')
    const foe = nearestFoe(world, fighter)
    const isCarrier = flag?.attachedTo === fighter.id
    const mood = unitAt(seed, Math.floor(clock / 60), seat, 0, MOOD)
    const goal = isCarrier ? { x: BASES[fighter.team], y: 440 } : goalOf(world, fighter, seat, mood)
    if (goal === undefined) return {}
    const [dx, dy] = [goal.x - fighter.x, goal.y - fighter.y]
    const isClose = Math.abs(dx) < 40 && Math.abs(dy) < 50
    const isNear = foe !== undefined && Math.abs(foe.x - fighter.x) < 44 && Math.abs(foe.y - fighter.y) < 40
    const isAhead = foe !== undefined && Math.abs(foe.y - fighter.y) < 30
    const isDue = (clock + seat * 7) % 24 === 0
    return {
      moveX: isCarrier || Math.abs(dx) > 14 ? Math.sign(dx) : 0,
      jump:
        (dy < -30 || fighter.wallSide !== 0 || (fighter.x > 470 && fighter.x < 810)) && (clock + seat * 5) % 20 === 0
          ? 1
          : 0,
      hold: true,
      drop: dy > 60 && clock % 30 === 0 ? 1 : 0,
      grab: isDue && isClose && !isCarrier && (mood >= 0.4 || goal === flag) ? 1 : 0,
      parry: isDue && isDartComing(world, fighter) ? 1 : 0,
      dart: isDue && isAhead && !isNear && mood > 0.3 ? 1 : 0,
    }
  },
}

/** Some open the gate, some are after the loot, the flag or the others. */
function goalOf(world: World<Harbour>, fighter: Thing<Harbour>, seat: number, mood: number) {
  const [loot] = each(world, 'loot')
  const [flag] = each(world, 'flag')
  if (loot !== undefined && seat === 0) return { x: (PLATE.minX + PLATE.maxX) / 2, y: PLATE.y - 18 }
  if (loot !== undefined && seat === 1) return Math.abs(fighter.x - loot.x) > 90 ? { x: loot.x, y: 200 } : loot
  return mood < 0.5 && flag !== undefined ? flag : (nearestFoe(world, fighter) ?? flag)
}

function nearestFoe(world: World<Harbour>, fighter: Thing<Harbour>): Thing<Harbour> | undefined {
  let nearest: Thing<Harbour> | undefined
  for (const layer of ['fighter', 'crab'] as const) {
    for (const other of each(world, layer)) {
      if (other.hp <= 0 || (other.team !== 0 && other.team === fighter.team)) continue
      if (nearest === undefined || Math.abs(other.x - fighter.x) < Math.abs(nearest.x - fighter.x)) nearest = other
    }
  }
  return nearest
}

function isDartComing(world: World<Harbour>, fighter: Thing<Harbour>): boolean {
  for (const dart of each(world, 'dart')) {
    const dx = fighter.x - dart.x
    if (dart.team !== fighter.team && dx * dart.vx > 0 && Math.abs(dx) < 160 && Math.abs(dart.y - fighter.y) < 40)
      return true
  }
  return false
}
