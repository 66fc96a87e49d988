/**
 * The survivor: keeps away from what hurts, gathers gems where that is safe, and drafts by a list.
 *
 * It looks a second ahead along sixteen directions and walks where the danger, less what there is to gather, is least. It
 * has no memory: everything it knows is in the world.
 */

import { type Bot, each } from 'hurtbox'
import { clamp, cos, length, purposeOf, sin, TAU, unitAt } from 'hurtbox/math'
import { UPGRADES } from '../rules/content/upgrades.ts'
import {
  DT,
  type declaration,
  HEIGHT,
  KIND,
  MARGIN,
  type NightPlayer,
  type NightThing,
  type NightWorld,
  OFFERS,
  TICK_RATE,
  WIDTH,
} from '../rules/declaration.ts'

/** Ticks ahead at which a way is rated. */
const HORIZONS = [6, 18, 36, 60]
/** Place in `HORIZONS` up to which everything is assumed to go straight on. */
const SOON = 2
const SOON_SECONDS = HORIZONS[SOON] * DT
/** px: nearer than this counts as hit. */
const SKIN = 6
/** Sixteen directions, and standing still. */
const WAYS = [
  ...Array.from({ length: 16 }, (_, i) => ({ x: cos((i * TAU) / 16), y: sin((i * TAU) / 16) })),
  { x: 0, y: 0 },
]
const HESITATION = purposeOf('nightfall hesitation')
/** px: what is further away does not matter for this second. */
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
  think(world, player, seed) {
    const self = player.thing
    if (player.offer.get(0) !== 0) return choose(player)
    if (self === undefined || self.hp === 0) return {}
    const around = survey(world, self)
    let best = 0
    let least = Number.POSITIVE_INFINITY
    for (let way = 0; way < WAYS.length; way++) {
      // A tiny random part, so that it does not stop between two ways that cost the same.
      const hesitation = unitAt(seed, world.tick, player.seat, way, HESITATION) * 1e-6
      const cost = costOf(world, self, WAYS[way], around) + hesitation
      if (cost >= least) continue
      least = cost
      best = way
    }
    return { moveX: WAYS[best].x, moveY: WAYS[best].y }
  },
}

function choose({ offer }: NightPlayer) {
  let best = 0
  let bestWish = Number.POSITIVE_INFINITY
  for (let i = 0; i < OFFERS; i++) {
    const upgrade = offer.get(i)
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
  readonly hazards: readonly NightThing[]
  readonly pickups: readonly NightThing[]
}

function survey(world: NightWorld, self: NightThing): Around {
  const movers: Mover[] = []
  const hazards: NightThing[] = []
  const pickups: NightThing[] = []
  for (const other of each(world)) {
    const { layer } = other
    if (layer === 'pickup') pickups.push(other)
    if (layer === 'hazard') hazards.push(other)
    if (layer !== 'enemy' && layer !== 'bullet') continue
    if (Math.abs(other.x - self.x) < SIGHT && Math.abs(other.y - self.y) < SIGHT) movers.push(watch(self, other))
  }
  return { movers, hazards, pickups }
}

function watch(self: NightThing, other: NightThing): Mover {
  const dx = other.x - self.x
  const dy = other.y - self.y
  const reach = other.radius + self.radius
  const weight = other.damage
  if (other.layer === 'bullet') return { dx, dy, vx: other.vx, vy: other.vy, reach, weight }
  const distance = length(dx, dy) || 1
  const speed = Math.min(other.speed, distance)
  const end = { x: other.x - dx * (speed / distance), y: other.y - dy * (speed / distance) }
  return { dx, dy, vx: (-dx / distance) * speed, vy: (-dy / distance) * speed, reach, weight: weight * 2, end }
}

function costOf({ clock, tuning }: NightWorld, self: NightThing, way: Place, around: Around): number {
  const speed = tuning.survivorSpeed
  const places = HORIZONS.map((ticks) => ({
    x: clamp(self.x + way.x * speed * ticks * DT, MARGIN, WIDTH - MARGIN),
    y: clamp(self.y + way.y * speed * ticks * DT, MARGIN, HEIGHT - MARGIN),
  }))
  const own = {
    vx: (places[SOON].x - self.x) / SOON_SECONDS,
    vy: (places[SOON].y - self.y) / SOON_SECONDS,
    safeSeconds: (self.invulnerableUntil - clock) / TICK_RATE,
    end: places[places.length - 1],
  }
  let cost = 4 * edgeOf(own.end.x, WIDTH) + 4 * edgeOf(own.end.y, HEIGHT)
  for (const mover of around.movers) cost += fearOf(mover, own)
  for (const hazard of around.hazards) cost += heatOf(clock, hazard, places)
  for (const pickup of around.pickups) cost -= joyOf(pickup, places)
  return cost
}

type Own = { readonly vx: number; readonly vy: number; readonly safeSeconds: number; readonly end: Place }

/** How dangerous a mover is: by how near it comes on the way, and by how near it is at the end. */
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
function heatOf(clock: number, hazard: NightThing, places: readonly Place[]): number {
  const isAlongX = hazard.slot === 0
  let heat = 0
  for (let i = 0; i < places.length; i++) {
    const burns = hazard.readyAt <= clock + HORIZONS[i] && hazard.endsAt > clock + HORIZONS[i]
    const inX = Math.abs(places[i].x - hazard.x) < (isAlongX ? 60 : 30) + 16
    const inY = Math.abs(places[i].y - hazard.y) < (isAlongX ? 30 : 60) + 16
    if (burns && inX && inY) heat += 60
  }
  return heat
}

/** How good it is to come past a pickup: the nearer the better, anywhere on the way. */
function joyOf(pickup: NightThing, places: readonly Place[]): number {
  const { x: atX, y: atY } = pickup
  let nearestSquared = Number.POSITIVE_INFINITY
  for (const { x, y } of places) {
    const dx = atX - x
    const dy = atY - y
    nearestSquared = Math.min(nearestSquared, dx * dx + dy * dy)
  }
  const worth = pickup.kind === KIND.gem ? 1 : 8
  return (worth * 40) / (Math.sqrt(nearestSquared) + 40)
}

/** 0 in the middle of the field, 1 at its edge. */
function edgeOf(place: number, size: number): number {
  const fromMiddle = Math.abs(place - size / 2) / (size / 2 - MARGIN)
  return fromMiddle * fromMiddle * fromMiddle * fromMiddle
}
