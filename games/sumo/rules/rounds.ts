/** Rounds: the last fighter in the ring wins one; three of five win the match. */

import { despawn, each, eventsOf, playerOf, thing } from 'hurtbox'
import { leader, playRounds } from 'hurtbox/match'
import { declaration, isIn, KIND, STAGE, type SumoThing, type SumoWorld } from './declaration.ts'
import { DUMMY_PLACE, placeAtStart, STANDING } from './fighters.ts'

const rounds = playRounds(declaration, {
  rounds: ({ options }) => options.rounds,
  time: ({ tuning }) => tuning.roundTime,
  countdown: ({ tuning }) => tuning.countdown,
  breather: ({ tuning }) => tuning.breather,
  begin(world) {
    const { players } = world.tables
    for (const any of each(world)) {
      const place = players.thing.indexOf(any.id)
      if (place >= 0) placeAtStart(world, any, place, players.count)
      // Projectiles and areas of the last round are removed.
      else if (any.layer !== 'character') despawn(any)
    }
  },
  decide(world, isTimeUp) {
    const fighting = [...each(world, 'character')].filter(isFighting)
    if (!isTimeUp && fighting.length > 1) return undefined
    // If the last two fall in the same tick, the round is a draw.
    const first = leader(fighting, (one, other) => one.hp - other.hp || offMiddle(other) - offMiddle(one))
    const winner = first && playerOf(world, first)
    return winner === undefined ? 0 : winner.seat + 1
  },
})

/** First of the tick: stages whose time has come. In practice there are no rounds. */
export function nextStage(world: SumoWorld): void {
  if (world.options.mode === 'practice') world.globals.stage = STAGE.play
  else rounds.nextStage(world)
}

/** Last of the tick: is the round decided? */
export function judge(world: SumoWorld): void {
  countFalls(world)
  if (world.options.mode === 'practice') comeBack(world)
  else rounds.judge(world)
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

function offMiddle({ x, y }: SumoThing): number {
  return x * x + y * y
}
