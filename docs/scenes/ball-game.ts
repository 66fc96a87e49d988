/** A ball that bounces off walls and players, goals that count, and a kick-off after each. */

import {
  collide,
  declareGame,
  defineGame,
  defineStatics,
  despawn,
  each,
  emit,
  eventsOf,
  type Scene,
  spawn,
  type World,
} from 'hurtbox'
import { bounce, contact, reflect, slide, travel } from 'hurtbox/contacts'
import { cos, range, sin, TAU } from 'hurtbox/math'

const declaration = declareGame({
  id: 'ball-game',
  tickRate: 60,
  layers: { ball: ['player', 'wall', 'goal'], player: ['player', 'wall', 'goal'], wall: [], goal: [] },
  capacity: 16,
  things: { invMass: 'f64' },
  globals: { left: 'u32', right: 'u32', kickOffAt: 'timer' },
  events: { goal: { team: 'u8' } },
  streams: ['kickOff'],
  content: {
    court: [
      { layer: 'wall', minX: -200, maxX: 200, minY: -125, maxY: -105 },
      { layer: 'wall', minX: -200, maxX: 200, minY: 105, maxY: 125 },
      ...[-1, 1].flatMap((side) =>
        [-1, 1].map((end) => ({
          layer: 'wall' as const,
          minX: side < 0 ? -215 : 195,
          maxX: side < 0 ? -195 : 215,
          minY: end < 0 ? -125 : 45,
          maxY: end < 0 ? -45 : 125,
        })),
      ),
      { layer: 'goal', minX: -215, maxX: -205, minY: -45, maxY: 45 },
      { layer: 'goal', minX: 205, maxX: 215, minY: -45, maxY: 45 },
    ],
  },
})

// #region recipe
const play = collide(
  declaration,
  {
    'ball meets player': {
      between: ['ball', 'player'],
      // As fast as the player hits it, and a bit faster every time.
      decide(ball, _player, hit) {
        if (!reflect(ball, contact(hit), { faster: 1.05, atMost: 600 })) return 'leaving'
      },
    },
    'ball meets wall': { between: ['ball', 'wall'], decide: (ball, _, hit) => void bounce(ball, contact(hit)) },
    'ball enters goal': {
      between: ['ball', 'goal'],
      decide(ball, goal, { world }) {
        emit(world, 'goal', { team: goal.x < 0 ? 2 : 1 })
        despawn(ball)
      },
    },
    'player meets wall': { between: ['player', 'wall'], decide: (player, _, hit) => void slide(player, contact(hit)) },
    'player meets goal': { between: ['player', 'goal'], decide: (player, _, hit) => void slide(player, contact(hit)) },
  },
  // Balls and players are moved by the phase: a ball that bounces goes on with what is left of its tick.
  { statics: defineStatics(declaration, declaration.content.court), travel: travel(['ball', 'player']) },
)
// #endregion recipe

const PLACES = [-150, -60, 60, 150]

const game = defineGame(declaration, {
  setup(world) {
    for (const x of PLACES) spawn(world, 'player', { team: x < 0 ? 1 : 2, x, radius: 13, invMass: 1 })
  },
  phases: { steer, play, referee },
})

/** Each keeps its distance from the own goal, and the height of the ball. */
function steer(world: World<typeof declaration>): void {
  const [ball] = each(world, 'ball')
  for (const player of each(world, 'player')) {
    const x = PLACES[player.id - 1]
    const y = ball === undefined ? 0 : ball.y
    player.vx = Math.sign(x - player.x) * Math.min(80, Math.abs(x - player.x) * 6)
    player.vy = Math.sign(y - player.y) * Math.min(70, Math.abs(y - player.y) * 6)
  }
}

function referee(world: World<typeof declaration>): void {
  const { globals, clock } = world
  for (const { team } of eventsOf(world, 'goal')) {
    if (team === 1) globals.left++
    else globals.right++
    globals.kickOffAt = clock + 60
  }
  if (globals.kickOffAt > clock || each(world, 'ball').next().done !== true) return
  const way = range(world.random.kickOff, 0, TAU)
  const ball = spawn(world, 'ball', { radius: 7, vx: 260 * cos(way), vy: 260 * sin(way) })
  // Not straight up and down.
  if (Math.abs(ball.vx) < 90) ball.vx = ball.vx < 0 ? -140 : 140
}

export const scene: Scene = { name: 'ball-game', about: 'two against two, and goals', game, seed: 2, ticks: 1800 }
