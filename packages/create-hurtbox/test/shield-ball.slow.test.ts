/** Shield Ball, the game that a first look at bouncing should be: nothing escapes, and nothing passes a shield. */

import { createWorld, each, listEvents, players, step, syncTest, type World } from 'hurtbox'
import { atan2, unitAt } from 'hurtbox/math'
import { readModule } from 'hurtbox/module'
import { box, circle, createSeparation, type Shape, separation } from 'hurtbox/shapes'
import { type Collision, collisionsOf, playScene, requireInSync, startScene } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import * as exported from '../shield-ball/game/index.ts'
import { court, HEIGHT, WIDTH } from '../shield-ball/game/map.ts'
import { game, type ShieldBall, shield } from '../shield-ball/game/rules.ts'

const TICKS = process.env.HURTBOX_LONG ? 120_000 : 18_000
const SPEEDS = [7, 15, 30, 60, 100, 150, 200, 250, 300, 350, 380, 400]
const ball = circle(12)
const walls = court
  .filter(({ layer }) => layer === 'wall')
  .map((piece) =>
    'radius' in piece
      ? { shape: circle(piece.radius), pose: at(piece.x, piece.y) }
      : {
          shape: box((piece.maxX - piece.minX) / 2, (piece.maxY - piece.minY) / 2),
          pose: at((piece.minX + piece.maxX) / 2, (piece.minY + piece.maxY) / 2),
        },
  )

function at(x: number, y: number, facingX = 1, facingY = 0) {
  return { x, y, facingX, facingY }
}

function gap(x: number, y: number, shape: Shape, pose: ReturnType<typeof at>): number {
  return separation({ shape: ball, pose: at(x, y) }, { shape, pose }, createSeparation()).distance
}

/** Inputs of nobody in particular: every few ticks another way, another aim, a dash, a bash. */
function wildInputs(world: World<ShieldBall>, seed: number) {
  return Array.from(players(world), ({ seat }) => {
    const roll = (what: number) => 2 * unitAt(seed, Math.floor(world.tick / 8), seat, what, 77) - 1
    const press = (what: number) => (unitAt(seed, world.tick, seat, what, 77) < 0.05 ? 1 : 0)
    return { seat, moveX: roll(1), moveY: roll(2), aimX: roll(3), aimY: roll(4), dash: press(5), bash: press(6) }
  })
}

test('[SB1] at 7 to 400 px a tick no ball leaves the court and none passes a shield', { timeout: 600_000 }, () => {
  const seen = { blocks: 0, goals: 0, stuns: 0, timed: 0 }
  SPEEDS.forEach((speed, run) => {
    const seed = 1 + run
    // With a constant speed the length of a piece of the ball's way tells how long it took.
    const tuning = {
      kickOffSpeed: speed,
      topSpeed: speed,
      blockGain: 1,
      bashGain: 1,
      goalsToWin: 99,
      turnSpeed: 0.2 + run / 12,
    }
    const world = createWorld(game, { seed, tuning })
    const { inputs } = readModule(exported, 'shield-ball').scenes[run % 2]
    for (let tick = 0; tick < TICKS / SPEEDS.length; tick++) {
      const before = Array.from(each(world, 'player'), ({ x, y, facingX, facingY, shieldUp }) => ({
        ...at(x, y, facingX, facingY),
        shieldUp,
      }))
      const isWild = tick % 400 >= 200
      step(world, isWild ? { players: wildInputs(world, seed) } : (inputs!(world.tick, world) as never))
      const where = `seed ${seed}, speed ${speed}, tick ${world.tick}`
      for (const { kind } of listEvents(world)) {
        if (kind === 'block') seen.blocks++
        if (kind === 'goal') seen.goals++
        if (kind === 'stun') seen.stuns++
      }
      for (const { x, y } of each(world, 'ball')) {
        const inside = x > -60 && x < WIDTH + 60 && y > 0 && y < HEIGHT
        if (!inside) expect.fail(`${where}: escaped to (${x}, ${y})`)
        for (const wall of walls)
          if (gap(x, y, wall.shape, wall.pose) < -1e-4) expect.fail(`${where}: in a wall at (${x}, ${y})`)
      }
      seen.timed += requireNoPass(world, before, speed, where)
    }
  })
  expect(seen.blocks).toBeGreaterThan(300)
  expect(seen.goals).toBeGreaterThan(10)
  expect(seen.timed).toBeGreaterThan(TICKS / 2)
})

type Before = ReturnType<typeof at> & { readonly shieldUp: number }

/** Along every piece of the ball's way that is known in time, no shield overlaps it. Returns how many pieces were looked at. */
function requireNoPass(world: World<ShieldBall>, before: readonly Before[], speed: number, where: string): number {
  const { boxes } = collisionsOf(world as never).get('play') as Collision
  const { layer } = world.tables.things
  const row = Array.from({ length: world.tables.things.count }, (_, i) => i).find(
    (i) => boxes.layers.names[layer[i]] === 'ball',
  )
  if (row === undefined) return 0
  const own = Array.from({ length: boxes.count }, (_, i) => i).filter((i) => boxes.owner[i] === row)
  // A ball of this tick's kick-off has not moved yet.
  if (own.length === 0) return 0
  const lengths = own.map((i) => Math.hypot(boxes.sweepX[i], boxes.sweepY[i]))
  const isTimed = Math.abs(lengths.reduce((sum, length) => sum + length, 0) - speed) < 1e-3
  let [looked, number] = [0, 0]
  for (const player of each(world, 'player')) {
    const start = before[number++]
    const pieces = Array.from({ length: boxes.count }, (_, i) => i).filter(
      (i) => boxes.owner[i] === number - 1 && boxes.layers.names[boxes.layer[i]] === 'shield',
    )
    if (start === undefined || start.shieldUp === 0 || player.shieldUp === 0) continue
    const end = at(player.x, player.y, player.facingX, player.facingY)
    const x = boxes.poseX[own.at(-1)!]
    const y = boxes.poseY[own.at(-1)!]
    if (gap(x, y, shield, end) < -1e-3) expect.fail(`${where}: in a shield by ${gap(x, y, shield, end)}`)
    if (!isTimed || pieces.length !== 1) continue
    const turn = atan2(
      start.facingX * end.facingY - start.facingY * end.facingX,
      start.facingX * end.facingX + start.facingY * end.facingY,
    )
    let time = 0
    own.forEach((box, piece) => {
      looked++
      const lasts = lengths[piece] / speed
      for (let i = 0; i <= 12; i++) {
        const [part, now] = [i / 12, time + (i / 12) * lasts]
        const facing = Math.atan2(start.facingY, start.facingX) + turn * now
        const place = at(
          start.x + (end.x - start.x) * now,
          start.y + (end.y - start.y) * now,
          Math.cos(facing),
          Math.sin(facing),
        )
        const ballX = boxes.poseX[box] - boxes.sweepX[box] * (1 - part)
        const ballY = boxes.poseY[box] - boxes.sweepY[box] * (1 - part)
        const depth = -gap(ballX, ballY, shield, place)
        if (depth > 1e-3) expect.fail(`${where}: passes the shield of player ${number}, ${depth} deep, at ${now}`)
      }
      time += lasts
    })
  }
  return looked
}

test('[SB2] a match of bots can be rolled back anywhere', () => {
  for (const scene of readModule(exported, 'shield-ball').scenes) {
    const session = startScene(scene)
    playScene(scene, session, 400)
    requireInSync(syncTest(session, 8))
  }
})

test('[SB3] a ball that is pressed against something comes free: no striker keeps it in a corner', () => {
  const { inputs } = readModule(exported, 'shield-ball').scenes[0]
  for (let seed = 1; seed <= 4; seed++) {
    const world = createWorld(game, { seed, tuning: { goalsToWin: 99 } })
    let [fromX, fromY, since] = [0, 0, 0]
    for (let tick = 0; tick < 1500; tick++) {
      step(world, inputs!(world.tick, world) as never)
      const [ball] = [...each(world, 'ball')]
      if (ball === undefined || Math.hypot(ball.x - fromX, ball.y - fromY) > 100) {
        since = tick
        fromX = ball?.x ?? 0
        fromY = ball?.y ?? 0
      }
      if (tick - since > 120) expect.fail(`seed ${seed}, tick ${tick}: two seconds near (${fromX}, ${fromY})`)
    }
  }
})
