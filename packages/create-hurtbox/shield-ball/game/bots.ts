/** Players made of code: pure functions of the world and their player, so they play the same on any machine. */

import { type Bot, each, type Thing, type World } from 'hurtbox'
import { length } from 'hurtbox/math'
import { HEIGHT, WIDTH } from './map.ts'
import type { ShieldBall } from './rules.ts'

type Place = { readonly x: number; readonly y: number }

/** Stays between the ball and its goal, shield up, and strikes when the ball is near. */
export const keeper: Bot<ShieldBall> = {
  name: 'keeper',
  about: 'stands between the ball and its goal',
  think(world, { thing: player }) {
    const ball = ballOf(world)
    if (player === undefined || ball === undefined) return {}
    const goalX = player.team === 1 ? 0 : WIDTH
    const spot = { x: goalX + (ball.x - goalX) * 0.3, y: HEIGHT / 2 + (ball.y - HEIGHT / 2) * 0.6 }
    return { ...towards(player, spot), ...aimAt(player, ball), bash: isNear(player, ball, 70) ? 1 : 0 }
  },
}

/** Runs behind the ball as seen from the other goal, and drives it there. */
export const striker: Bot<ShieldBall> = {
  name: 'striker',
  about: 'runs behind the ball and drives it to the other goal',
  think(world, { thing: player }) {
    const ball = ballOf(world)
    if (player === undefined || ball === undefined) return {}
    const goal = { x: player.team === 1 ? WIDTH : 0, y: HEIGHT / 2 }
    const way = Math.max(1, length(goal.x - ball.x, goal.y - ball.y))
    const spot = { x: ball.x - ((goal.x - ball.x) / way) * 45, y: ball.y - ((goal.y - ball.y) / way) * 45 }
    const dash = isNear(player, spot, 150) ? 0 : 1
    return { ...towards(player, spot), ...aimAt(player, ball), dash, bash: isNear(player, ball, 60) ? 1 : 0 }
  },
}

function ballOf(world: World<ShieldBall>): Thing<ShieldBall> | undefined {
  for (const ball of each(world, 'ball')) return ball
  return undefined
}

function towards(player: Place, spot: Place): { moveX: number; moveY: number } {
  const [dx, dy] = [spot.x - player.x, spot.y - player.y]
  const way = Math.max(10, length(dx, dy))
  return { moveX: dx / way, moveY: dy / way }
}

function aimAt(player: Place, at: Place): { aimX: number; aimY: number } {
  const way = Math.max(1, length(at.x - player.x, at.y - player.y))
  return { aimX: (at.x - player.x) / way, aimY: (at.y - player.y) / way }
}

const isNear = (a: Place, b: Place, reach: number) => length(a.x - b.x, a.y - b.y) < reach
