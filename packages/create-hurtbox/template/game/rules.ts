/**
 * The game: knights with a sword against slimes that keep coming.
 *
 * Everything in this folder runs in every browser and on the server and must come out the same everywhere: no Math.sin,
 * Math.random or Date in here (see "Determinism" in the docs). Chance comes from `world.random`, time is `world.clock`.
 */

import {
  addCircle,
  addShape,
  axis,
  collide,
  declareGame,
  defineGame,
  despawn,
  each,
  eventsOf,
  playerOf,
  players,
  press,
  push,
  rememberHits,
  seconds,
  spawn,
  type Thing,
  thing,
  tune,
  type World,
} from 'hurtbox'
import { defineCombat, hurt, knockback, protect } from 'hurtbox/combat'
import { int, length, range, TAU } from 'hurtbox/math'
import { face, separate } from 'hurtbox/motion'
import { arc } from 'hurtbox/shapes'

export const [WIDTH, HEIGHT] = [800, 500] as const
const combat = defineCombat({ damageTypes: ['sword', 'slime'] })

const declared = declareGame({
  id: 'slime-pit',
  // A version that was released (`npx hurtbox release`) keeps its rules: raise it when you change them after that.
  rulesVersion: 1,
  tickRate: 60,
  seats: { min: 1, max: 4 },
  // Which layers meet; a knight's sword is a box on a layer of its own.
  layers: { sword: ['slime'], slime: ['knight'], knight: [] },
  capacity: 256,
  things: { ...combat.columns, facingX: 'f64', facingY: 'f64', swingEndsAt: 'timer', swing: 'u32' },
  players: { score: 'u32', backAt: 'timer' },
  hits: rememberHits(256),
  globals: { swings: 'u32' },
  streams: ['slimes'],
  input: { moveX: axis(), moveY: axis(), attack: press() },
  events: combat.events,
  // Change these while you play: `npx hurtbox run game/index.ts --tune slimeSpeed=2`.
  tuning: {
    knightSpeed: tune(3, { unit: 'px/tick', min: 0.5, max: 10 }),
    slimeSpeed: tune(1.2, { unit: 'px/tick', min: 0, max: 10 }),
    slimes: tune(12, { unit: 'slimes', min: 1, max: 100, help: 'how many there are at a time' }),
    swordDamage: tune(15, { unit: 'hp', min: 1, max: 100 }),
    swordPush: tune(30, { unit: 'px', min: 0, max: 200 }),
    slimeDamage: tune(10, { unit: 'hp', min: 0, max: 100 }),
    swingTime: seconds(0.2),
    protection: seconds(0.8),
    returnAfter: seconds(2),
  },
})

// A name for all of that: your editor prints World<Pit> and Thing<Pit>, and not the whole declaration.
export interface Pit extends Readonly<typeof declared> {}
const declaration: Pit = declared

export const SWORD_REACH = 60
const sword = arc(SWORD_REACH, TAU / 3)

const hits = collide(
  declaration,
  {
    // A swing hits each slime once while it lasts: the swing is known by its number.
    'sword hits slime': {
      between: ['sword', 'slime'],
      gates: ['dead'],
      once: (_knight, _slime, { world }) => world.tuning.swingTime,
      attack: (knight) => knight.swing,
      decide(knight, slime, { world }) {
        hurt(slime, world.tuning.swordDamage, knight, combat.type.sword)
        knockback(slime, knight, world.tuning.swordPush)
      },
    },
    'slime hurts knight': {
      between: ['slime', 'knight'],
      gates: ['dead', 'attacker-dead', 'invulnerable'],
      decide(slime, knight, { world }) {
        hurt(knight, world.tuning.slimeDamage, slime, combat.type.slime)
        knockback(knight, slime, 20)
        protect(knight, world.tuning.protection)
      },
    },
  },
  {
    // Slimes have the one circle that everything has by default. A knight has a body, and a sword while he swings it.
    pose: {
      knight(knight, boxes, { clock }) {
        if (knight.hp <= 0) return
        addCircle(boxes, knight)
        if (knight.swingEndsAt > clock) addShape(boxes, sword, knight, 'sword')
      },
    },
  },
)

function steer(world: World<Pit>): void {
  const { tuning, clock, globals } = world
  for (const { thing: knight, moveX, moveY, attack } of players(world)) {
    if (knight === undefined || knight.hp <= 0) continue
    face(knight, moveX, moveY)
    const speed = tuning.knightSpeed * Math.min(1, length(moveX, moveY))
    push(knight, knight.facingX * speed, knight.facingY * speed)
    if (attack === 0 || knight.swingEndsAt > clock) continue
    knight.swing = ++globals.swings
    knight.swingEndsAt = clock + tuning.swingTime
  }
}

/** Slimes crawl to the nearest living knight. */
function crawl(world: World<Pit>): void {
  for (const slime of each(world, 'slime')) {
    const knight = nearest(world, 'knight', slime)
    const { slimeSpeed } = world.tuning
    const way = knight === undefined ? 0 : distance(knight, slime)
    if (knight === undefined || way < 1) continue
    push(slime, ((knight.x - slime.x) / way) * slimeSpeed, ((knight.y - slime.y) / way) * slimeSpeed)
  }
}

/** The nearest living thing of a layer. */
export function nearest(world: World<Pit>, layer: 'knight' | 'slime', from: Thing<Pit>): Thing<Pit> | undefined {
  let found: Thing<Pit> | undefined
  for (const other of each(world, layer)) {
    if (other.hp > 0 && (found === undefined || distance(other, from) < distance(found, from))) found = other
  }
  return found
}

const distance = (a: Thing<Pit>, b: Thing<Pit>) => length(a.x - b.x, a.y - b.y)

/** Things push each other apart and stay inside the pit. */
const makeRoom = separate({ bounds: { minX: 0, minY: 0, maxX: WIDTH, maxY: HEIGHT } })

/** Dead slimes leave and score; dead knights come back after a while. */
function bury(world: World<Pit>): void {
  for (const { victim, attacker } of eventsOf(world, 'kill')) {
    const knight = playerOf(world, victim)
    const scorer = playerOf(world, attacker)
    if (knight !== undefined) knight.backAt = world.clock + world.tuning.returnAfter
    else despawn(thing(world, victim)!)
    if (knight === undefined && scorer !== undefined) scorer.score++
  }
  for (const { thing: knight, backAt } of players(world)) {
    if (knight === undefined || backAt === 0 || backAt !== world.clock) continue
    knight.hp = knight.maxHp
    protect(knight, world.tuning.protection)
  }
}

/** New slimes come from the four corners. The larger, the tougher. */
function refill(world: World<Pit>): void {
  if (world.tick % 15 !== 0 || [...each(world, 'slime')].length >= world.tuning.slimes) return
  const corner = int(world.random.slimes, 0, 3)
  const [x, y] = [corner % 2 === 0 ? 0 : WIDTH, corner < 2 ? 0 : HEIGHT]
  const radius = range(world.random.slimes, 10, 18)
  spawn(world, 'slime', { x, y, radius, hp: radius * 2, maxHp: radius * 2, invMass: 1 })
}

export const game = defineGame(declaration, {
  phases: { steer, crawl, hits, makeRoom, bury, refill },
  onJoin(world, player) {
    const [x, y] = [WIDTH / 2 + 40 * player.seat, HEIGHT / 2]
    player.thing = spawn(world, 'knight', { x, y, radius: 16, hp: 100, maxHp: 100, facingX: 1, invMass: 1 })
  },
  stats: (world) => ({ slimesSlain: [...players(world)].reduce((sum, { score }) => sum + score, 0) }),
})
