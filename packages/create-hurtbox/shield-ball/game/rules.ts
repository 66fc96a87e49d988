/**
 * Shield Ball: two against two, a ball that never stops, and shields that reflect it.
 *
 * Everything in this folder runs in every browser and on the server and must come out the same everywhere: no Math.sin,
 * Math.random or Date in here. Speeds are px per tick; y points down.
 */

import {
  addCircle,
  addShape,
  axis,
  collide,
  declareGame,
  defineGame,
  defineStatics,
  despawn,
  each,
  emit,
  eventsOf,
  players,
  press,
  seconds,
  spawn,
  tune,
  type World,
} from 'hurtbox'
import { bounce, contact, exchange, reflect, slide, travel } from 'hurtbox/contacts'
import { atan2, clamp, cos, length, range, sin, TAU } from 'hurtbox/math'
import { arcBand } from 'hurtbox/shapes'
import { court, HEIGHT, WIDTH } from './map.ts'

const declared = declareGame({
  id: 'shield-ball',
  tickRate: 60,
  seats: { min: 0, max: 4 },
  // Which layers meet. A shield is a box of its player, on a layer of its own.
  layers: {
    ball: ['shield', 'player', 'wall', 'goal'],
    player: ['player', 'wall', 'goal'],
    ...{ shield: [], wall: [], goal: [] },
  },
  capacity: 32,
  things: {
    ...{ facingX: 'f64', facingY: 'f64', spin: 'f64', invMass: 'f64', shieldUp: 'u8', stunnedUntil: 'timer' },
    ...{ dashUntil: 'timer', dashAgainAt: 'timer', bashUntil: 'timer', bashAgainAt: 'timer', blockedUntil: 'timer' },
  },
  globals: { leftGoals: 'u32', rightGoals: 'u32', kickOffAt: 'timer' },
  streams: ['kickOff'],
  input: { moveX: axis(), moveY: axis(), aimX: axis(), aimY: axis(), dash: press(), bash: press() },
  events: {
    bounce: { x: 'f64', y: 'f64', speed: 'f64' },
    block: { player: 'id', x: 'f64', y: 'f64', speed: 'f64' },
    stun: { player: 'id', x: 'f64', y: 'f64' },
    dash: { player: 'id' },
    bash: { player: 'id' },
    goal: { team: 'u8', x: 'f64', y: 'f64' },
  },
  content: { court },
  tuning: {
    walkSpeed: tune(5, { unit: 'px/tick', min: 1, max: 20 }),
    dashSpeed: tune(16, { unit: 'px/tick', min: 1, max: 60 }),
    turnSpeed: tune(0.35, { unit: 'rad/tick', min: 0.05, max: 3, help: 'how fast a shield follows the aim' }),
    kickOffSpeed: tune(7, { unit: 'px/tick', min: 1, max: 400 }),
    topSpeed: tune(60, { unit: 'px/tick', min: 5, max: 400, help: 'no ball is faster' }),
    blockGain: tune(1.05, { unit: '×', min: 1, max: 2, help: 'how much faster a shield makes the ball' }),
    bashGain: tune(1.5, { unit: '×', min: 1, max: 4 }),
    goalsToWin: tune(5, { unit: 'goals', min: 1, max: 99 }),
    ...{ dashTime: seconds(0.15), dashPause: seconds(1.2), bashTime: seconds(0.2), bashPause: seconds(0.8) },
    ...{ stunTime: seconds(0.7), goalPause: seconds(1) },
  },
})

// A name for all of that: your editor prints World<ShieldBall> and Thing<ShieldBall>, and not the whole declaration.
export interface ShieldBall extends Readonly<typeof declared> {}
const declaration: ShieldBall = declared

const MIDDLE = { x: WIDTH / 2, y: HEIGHT / 2 }
export const shield = arcBand(30, 38, TAU / 3)

/** Everything that moves, and what happens when it meets something on its way. */
const play = collide(
  declaration,
  {
    'shield reflects ball': {
      between: ['ball', 'shield'],
      decide(ball, player, hit) {
        const { tuning, clock } = hit.world
        const met = contact(hit)
        const faster = player.bashUntil > clock ? tuning.bashGain : tuning.blockGain
        if (!reflect(ball, met, { faster, atMost: tuning.topSpeed })) return 'leaving'
        emit(hit.world, 'block', { player, x: met.x, y: met.y, speed: length(ball.vx, ball.vy) })
        // A ball that is back so soon is pressed against something: that costs the shield.
        if (player.blockedUntil > clock) {
          player.shieldUp = 0
          player.stunnedUntil = clock + tuning.stunTime
        }
        player.blockedUntil = clock + 4
      },
    },
    'ball stuns player': {
      between: ['ball', 'player'],
      decide(ball, player, hit) {
        const met = contact(hit)
        if (!reflect(ball, met)) return 'leaving'
        player.shieldUp = 0
        player.stunnedUntil = hit.world.clock + hit.world.tuning.stunTime
        emit(hit.world, 'stun', { player, x: met.x, y: met.y })
      },
    },
    'ball meets wall': {
      between: ['ball', 'wall'],
      decide(ball, _wall, hit) {
        const met = contact(hit)
        if (bounce(ball, met)) emit(hit.world, 'bounce', { x: met.x, y: met.y, speed: length(ball.vx, ball.vy) })
      },
    },
    'ball enters goal': {
      between: ['ball', 'goal'],
      decide(ball, goal, { world }) {
        emit(world, 'goal', { team: goal.x < WIDTH / 2 ? 2 : 1, x: ball.x, y: ball.y })
        despawn(ball)
      },
    },
    'player meets wall': { between: ['player', 'wall'], decide: (player, _, hit) => void slide(player, contact(hit)) },
    'player meets goal': { between: ['player', 'goal'], decide: (player, _, hit) => void slide(player, contact(hit)) },
    'players meet': {
      between: ['player', 'player'],
      decide: (one, other, hit) => void exchange(one, other, contact(hit), { restitution: 0 }),
    },
  },
  {
    statics: defineStatics(declaration, court),
    travel: travel(['ball', 'player'], { perTick: true, most: 16 }),
    pose: {
      player(player, boxes) {
        addCircle(boxes, player)
        if (player.shieldUp === 1) addShape(boxes, shield, player, 'shield')
      },
    },
  },
)

/** Players walk or dash where they push, and their shields turn towards the aim. */
function steer(world: World<ShieldBall>): void {
  const { clock, tuning } = world
  for (const { thing: player, moveX, moveY, aimX, aimY, dash, bash } of players(world)) {
    if (player === undefined) continue
    const isStunned = player.stunnedUntil > clock
    if (dash !== 0 && !isStunned && player.dashAgainAt <= clock) {
      player.dashUntil = clock + tuning.dashTime
      player.dashAgainAt = clock + tuning.dashPause
      emit(world, 'dash', { player })
    }
    if (bash !== 0 && !isStunned && player.bashAgainAt <= clock) {
      player.bashUntil = clock + tuning.bashTime
      player.bashAgainAt = clock + tuning.bashPause
      emit(world, 'bash', { player })
    }
    const speed = isStunned ? 0 : player.dashUntil > clock ? tuning.dashSpeed : tuning.walkSpeed
    player.vx = moveX * (speed / Math.max(1, length(moveX, moveY)))
    player.vy = moveY * (speed / Math.max(1, length(moveX, moveY)))
    const { facingX, facingY } = player
    const turn = atan2(facingX * aimY - facingY * aimX, facingX * aimX + facingY * aimY)
    player.spin = isStunned || length(aimX, aimY) < 0.1 ? 0 : clamp(turn, -tuning.turnSpeed, tuning.turnSpeed)
    // A shield goes up where there is room for it.
    if (!isStunned && hasRoom(world, 'ball', player)) player.shieldUp = 1
  }
}

/** Whether no thing of a layer is where a shield around this place, or a ball in it, would be. */
function hasRoom(world: World<ShieldBall>, layer: 'ball' | 'player', at: typeof MIDDLE): boolean {
  return [...each(world, layer)].every(({ x, y }) => length(x - at.x, y - at.y) > 55)
}

/** Counts goals, and brings a new ball to the middle after a pause. */
function referee(world: World<ShieldBall>): void {
  const { globals, clock, tuning } = world
  for (const { team } of eventsOf(world, 'goal')) {
    if (team === 1) globals.leftGoals++
    else globals.rightGoals++
    globals.kickOffAt = clock + tuning.goalPause
  }
  if (globals.kickOffAt > clock || each(world, 'ball').next().done !== true || !hasRoom(world, 'player', MIDDLE)) return
  const ball = spawn(world, 'ball', { ...MIDDLE, radius: 12 })
  const way = range(world.random.kickOff, 0, TAU)
  ball.vx = cos(way) * tuning.kickOffSpeed
  ball.vy = sin(way) * tuning.kickOffSpeed
}

const isOver = ({ globals, tuning }: World<ShieldBall>) =>
  Math.max(globals.leftGoals, globals.rightGoals) >= tuning.goalsToWin

export const game = defineGame(declaration, {
  phases: { steer, play, referee },
  onJoin(world, player) {
    if (player.team === 0) player.team = 1 + (player.seat % 2)
    const ahead = player.team === 1 ? 1 : -1
    const [x, y] = [WIDTH / 2 - 400 * ahead, player.seat < 2 ? HEIGHT / 3 : (2 * HEIGHT) / 3]
    player.thing = spawn(world, 'player', { x, y, team: player.team, radius: 18, invMass: 1, facingX: ahead })
  },
  isOver,
  result(world) {
    const { leftGoals, rightGoals } = world.globals
    const winner = leftGoals > rightGoals ? 'the left' : 'the right'
    return { over: isOver(world), winner, summary: `${leftGoals} : ${rightGoals}` }
  },
  stats: ({ globals: { leftGoals, rightGoals } }) => ({ leftGoals, rightGoals }),
})
