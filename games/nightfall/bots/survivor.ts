/**
 * The survivor: keeps away from what hurts, gathers gems where that is safe, and drafts by a list.
 *
 * It looks a second ahead along sixteen directions and walks where the sum of its fears, less what there is to gather, is
 * least. No memory: everything it knows is in the world.
 */

import { type Bot, findRow, seatRow } from 'hurtbox'
import { clamp, cos, sin, TAU, unitAt } from 'hurtbox/math'
import { UPGRADES } from '../rules/content/upgrades.ts'
import {
  DT,
  type declaration,
  HEIGHT,
  KIND,
  LAYER,
  MARGIN,
  type NightWorld,
  OFFERS,
  WIDTH,
} from '../rules/declaration.ts'

/** Ticks ahead at which a way is judged. */
const HORIZONS = [6, 18, 36, 60]
const DIRECTIONS = Array.from({ length: 17 }, (_, i) =>
  i === 16 ? { x: 0, y: 0 } : { x: cos((i * TAU) / 16), y: sin((i * TAU) / 16) },
)
/** px: what is further away is no concern of this second. */
const SIGHT = 260

/** Best first. */
const WISHES = [
  'explosions',
  'volley',
  'wand',
  'pierce',
  'bible',
  'haste',
  'power',
  'aura',
  'lightning',
  'regeneration',
  'vampirism',
  'armour',
  'starter',
  'axe',
  'whip',
  'swift',
  'vitality',
  'size',
  'luck',
  'magnetism',
  'knife',
  'fortune',
  'velocity',
]

export const survivor: Bot<typeof declaration> = {
  name: 'survivor',
  about: 'keeps away from what hurts and gathers gems where that is safe',
  think(world, seat, seed) {
    const player = seatRow(world, seat)
    const row = findRow(world.tables.things, world.tables.players.thing[player])
    if (world.tables.players.offer[player * OFFERS] !== 0) return choose(world, player)
    if (row < 0) return {}
    const around = lookAround(world, row)
    let best = DIRECTIONS[16]
    let least = Number.POSITIVE_INFINITY
    for (const direction of DIRECTIONS) {
      // A hair of chance, so that two equal ways do not keep it standing between them.
      const cost = costOf(world, row, direction, around) + unitAt(seed, world.tick, seat, 0, 1) * 1e-6
      if (cost >= least) continue
      least = cost
      best = direction
    }
    return { moveX: best.x, moveY: best.y }
  },
}

function choose(world: NightWorld, player: number) {
  const { offer } = world.tables.players
  let best = 0
  let bestWish = Number.POSITIVE_INFINITY
  for (let i = 0; i < OFFERS; i++) {
    const upgrade = offer[player * OFFERS + i]
    if (upgrade === 0) continue
    const wish = WISHES.indexOf(UPGRADES[upgrade - 1].name)
    if (wish >= bestWish) continue
    best = i
    bestWish = wish
  }
  return [{ first: 1 }, { second: 1 }, { third: 1 }][best]
}

type Around = { readonly rows: readonly number[]; readonly gems: readonly number[] }

function lookAround({ tables: { things } }: NightWorld, self: number): Around {
  const rows: number[] = []
  const gems: number[] = []
  for (let row = 0; row < things.count; row++) {
    const layer = things.layer[row]
    if (layer !== LAYER.enemy && layer !== LAYER.bullet && layer !== LAYER.hazard && layer !== LAYER.pickup) continue
    if (layer === LAYER.pickup) {
      gems.push(row)
      continue
    }
    const dx = Math.abs(things.x[row] - things.x[self])
    const dy = Math.abs(things.y[row] - things.y[self])
    if (dx < SIGHT && dy < SIGHT) rows.push(row)
  }
  return { rows, gems }
}

function costOf(world: NightWorld, self: number, way: { x: number; y: number }, around: Around): number {
  const { things } = world.tables
  const speed = world.tuning.survivorSpeed
  let cost = 0
  let endX = 0
  let endY = 0
  for (const ticks of HORIZONS) {
    const x = clamp(things.x[self] + way.x * speed * ticks * DT, MARGIN, WIDTH - MARGIN)
    const y = clamp(things.y[self] + way.y * speed * ticks * DT, MARGIN, HEIGHT - MARGIN)
    const isSafe = things.hittableFrom[self] > world.clock + ticks
    if (!isSafe) for (const row of around.rows) cost += fearOf(world, self, row, x, y, ticks)
    endX = x
    endY = y
  }
  for (const gem of around.gems) {
    const dx = things.x[gem] - endX
    const dy = things.y[gem] - endY
    const worth = things.kind[gem] === KIND.gem ? 1 : 8
    cost -= (worth * 40) / (Math.sqrt(dx * dx + dy * dy) + 40)
  }
  return cost + 4 * edgeOf(endX, WIDTH) + 4 * edgeOf(endY, HEIGHT)
}

/** How much being at (x, y) in `ticks` ticks has to be feared because of one thing. */
function fearOf(world: NightWorld, self: number, row: number, x: number, y: number, ticks: number): number {
  const { things } = world.tables
  if (things.layer[row] === LAYER.hazard) {
    const burns = things.readyAt[row] <= world.clock + ticks && things.endsAt[row] > world.clock + ticks
    const isAlongX = things.slot[row] === 0
    const inX = Math.abs(x - things.x[row]) < (isAlongX ? 60 : 30) + 16
    const inY = Math.abs(y - things.y[row]) < (isAlongX ? 30 : 60) + 16
    return burns && inX && inY ? 60 : 0
  }
  let thereX = things.x[row]
  let thereY = things.y[row]
  if (things.layer[row] === LAYER.bullet) {
    thereX += things.vx[row] * ticks * DT
    thereY += things.vy[row] * ticks * DT
  } else {
    const dx = things.x[self] - thereX
    const dy = things.y[self] - thereY
    const distance = Math.sqrt(dx * dx + dy * dy) || 1
    const step = Math.min(things.speed[row] * ticks * DT, distance) / distance
    thereX += dx * step
    thereY += dy * step
  }
  const dx = x - thereX
  const dy = y - thereY
  const gap = Math.sqrt(dx * dx + dy * dy) - things.radius[row] - things.radius[self]
  const weight = things.damage[row] * (things.layer[row] === LAYER.bullet ? 1 : 2)
  if (gap < 6) return weight * 10
  return (weight * 40) / (gap * gap)
}

/** 0 in the middle of the field, 1 at its edge. */
function edgeOf(place: number, size: number): number {
  const fromMiddle = Math.abs(place - size / 2) / (size / 2 - MARGIN)
  return fromMiddle * fromMiddle * fromMiddle * fromMiddle
}
