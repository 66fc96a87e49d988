/** Ships that turn, thrust and drift in a world without edges, and shoot ahead of themselves. */

import {
  addCircle,
  type Boxes,
  collide,
  declareGame,
  defineGame,
  despawn,
  each,
  type Scene,
  spawn,
  sweepBox,
  type Thing,
  type World,
} from 'hurtbox'
import { defineCombat, expire, hurt, spawnFrom } from 'hurtbox/combat'
import { contact, exchange } from 'hurtbox/contacts'
import { comesBack, matchFlow, returnIn } from 'hurtbox/match'
import { atan2, clamp, cos, length, sin, TAU } from 'hurtbox/math'
import { torus } from 'hurtbox/space'

const combat = defineCombat({ damageTypes: ['shot', 'ram'] })
const [WIDTH, HEIGHT] = [440, 260]
const topology = torus(WIDTH, HEIGHT)

const declaration = declareGame({
  id: 'ships',
  tickRate: 60,
  layers: { ship: ['ship'], shot: ['ship'] },
  capacity: 64,
  things: { ...combat.columns, ...matchFlow.columns, facingX: 'f64', facingY: 'f64', heading: 'f64', invMass: 'f64' },
  globals: matchFlow.globals,
  events: { ...combat.events, ...matchFlow.events },
})

// #region recipe
const hits = collide(
  declaration,
  {
    'shot hits ship': {
      between: ['shot', 'ship'],
      gates: ['owner', 'dead', 'invulnerable'],
      decide(shot, ship) {
        hurt(ship, 10, shot)
        despawn(shot)
        if (ship.hp <= 0) returnIn(ship, 90)
      },
    },
    'ships ram': {
      between: ['ship', 'ship'],
      gates: ['dead', 'attacker-dead'],
      decide: (one, other, hit) => void exchange(one, other, contact(hit), { restitution: 0.8 }),
    },
  },
  {
    topology, // what leaves on one side meets what is on the other
    pose: { shot: poseShot }, // below: swept along the way it flew
  },
)
// #endregion recipe

function poseShot(shot: Thing<typeof declaration, 'shot'>, boxes: Boxes): void {
  addCircle(boxes, shot)
  sweepBox(boxes, shot.vx, shot.vy)
}

const game = defineGame(declaration, {
  setup(world) {
    for (let i = 0; i < 4; i++) {
      const ship = { x: -150 + 100 * i, y: i % 2 === 0 ? -60 : 60, heading: i * 1.7, radius: 11, invMass: 1 }
      spawn(world, 'ship', { ...ship, facingX: cos(i * 1.7), facingY: sin(i * 1.7), hp: 50, maxHp: 50 })
    }
  },
  phases: {
    comeBack(world) {
      for (const ship of each(world, 'ship')) comesBack(ship, 90)
    },
    fly,
    hits,
    expire,
  },
})

/** Each turns to the nearest by the shorter way, thrusts towards it, and shoots when it is ahead. */
function fly(world: World<typeof declaration>): void {
  for (const ship of each(world, 'ship')) {
    if (ship.hp <= 0) continue
    let [aimX, aimY, nearest] = [0, 0, Number.POSITIVE_INFINITY]
    for (const other of each(world, 'ship')) {
      const [dx, dy] = [around(other.x - ship.x, WIDTH), around(other.y - ship.y, HEIGHT)]
      const way = length(dx, dy)
      if (other.id !== ship.id && other.hp > 0 && way < nearest) [aimX, aimY, nearest] = [dx, dy, way]
    }
    const { facingX, facingY } = ship
    const turn = atan2(facingX * aimY - facingY * aimX, facingX * aimX + facingY * aimY)
    ship.heading = (ship.heading + clamp(turn, -0.04, 0.04)) % TAU
    ship.facingX = cos(ship.heading)
    ship.facingY = sin(ship.heading)
    const thrust = nearest > 70 ? 0.04 : -0.02
    // It drifts on where it went: thrust changes the speed, and a little of it is lost in every tick.
    ship.vx = (ship.vx + ship.facingX * thrust) * 0.99
    ship.vy = (ship.vy + ship.facingY * thrust) * 0.99
    if (Math.abs(turn) > 0.15 || nearest > 160 || (world.clock + ship.id * 9) % 36 !== 0) continue
    const [vx, vy] = [ship.vx + ship.facingX * 6, ship.vy + ship.facingY * 6]
    spawnFrom(ship, 'shot', { radius: 2.5, vx, vy, endsAt: world.clock + 40 })
  }
  for (const any of each(world)) {
    any.x = around(any.x + any.vx, WIDTH)
    any.y = around(any.y + any.vy, HEIGHT)
  }
}

/** The same place, or way, nearest to 0. */
function around(value: number, period: number): number {
  return value - period * Math.floor(value / period + 0.5)
}

export const scene: Scene = { name: 'ships', about: 'four ships in a world without edges', game, seed: 1, ticks: 1800 }
