/** Rounds: who is left in the ring wins one; three of five win the match. */

import { emit, playerOf } from 'hurtbox'
import { isIn, KIND, STAGE, type SumoWorld } from './declaration.ts'
import { DUMMY_PLACE, placeAtStart, STANDING } from './fighters.ts'
import { leadingPlayer } from './match.ts'

/** A phase, first of the tick: stages whose time has come. */
export function nextStage(world: SumoWorld): void {
  const { globals, clock, options, tuning } = world
  if (options.mode === 'practice') {
    globals.stage = STAGE.fight
    return
  }
  const isDue = globals.stageEndsAt <= clock
  if (globals.stage === STAGE.waiting || (globals.stage === STAGE.breather && isDue)) {
    const winner = matchWinner(world)
    if (winner >= 0) endMatch(world, winner)
    else startRound(world)
  } else if (globals.stage === STAGE.countdown && isDue) {
    globals.stage = STAGE.fight
    globals.stageEndsAt = clock + tuning.roundTime
  }
}

function startRound(world: SumoWorld): void {
  const { things, players } = world.tables
  const { globals } = world
  globals.stage = STAGE.waiting
  if (players.count < 2) return
  for (let row = 0, { count } = things; row < count; row++) {
    // What flew when the last round ended is gone.
    if (things.kind[row] === KIND.projectile || things.kind[row] === KIND.area) things.leaving[row] = 1
    if (things.kind[row] !== KIND.fighter) continue
    const player = playerOf(world, things.id[row])
    if (player >= 0) placeAtStart(world, row, player, players.count)
  }
  globals.round++
  globals.stage = STAGE.countdown
  globals.stageEndsAt = world.clock + world.tuning.countdown
  emit(world.events.roundStart, { round: globals.round })
}

/** A phase, last of the tick: is the round decided? */
export function judge(world: SumoWorld): void {
  const { globals, options, events, tuning } = world
  keepFalls(world)
  if (options.mode === 'practice') {
    comeBack(world)
    return
  }
  if (globals.stage !== STAGE.fight) return
  const left = fightersLeft(world)
  const isTimeOver = globals.stageEndsAt <= world.clock
  if (left > 1 && !isTimeOver) return
  // Who falls in the same tick as the last opponent has not won.
  const winner = ahead(world)
  const player = winner < 0 ? -1 : playerOf(world, world.tables.things.id[winner])
  if (player >= 0) world.tables.players.wins[player]++
  globals.stage = STAGE.breather
  globals.stageEndsAt = world.clock + tuning.breather
  emit(events.roundOver, { round: globals.round, winner: winner < 0 ? 0 : world.tables.things.id[winner] })
}

function keepFalls(world: SumoWorld): void {
  const { players } = world.tables
  const { ringOut } = world.events
  for (let n = 0; n < ringOut.count; n++) {
    const [fallen, thrower] = [playerOf(world, ringOut.victim[n]), playerOf(world, ringOut.by[n])]
    if (fallen >= 0) players.falls[fallen]++
    if (thrower >= 0) players.thrown[thrower]++
  }
}

/** In practice who falls stands in the ring again at once; the dummy where it belongs. */
function comeBack(world: SumoWorld): void {
  const { things, players } = world.tables
  for (let row = 0, { count } = things; row < count; row++) {
    if (things.out[row] === 0) continue
    const player = playerOf(world, things.id[row])
    placeAtStart(world, row, player < 0 ? 0 : players.seat[player], world.game.declaration.seats.max)
    if (things.kind[row] !== KIND.dummy) continue
    things.x[row] = DUMMY_PLACE.x
    things.y[row] = DUMMY_PLACE.y
    things.z[row] = STANDING
  }
}

function fightersLeft(world: SumoWorld): number {
  const { things } = world.tables
  let left = 0
  for (let row = 0, { count } = things; row < count; row++) {
    if (things.kind[row] === KIND.fighter && isIn(world, row)) left++
  }
  return left
}

/** The row of who is ahead in the ring: with the most stamina, of several the nearest to the middle. −1 when nobody is. */
function ahead(world: SumoWorld): number {
  const { things } = world.tables
  let best = -1
  let isShared = false
  for (let row = 0, { count } = things; row < count; row++) {
    if (things.kind[row] !== KIND.fighter || !isIn(world, row)) continue
    const lead = best < 0 ? 1 : things.hp[row] - things.hp[best] || offMiddle(world, best) - offMiddle(world, row)
    if (lead > 0) best = row
    isShared = lead === 0 || (isShared && lead < 0)
  }
  return isShared ? -1 : best
}

function offMiddle(world: SumoWorld, row: number): number {
  const { x, y } = world.tables.things
  return x[row] * x[row] + y[row] * y[row]
}

/** The player who has won: more than half of the rounds, or, once all are played, more than anybody else. −1 for none yet. */
function matchWinner(world: SumoWorld): number {
  const { globals, options } = world
  const { wins } = world.tables.players
  const leader = leadingPlayer(world)
  if (leader < 0) return -1
  return wins[leader] > options.rounds / 2 || globals.round >= options.rounds ? leader : -1
}

function endMatch(world: SumoWorld, winner: number): void {
  world.globals.stage = STAGE.over
  emit(world.events.matchOver, { winner: world.tables.players.thing[winner] })
}
