/** Rounds: the last fighter in the ring wins one; three of five win the match. */

import { despawn, each, emit, eventsOf, playerOf, thing } from 'hurtbox'
import { isIn, KIND, STAGE, type SumoPlayer, type SumoThing, type SumoWorld } from './declaration.ts'
import { DUMMY_PLACE, placeAtStart, STANDING } from './fighters.ts'
import { leadingPlayer } from './match.ts'

/** First of the tick: stages whose time has come. */
export function nextStage(world: SumoWorld): void {
  const { globals, clock, options, tuning } = world
  if (options.mode === 'practice') {
    globals.stage = STAGE.fight
    return
  }
  const isDue = globals.stageEndsAt <= clock
  if (globals.stage === STAGE.waiting || (globals.stage === STAGE.breather && isDue)) {
    const winner = matchWinner(world)
    if (winner === undefined) startRound(world)
    else endMatch(world, winner)
  } else if (globals.stage === STAGE.countdown && isDue) {
    enter(world, STAGE.fight, tuning.roundTime)
  }
}

function enter({ globals, clock }: SumoWorld, stage: number, ticks: number): void {
  globals.stage = stage
  globals.stageEndsAt = clock + ticks
}

function startRound(world: SumoWorld): void {
  const { globals, tuning } = world
  const { players } = world.tables
  globals.stage = STAGE.waiting
  if (players.count < 2) return
  for (const any of each(world)) {
    const place = players.thing.indexOf(any.id)
    if (place >= 0) placeAtStart(world, any, place, players.count)
    // Projectiles and areas of the last round are removed.
    else if (any.layer !== 'character') despawn(any)
  }
  globals.round++
  enter(world, STAGE.countdown, tuning.countdown)
  emit(world, 'roundStart', { round: globals.round })
}

/** Last of the tick: is the round decided? */
export function judge(world: SumoWorld): void {
  const { globals, options, clock, tuning } = world
  countFalls(world)
  if (options.mode === 'practice') comeBack(world)
  else if (globals.stage === STAGE.fight && (globals.stageEndsAt <= clock || fightersLeft(world) < 2)) {
    // If the last two fall in the same tick, the round is a draw.
    const winner = ahead(world)
    const player = winner && playerOf(world, winner)
    if (player) player.wins++
    enter(world, STAGE.breather, tuning.breather)
    emit(world, 'roundOver', { round: globals.round, winner: winner ?? 0 })
  }
}

function countFalls(world: SumoWorld): void {
  for (const { victim, by } of eventsOf(world, 'ringOut')) {
    const [fallen, thrower] = [playerOf(world, victim), playerOf(world, by)]
    if (fallen) fallen.falls++
    if (thrower) thrower.thrown++
  }
}

/** In practice a fighter that falls is back in the ring at once, the dummy at its own place. */
function comeBack(world: SumoWorld): void {
  for (const { victim } of eventsOf(world, 'ringOut')) {
    const fighter = thing(world, victim)!
    placeAtStart(world, fighter, playerOf(world, fighter)?.seat ?? 0, world.game.declaration.seats.max)
    if (fighter.kind === KIND.dummy) Object.assign(fighter, { ...DUMMY_PLACE, z: STANDING })
  }
}

function isFighting(thing: SumoThing): boolean {
  return thing.kind === KIND.fighter && isIn(thing)
}

function fightersLeft(world: SumoWorld): number {
  let left = 0
  for (const fighter of each(world, 'character')) if (isFighting(fighter)) left++
  return left
}

/** The fighter in the ring with the most stamina, of several the nearest to the middle; undefined when that is a draw. */
function ahead(world: SumoWorld): SumoThing | undefined {
  let best: SumoThing | undefined
  let isShared = false
  for (const fighter of each(world, 'character')) {
    if (!isFighting(fighter)) continue
    const lead = best === undefined ? 1 : fighter.hp - best.hp || offMiddle(best) - offMiddle(fighter)
    if (lead > 0) best = fighter
    isShared = lead === 0 || (isShared && lead < 0)
  }
  return isShared ? undefined : best
}

function offMiddle({ x, y }: SumoThing): number {
  return x * x + y * y
}

/** The winner of the match: more than half of the rounds, or, once all are played, more than any other. */
function matchWinner(world: SumoWorld): SumoPlayer | undefined {
  const { rounds } = world.options
  const leader = leadingPlayer(world)
  if (leader === undefined) return undefined
  return leader.wins > rounds / 2 || world.globals.round >= rounds ? leader : undefined
}

function endMatch(world: SumoWorld, winner: SumoPlayer): void {
  world.globals.stage = STAGE.over
  emit(world, 'matchOver', { winner: winner.thing ?? 0 })
}
