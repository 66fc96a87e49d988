/**
 * The stages of a match: waiting for players, then rounds of countdown, play and breather, until somebody has won enough of them.
 *
 * What is over is judged at the end of a tick, when all of its points are counted: two teams that reach the limit in one tick are
 * level and play on, whichever point came first. Times are ticks of the world's clock, so a pause stops them.
 */

import { HurtboxError, requireInteger } from '../../base/errors.ts'
import { FOREVER } from '../../rules/collide/decide.ts'
import type { Cells } from '../../state/columns.ts'
import { addRow, type RowsBase } from '../../state/table.ts'
import type { Declaration, Result } from '../../world/game.ts'
import type { AnyWorld, World } from '../../world/world.ts'
import { type matchFlow, STAGE, TEAM_SCORE, TEAM_WINS } from './columns.ts'
import { isPlaying, type MatchWorld } from './score.ts'

/** A declaration with the globals and events of `matchFlow`. */
export type WithRounds = Declaration & {
  readonly globals: typeof matchFlow.globals
  readonly events: typeof matchFlow.events
}

/** A number, or what it is in this match: an option, a tuning value. */
export type Amount<D extends Declaration> = number | ((world: World<D>) => number)

export type RoundOptions<D extends Declaration> = {
  /** A round begins when so many play. Default: 2. */
  readonly needs?: number
  /** The match is the best of so many rounds. Level after them, it goes on until somebody leads. Default: 1. */
  readonly rounds?: Amount<D>
  /** Level after its rounds, the match ends as a draw. Default: `false`. */
  readonly mayDraw?: boolean
  /** A round is over when the side that leads has so many points. Default: 0, no limit. */
  readonly points?: Amount<D>
  /** Ticks of a round; then who leads has won it. Default: 0, no limit. */
  readonly time?: Amount<D>
  /** Level when the time is up, the next point wins, for at most so many ticks. Default: 0, a draw at once. */
  readonly suddenDeath?: Amount<D>
  /** Ticks before a round, and after it. Default: 0. */
  readonly countdown?: Amount<D>
  readonly breather?: Amount<D>
  /** A round begins: the place to put everybody where they start. */
  begin?(world: World<D>): void
  /**
   * Other ways to win a round, such as the last one standing. Asked in every tick of play, before points and time: returns the side that
   * has won, 0 for a draw, `undefined` while that is open.
   */
  decide?(world: World<D>, isTimeUp: boolean): number | undefined
}

export type Rounds<D extends Declaration> = {
  /** A phase, first of the tick: begins what its time has come for. */
  nextStage(world: World<D>): void
  /** A phase, last of the tick: is the round decided? */
  judge(world: World<D>): void
  /** For the game: once this is true, no phase runs any more. */
  isOver(world: World<D>): boolean
  result(world: World<D>): Result
}

/** What the functions here read, of any game. */
type RoundWorld = MatchWorld & Pick<AnyWorld, 'events' | 'tables'>
type Settings = { readonly [K in 'rounds' | 'points' | 'time' | 'suddenDeath' | 'countdown' | 'breather']: Ask }
type Ask = (world: RoundWorld) => number

/** Makes the phases of a match in rounds, each of which is won by points, by time, or as the game says. All times are in ticks. */
export function playRounds<D extends WithRounds>(declaration: D, options: RoundOptions<D> = {}): Rounds<D> {
  const { needs = 2, mayDraw = false, begin, decide } = options
  requireInteger(needs, 'needs', 0, 255)
  const isByTeam = TEAM_SCORE[1] in declaration.globals
  const sides = createSides(isByTeam, declaration)
  const { rounds, points, time, suddenDeath, countdown, breather } = settingsOf(options)

  function startRound(world: RoundWorld): void {
    world.globals.stage = STAGE.waiting
    if (world.tables.players.count < needs) return
    sides.clearScores(world)
    world.globals.round++
    begin?.(world as unknown as World<D>)
    enter(world, STAGE.countdown, countdown(world))
    tell(world, 'roundStart')
  }

  /** The side that has won the match, 0 for a draw; −1 while it goes on. */
  function matchWinner(world: RoundWorld): number {
    const best = sides.ahead(world, 'wins')
    // Who has won no round is not ahead of nobody.
    const side = best !== 0 && sides.read(world, 'wins', best) === 0 ? 0 : best
    const isLast = world.globals.round >= rounds(world)
    if (side === 0) return mayDraw && isLast ? 0 : -1
    return isLast || sides.read(world, 'wins', side) > rounds(world) / 2 ? side : -1
  }

  function endRound(world: RoundWorld, side: number): void {
    if (side !== 0) sides.addWin(world, side)
    enter(world, STAGE.breather, breather(world))
    tell(world, 'roundOver', side, sides.thingOf(world, side))
  }

  function nextStage(world: RoundWorld): void {
    const { stage, round } = world.globals
    const isDue = world.globals.stageEndsAt <= world.clock
    if (stage === STAGE.waiting || (stage === STAGE.breather && isDue)) {
      const winner = round === 0 ? -1 : matchWinner(world)
      if (winner < 0) startRound(world)
      else {
        world.globals.stage = STAGE.over
        tell(world, 'matchOver', winner, sides.thingOf(world, winner))
      }
    } else if (stage === STAGE.countdown && isDue) enter(world, STAGE.play, time(world) || FOREVER)
  }

  function judge(world: RoundWorld): void {
    if (!isPlaying(world)) return
    const isTimeUp = world.globals.stageEndsAt <= world.clock
    const decided = decide?.(world as unknown as World<D>, isTimeUp)
    const side = decided ?? sides.ahead(world, 'score')
    const limit = points(world)
    if (decided !== undefined || (limit > 0 && side !== 0 && sides.read(world, 'score', side) >= limit)) {
      endRound(world, side)
    } else if (world.globals.stage === STAGE.suddenDeath) {
      if (side !== 0 || isTimeUp) endRound(world, side)
    } else if (isTimeUp) {
      const longest = side === 0 ? suddenDeath(world) : 0
      if (longest === 0) endRound(world, side)
      else {
        enter(world, STAGE.suddenDeath, longest)
        tell(world, 'suddenDeath')
      }
    }
  }

  function result(world: RoundWorld): Result {
    const side = sides.ahead(world, 'wins')
    const over = world.globals.stage === STAGE.over
    const summary = `round ${world.globals.round}, rounds won ${sides.list(world, 'wins').join(' : ')}`
    return side === 0 ? { over, summary } : { over, summary, winner: isByTeam ? `team ${side}` : `seat ${side - 1}` }
  }

  const isOver = ({ globals }: RoundWorld) => globals.stage === STAGE.over
  // A world of any game has what is read here; the compiler does not see that through `D`.
  return { nextStage, judge, isOver, result } as unknown as Rounds<D>
}

function enter({ globals, clock }: RoundWorld, stage: number, ticks: number): void {
  globals.stage = stage
  globals.stageEndsAt = Math.min(clock + ticks, FOREVER)
}

/** Adds an event of the round that is played. */
function tell(world: RoundWorld, kind: keyof typeof matchFlow.events, side = 0, winner = 0): void {
  const list = world.events[kind] as RowsBase & { readonly [K in 'round' | 'side' | 'winner']?: Cells }
  const row = addRow(list)
  if (row < 0) return
  if (list.round !== undefined) list.round[row] = world.globals.round
  if (list.side !== undefined) list.side[row] = side
  if (list.winner !== undefined) list.winner[row] = winner
}

function settingsOf<D extends Declaration>(options: RoundOptions<D>): Settings {
  const ask = (amount: Amount<D> | undefined, otherwise: number): Ask =>
    typeof amount === 'function' ? (amount as unknown as Ask) : () => amount ?? otherwise
  const { rounds, points, time, suddenDeath, countdown, breather } = options
  return {
    rounds: ask(rounds, 1),
    points: ask(points, 0),
    time: ask(time, 0),
    suddenDeath: ask(suddenDeath, 0),
    countdown: ask(countdown, 0),
    breather: ask(breather, 0),
  }
}

type Count = 'score' | 'wins'

/** The sides of a game, by number: teams from 1 on, or seats + 1. 0 is nobody. */
type Sides = {
  clearScores(world: RoundWorld): void
  addWin(world: RoundWorld, side: number): void
  read(world: RoundWorld, count: Count, side: number): number
  /** The side with the most; 0 when several have as many. */
  ahead(world: RoundWorld, count: Count): number
  list(world: RoundWorld, count: Count): number[]
  /** The id of the thing of a player; 0 for a team and for who has none. */
  thingOf(world: RoundWorld, side: number): number
}

function createSides(isByTeam: boolean, { globals, players = {} }: WithRounds): Sides {
  if (!isByTeam && !('wins' in players)) {
    throw new HurtboxError(
      'bad-declaration',
      'playRounds counts wins: spread ...matchFlow.players into players, or ...matchFlow.teams(2) into globals.',
    )
  }
  return isByTeam ? createTeams(TEAM_SCORE.filter((name) => name in globals).length) : SEATS
}

function createTeams(count: number): Sides {
  const namesOf = (what: Count) => (what === 'score' ? TEAM_SCORE : TEAM_WINS)
  const globalsOf = (world: RoundWorld) => world.globals as unknown as Record<string, number>
  const read = (world: RoundWorld, what: Count, team: number) => globalsOf(world)[namesOf(what)[team]]
  return {
    read,
    thingOf: () => 0,
    addWin: (world, team) => void globalsOf(world)[TEAM_WINS[team]]++,
    list: (world, what) => Array.from({ length: count }, (_, i) => read(world, what, i + 1)),
    clearScores(world) {
      for (let team = 1; team <= count; team++) globalsOf(world)[TEAM_SCORE[team]] = 0
    },
    ahead(world, what) {
      let best = 0
      let most = -1
      for (let team = 1; team <= count; team++) {
        const has = read(world, what, team)
        if (has === most) best = 0
        if (has <= most) continue
        best = team
        most = has
      }
      return best
    },
  }
}

/** In columns: a game that counts no points has none. Who leaves in this tick counts until it ends. */
const SEATS: Sides = {
  clearScores({ tables: { players } }) {
    players.score?.fill(0, 0, players.count)
  },
  addWin(world, side) {
    const row = rowOf(world, side)
    if (row >= 0) world.tables.players.wins[row]++
  },
  read(world, count, side) {
    const row = rowOf(world, side)
    return row < 0 ? 0 : world.tables.players[count][row]
  },
  thingOf(world, side) {
    const row = rowOf(world, side)
    return row < 0 ? 0 : world.tables.players.thing[row]
  },
  ahead({ tables: { players } }, count) {
    const counts = players[count]
    let best = 0
    let most = -1
    for (let row = 0; counts !== undefined && row < players.count; row++) {
      if (counts[row] === most) best = 0
      if (counts[row] <= most) continue
      best = players.seat[row] + 1
      most = counts[row]
    }
    return best
  },
  list: ({ tables: { players } }, count) => Array.from(players[count].subarray(0, players.count)),
}

function rowOf({ tables: { players } }: RoundWorld, side: number): number {
  for (let row = 0; row < players.count; row++) if (players.seat[row] === side - 1) return row
  return -1
}
