/**
 * One move of a body in a side view: first across, then down or up, then down onto the ground it has just left.
 *
 * Across and down are apart because a player presses one and gravity does the other: who runs against a step stops at it, who
 * falls beside one falls on. Across, a slope that is not too steep turns the way along itself and keeps the speed across. Speed is
 * only ever taken away here, so no corner can fling a body.
 */

import { type Mover, type Solids, type Stop, standOn, sweepSolids, TOUCH } from './solids.ts'

/** How often one move may be turned. A valley of two slopes takes two; more is a wedge, where the body stops. */
const MOST_TURNS = 4

/** The body that moves now. All is written before it is read. */
const n = Number.NaN
export const mover: Mover = {
  x: n,
  y: n,
  halfWidth: n,
  halfHeight: n,
  dx: n,
  dy: n,
  reach: n,
  meets: 0,
  fromAbove: 0,
}
export const stop: Stop = { time: n, normalX: n, normalY: n, reach: n, piece: -1 }

/** What the moves of the body that moves now have come to. */
export const outcome = { vx: n, vy: n, grounded: 0, standsOn: -1, wallSide: n }

/** Told of each piece that stopped or turned the body, when somebody asks why. */
export type NoteStop = (stop: Stop) => void

/** Moves across by the `dx` of the mover, up and down slopes of at most `steepest`. Returns whether it got all the way, perhaps to a wall. */
export function moveAcross(solids: Solids, steepest: number, note?: NoteStop): boolean {
  const isRight = mover.dx > 0
  mover.dy = 0
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    if (!sweepSolids(solids, mover, stop)) {
      mover.x += mover.dx
      mover.y += mover.dy
      return true
    }
    note?.(stop)
    const { time, normalX, normalY } = stop
    mover.x += mover.dx * time
    mover.y += mover.dy * time
    standOn(mover, stop)
    mover.dx *= 1 - time
    if (!isWithin(normalX, normalY, steepest)) break
    mover.dy = (-mover.dx * normalX) / normalY
  }
  outcome.wallSide = isRight ? 1 : -1
  outcome.vx = 0
  return mover.dx === 0
}

/** Moves up or down by the `dy` of the mover; where it cannot stand it slides. Returns whether it got all the way, perhaps to a floor. */
export function moveDown(solids: Solids, steepest: number, note?: NoteStop): boolean {
  const isFalling = mover.dy > 0
  mover.dx = 0
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    if (!sweepSolids(solids, mover, stop)) {
      mover.x += mover.dx
      mover.y += mover.dy
      return turn === 0
    }
    note?.(stop)
    const { time, normalX, normalY } = stop
    mover.x += mover.dx * time
    mover.y += mover.dy * time
    standOn(mover, stop)
    if (normalX === 0 || (normalY < 0 && isWithin(normalX, normalY, steepest))) {
      outcome.vy = 0
      if (normalY < 0) land()
      return time === 1
    }
    const restX = mover.dx * (1 - time)
    const restY = mover.dy * (1 - time)
    const into = restX * normalX + restY * normalY
    mover.dx = restX - into * normalX
    mover.dy = restY - into * normalY
    const intoSpeed = Math.min(0, outcome.vx * normalX + outcome.vy * normalY)
    outcome.vx -= intoSpeed * normalX
    outcome.vy -= intoSpeed * normalY
  }
  // Between two slopes that are too steep to stand on it stands.
  outcome.vx = 0
  outcome.vy = 0
  if (isFalling) land()
  return false
}

/** Keeps a body on the ground that it runs down: up to the `dy` of the mover below it. */
export function stayDown(solids: Solids, steepest: number): void {
  mover.dx = 0
  if (!sweepSolids(solids, mover, stop)) return
  if (!(stop.normalY < 0 && isWithin(stop.normalX, stop.normalY, steepest))) return
  mover.y += mover.dy * stop.time
  standOn(mover, stop)
  outcome.vy = 0
  land()
}

function land(): void {
  outcome.grounded = 1
  outcome.standsOn = stop.piece
}

/** Whether a face rises or falls by at most `steepest` per unit across. */
function isWithin(normalX: number, normalY: number, steepest: number): boolean {
  return Math.abs(normalX) <= Math.abs(normalY) * steepest * (1 + TOUCH)
}
