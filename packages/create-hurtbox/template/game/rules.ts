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
  findRow,
  layerNumbers,
  playerOf,
  press,
  rule,
  seconds,
  spawn,
  takeAlong,
  thingOf,
  tune,
  type World,
} from 'hurtbox'
import { defineCombat, hurt, knockback, protect } from 'hurtbox/combat'
import { int, range, TAU } from 'hurtbox/math'
import { separate } from 'hurtbox/motion'
import { arc } from 'hurtbox/shapes'

const WIDTH = 800
const HEIGHT = 500

const combat = defineCombat({ damageTypes: ['sword', 'slime'] })

export const declaration = declareGame({
  id: 'slime-pit',
  rulesVersion: 1,
  tickRate: 60,
  seats: { min: 1, max: 4 },
  // Who meets whom; a knight's sword is a box on a layer of its own.
  layers: { sword: ['slime'], slime: ['knight'], knight: [] },
  tables: {
    things: {
      capacity: 256,
      columns: { ...combat.columns, facingX: 'f64', facingY: 'f64', swingEndsAt: 'timer', swing: 'u32' },
    },
    players: { columns: { score: 'u32', backAt: 'timer' } },
    hits: { capacity: 256 }, // who was hit by which swing
  },
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

export type PitWorld = World<typeof declaration>
const LAYER = layerNumbers(declaration)
export const SWORD_REACH = 60
const sword = arc(SWORD_REACH, TAU / 3)

export const isKnight = (world: PitWorld, row: number) => world.tables.things.layer[row] === LAYER.knight

/** A swing hits each slime once, however many ticks it lasts: the ledger knows the swing by its number. */
const swordHitsSlime = rule(declaration, {
  name: 'sword-hits-slime',
  attacker: 'sword',
  victim: 'slime',
  gates: ['dead', 'already-hit'],
  attack: (view, { attacker }) => view.tables.things.swing[attacker],
  decide(view, { attacker, victim }, outcome) {
    const { id, x, y } = view.tables.things
    hurt(view, outcome, victim, view.tuning.swordDamage, combat.type.sword, id[attacker], id[attacker])
    knockback(view, outcome, victim, x[attacker], y[attacker], view.tuning.swordPush, 'displace')
    outcome.remember()
    return 'hit'
  },
})

const slimeHurtsKnight = rule(declaration, {
  name: 'slime-hurts-knight',
  attacker: 'slime',
  victim: 'knight',
  gates: ['dead', 'attacker-dead', 'invulnerable'],
  decide(view, { attacker, victim }, outcome) {
    const { id, x, y } = view.tables.things
    hurt(view, outcome, victim, view.tuning.slimeDamage, combat.type.slime, id[attacker], id[attacker])
    knockback(view, outcome, victim, x[attacker], y[attacker], 20, 'displace')
    protect(view, outcome, victim, view.tuning.protection)
    return 'hit'
  },
})

/** Slimes have the one circle that everything has unless told otherwise. A knight has a body, and while he swings a sword. */
const hits = collide([swordHitsSlime, slimeHurtsKnight], {
  takes: { things: combat.takes },
  pose: {
    knight({ clock, tables: { things } }, row, boxes) {
      const { x, y, radius, facingX, facingY } = things
      if (things.hp[row] <= 0) return
      addCircle(boxes, row, LAYER.knight, x[row], y[row], radius[row])
      if (things.swingEndsAt[row] <= clock) return
      addShape(boxes, row, LAYER.sword, sword, x[row], y[row], facingX[row], facingY[row])
    },
  },
})

function steer(world: PitWorld): void {
  const { tables, tuning, clock, globals } = world
  const { players, things } = tables
  for (let player = 0; player < players.count; player++) {
    const row = thingOf(world, player)
    if (row < 0 || things.hp[row] <= 0) continue
    const [moveX, moveY] = [players.moveX[player], players.moveY[player]]
    const length = Math.sqrt(moveX * moveX + moveY * moveY)
    if (length > 0) {
      things.facingX[row] = moveX / length
      things.facingY[row] = moveY / length
      const speed = tuning.knightSpeed * Math.min(1, length)
      things.x[row] += things.facingX[row] * speed
      things.y[row] += things.facingY[row] * speed
    }
    if (players.attack[player] > 0 && things.swingEndsAt[row] <= clock) {
      things.swing[row] = ++globals.swings
      things.swingEndsAt[row] = clock + tuning.swingTime
    }
  }
}

/** Slimes crawl to the nearest knight who stands. */
function crawl(world: PitWorld): void {
  const { things } = world.tables
  for (let row = 0; row < things.count; row++) {
    if (isKnight(world, row)) continue
    const target = nearest(world, row, (other) => isKnight(world, other) && things.hp[other] > 0)
    if (target < 0) continue
    const [dx, dy] = [things.x[target] - things.x[row], things.y[target] - things.y[row]]
    const distance = Math.sqrt(dx * dx + dy * dy)
    if (distance < 1) continue
    things.x[row] += (dx / distance) * world.tuning.slimeSpeed
    things.y[row] += (dy / distance) * world.tuning.slimeSpeed
  }
}

/** The row of the nearest thing that is wanted, or -1. */
export function nearest({ tables }: PitWorld, from: number, isWanted: (row: number) => boolean): number {
  const { count, x, y } = tables.things
  let [found, best] = [-1, Number.POSITIVE_INFINITY]
  for (let row = 0; row < count; row++) {
    if (!isWanted(row)) continue
    const [dx, dy] = [x[row] - x[from], y[row] - y[from]]
    if (dx * dx + dy * dy < best) [found, best] = [row, dx * dx + dy * dy]
  }
  return found
}

/** Everybody takes up room, and nobody leaves the pit. */
const makeRoom = separate({ bounds: { minX: 0, minY: 0, maxX: WIDTH, maxY: HEIGHT } })

/** Who fell: slimes leave and score, knights come back after a while. */
function bury(world: PitWorld): void {
  const { players, things } = world.tables
  const { kill } = world.events
  for (let n = 0; n < kill.count; n++) {
    const row = findRow(things, kill.victim[n])
    if (row < 0) continue
    const fallen = playerOf(world, kill.victim[n])
    if (fallen >= 0) {
      players.backAt[fallen] = world.clock + world.tuning.returnAfter
      continue
    }
    things.leaving[row] = 1
    const scorer = playerOf(world, kill.attacker[n])
    if (scorer >= 0) players.score[scorer]++
  }
  for (let player = 0; player < players.count; player++) {
    if (players.backAt[player] === 0 || players.backAt[player] !== world.clock) continue
    const row = thingOf(world, player)
    if (row < 0) continue
    things.hp[row] = things.maxHp[row]
    things.hittableFrom[row] = world.clock + world.tuning.protection
  }
}

function refill(world: PitWorld): void {
  const { things } = world.tables
  let slimes = 0
  for (let row = 0; row < things.count; row++) if (!isKnight(world, row) && things.leaving[row] === 0) slimes++
  if (slimes >= world.tuning.slimes || world.tick % 15 !== 0) return
  // From one of the four corners.
  const corner = int(world.random.slimes, 0, 3)
  const x = corner % 2 === 0 ? 0 : WIDTH
  const y = corner < 2 ? 0 : HEIGHT
  const radius = range(world.random.slimes, 10, 18)
  addSlime(world, x, y, radius)
}

/** The larger, the tougher. */
function addSlime({ tables: { things } }: PitWorld, x: number, y: number, radius: number): void {
  spawn(things, { layer: LAYER.slime, x, y, radius, hp: radius * 2, maxHp: radius * 2, invMass: 1 })
}

export const game = defineGame(declaration, {
  onJoin(world, player) {
    const { players, things } = world.tables
    players.thing[player] = spawn(things, {
      layer: LAYER.knight,
      x: WIDTH / 2 + 40 * players.seat[player],
      y: HEIGHT / 2,
      radius: 16,
      hp: 100,
      maxHp: 100,
      facingX: 1,
      invMass: 1,
    })
  },
  onLeave: takeAlong,
  phases: () => ({ steer, crawl, hits, makeRoom, bury, refill }),
  stats: ({ tables: { players } }) => {
    let score = 0
    for (let player = 0; player < players.count; player++) score += players.score[player]
    return { slimesSlain: score }
  },
})
