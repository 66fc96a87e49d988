/**
 * The survivor: keeps away from what hurts, gathers gems where that is safe, and drafts by a list.
 *
 * It looks a second ahead along sixteen directions and walks where the sum of its fears, less what there is to gather, is
 * least. No memory: everything it knows is in the world.
 */

import { type Bot, seatRow, thingOf } from 'hurtbox'
import { clamp, cos, length, purposeOf, sin, TAU, unitAt } from 'hurtbox/math'
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
  TICK_RATE,
  WIDTH,
} from '../rules/declaration.ts'

/** Ticks ahead at which a way is judged. */
const HORIZONS = [6, 18, 36, 60]
/** Place in `HORIZONS` up to which everything is thought to go straight on. */
const SOON = 2
const SOON_SECONDS = HORIZONS[SOON] * DT
/** px: nearer than this is as good as hit. */
const SKIN = 6
/** Sixteen directions, and standing still. */
const WAYS = [
  ...Array.from({ length: 16 }, (_, i) => ({ x: cos((i * TAU) / 16), y: sin((i * TAU) / 16) })),
  { x: 0, y: 0 },
]
const HESITATION = purposeOf('nightfall hesitation')
/** px: what is further away is no concern of this second. */
const SIGHT = 260

/** Best first. */
const WISHES = [
  'explosions',
  'volley',
  'wand',
  'bow',
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
    const { things, players } = world.tables
    const player = seatRow(world, seat)
    if (player < 0) return {}
    if (players.offer[player * OFFERS] !== 0) return choose(world, player)
    const row = thingOf(world, player)
    if (row < 0 || things.hp[row] === 0) return {}
    const around = lookAround(world, row)
    let best = 0
    let least = Number.POSITIVE_INFINITY
    for (let way = 0; way < WAYS.length; way++) {
      // A hair of chance, so that two equal ways do not keep it standing between them.
      const cost = costOf(world, row, WAYS[way], around) + unitAt(seed, world.tick, seat, way, HESITATION) * 1e-6
      if (cost >= least) continue
      least = cost
      best = way
    }
    return { moveX: WAYS[best].x, moveY: WAYS[best].y }
  },
}

function choose(world: NightWorld, player: number) {
  const { offer } = world.tables.players
  let best = 0
  let bestWish = Number.POSITIVE_INFINITY
  for (let i = 0; i < OFFERS; i++) {
    const upgrade = offer[player * OFFERS + i]
    if (upgrade === 0) continue
    const wish = wishFor(UPGRADES[upgrade - 1].name)
    if (wish >= bestWish) continue
    best = i
    bestWish = wish
  }
  return [{ first: 1 }, { second: 1 }, { third: 1 }][best]
}

/** Place on the list; what is not on it comes last. */
function wishFor(name: string): number {
  const place = WISHES.indexOf(name)
  return place < 0 ? WISHES.length : place
}

type Place = { readonly x: number; readonly y: number }

/** Something that hurts and moves: where it is seen from the survivor, where it goes, how near is a hit, what that costs. */
type Mover = {
  readonly dx: number
  readonly dy: number
  readonly vx: number
  readonly vy: number
  readonly reach: number
  readonly weight: number
  /** Where an enemy will be in a second. Bullets have passed by then. */
  readonly end?: Place
}

type Around = {
  readonly movers: readonly Mover[]
  readonly hazards: readonly number[]
  readonly pickups: readonly number[]
}

function lookAround(world: NightWorld, self: number): Around {
  const { layer, x, y, count } = world.tables.things
  const movers: Mover[] = []
  const hazards: number[] = []
  const pickups: number[] = []
  for (let row = 0; row < count; row++) {
    if (layer[row] === LAYER.pickup) pickups.push(row)
    if (layer[row] === LAYER.hazard) hazards.push(row)
    if (layer[row] !== LAYER.enemy && layer[row] !== LAYER.bullet) continue
    if (Math.abs(x[row] - x[self]) < SIGHT && Math.abs(y[row] - y[self]) < SIGHT) movers.push(watch(world, self, row))
  }
  return { movers, hazards, pickups }
}

function watch({ tables: { things } }: NightWorld, self: number, row: number): Mover {
  const dx = things.x[row] - things.x[self]
  const dy = things.y[row] - things.y[self]
  const reach = things.radius[row] + things.radius[self]
  const weight = things.damage[row]
  if (things.layer[row] === LAYER.bullet) return { dx, dy, vx: things.vx[row], vy: things.vy[row], reach, weight }
  const distance = length(dx, dy) || 1
  const speed = Math.min(things.speed[row], distance)
  const end = { x: things.x[row] - dx * (speed / distance), y: things.y[row] - dy * (speed / distance) }
  return { dx, dy, vx: (-dx / distance) * speed, vy: (-dy / distance) * speed, reach, weight: weight * 2, end }
}

function costOf(world: NightWorld, self: number, way: Place, around: Around): number {
  const { things } = world.tables
  const speed = world.tuning.survivorSpeed
  const places = HORIZONS.map((ticks) => ({
    x: clamp(things.x[self] + way.x * speed * ticks * DT, MARGIN, WIDTH - MARGIN),
    y: clamp(things.y[self] + way.y * speed * ticks * DT, MARGIN, HEIGHT - MARGIN),
  }))
  const own = {
    vx: (places[SOON].x - things.x[self]) / SOON_SECONDS,
    vy: (places[SOON].y - things.y[self]) / SOON_SECONDS,
    safeSeconds: (things.hittableFrom[self] - world.clock) / TICK_RATE,
    end: places[places.length - 1],
  }
  let cost = 4 * edgeOf(own.end.x, WIDTH) + 4 * edgeOf(own.end.y, HEIGHT)
  for (const mover of around.movers) cost += fearOf(mover, own)
  for (const row of around.hazards) cost += heatOf(world, row, places)
  for (const row of around.pickups) cost -= joyOf(world, row, places)
  return cost
}

type Own = { readonly vx: number; readonly vy: number; readonly safeSeconds: number; readonly end: Place }

/** How much something that moves is to be feared: by how near it comes on the way, and by how near it is at its end. */
function fearOf({ dx, dy, vx, vy, reach, weight, end }: Mover, own: Own): number {
  // Everything goes straight on for so short a time.
  const closingX = vx - own.vx
  const closingY = vy - own.vy
  const squared = closingX * closingX + closingY * closingY
  const seconds = squared === 0 ? 0 : clamp(-(dx * closingX + dy * closingY) / squared, 0, SOON_SECONDS)
  const nearest = length(dx + closingX * seconds, dy + closingY * seconds) - reach
  const near = own.safeSeconds > seconds ? 0 : weight * (nearest < SKIN ? 30 : 40 / (nearest * nearest))
  if (end === undefined) return near
  const gap = Math.max(SKIN, length(end.x - own.end.x, end.y - own.end.y) - reach)
  return near + (weight * 40) / (gap * gap)
}

/** Whether it will burn where the way leads. */
function heatOf({ tables: { things }, clock }: NightWorld, row: number, places: readonly Place[]): number {
  const isAlongX = things.slot[row] === 0
  let heat = 0
  for (let i = 0; i < places.length; i++) {
    const burns = things.readyAt[row] <= clock + HORIZONS[i] && things.endsAt[row] > clock + HORIZONS[i]
    const inX = Math.abs(places[i].x - things.x[row]) < (isAlongX ? 60 : 30) + 16
    const inY = Math.abs(places[i].y - things.y[row]) < (isAlongX ? 30 : 60) + 16
    if (burns && inX && inY) heat += 60
  }
  return heat
}

/** How good it is to come past a pickup: the nearer the better, wherever on the way. */
function joyOf({ tables: { things } }: NightWorld, row: number, places: readonly Place[]): number {
  let nearestSquared = Number.POSITIVE_INFINITY
  for (const { x, y } of places) {
    const dx = things.x[row] - x
    const dy = things.y[row] - y
    nearestSquared = Math.min(nearestSquared, dx * dx + dy * dy)
  }
  const worth = things.kind[row] === KIND.gem ? 1 : 8
  return (worth * 40) / (Math.sqrt(nearestSquared) + 40)
}

/** 0 in the middle of the field, 1 at its edge. */
function edgeOf(place: number, size: number): number {
  const fromMiddle = Math.abs(place - size / 2) / (size / 2 - MARGIN)
  return fromMiddle * fromMiddle * fromMiddle * fromMiddle
}
