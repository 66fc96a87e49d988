/** What a match with rounds, points, returns and waves keeps. A declaration spreads the pieces it needs into its own. */

/** Where a match is: the global `stage`. */
export const STAGE = { waiting: 0, countdown: 1, play: 2, breather: 3, over: 4, suddenDeath: 5 } as const

/** The most teams that points are counted for. */
const MOST_TEAMS = 8
type TeamNumber = {
  2: 1 | 2
  3: 1 | 2 | 3
  4: 1 | 2 | 3 | 4
  6: 1 | 2 | 3 | 4 | 5 | 6
  8: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8
}
type TeamGlobals<N extends keyof TeamNumber> = { readonly [K in `score${TeamNumber[N]}`]: 'u32' } & {
  readonly [K in `wins${TeamNumber[N]}`]: 'u32'
}

/** By team; no team 0. Names that are put together in every tick would be garbage. */
const namesOf = (kind: string) => Array.from({ length: MOST_TEAMS + 1 }, (_, team) => `${kind}${team}`)
export const TEAM_SCORE = namesOf('score')
export const TEAM_WINS = namesOf('wins')

export const matchFlow = {
  /** For `playRounds`. */
  globals: { round: 'u32', stage: 'u8', stageEndsAt: 'timer' },
  events: {
    /** A round begins: the countdown runs. */
    roundStart: { round: 'u32' },
    /** The time was up and the sides were level: the next point wins. */
    suddenDeath: { round: 'u32' },
    /**
     * `side` has won: a team or, where everybody plays alone, the seat + 1; 0 for a draw. `winner` is the thing of the player who won, 0 where
     * teams play.
     */
    roundOver: { round: 'u32', side: 'u8', winner: 'id' },
    matchOver: { side: 'u8', winner: 'id' },
  },
  /** Points and rounds won: columns of `players` where everybody plays alone, or globals `score1`, `wins1`, `score2`, … by team. */
  players: { score: 'u32', wins: 'u8' },
  teams<const N extends keyof TeamNumber>(count: N): TeamGlobals<N> {
    const globals: Record<string, 'u32'> = {}
    for (let team = 1; team <= count; team++) {
      globals[TEAM_SCORE[team]] = 'u32'
      globals[TEAM_WINS[team]] = 'u32'
    }
    return globals as TeamGlobals<N>
  },
  /** Columns of `things`, or of `players` whose things leave when they die, for `returnIn` and `comesBack`. */
  columns: { returnsAt: 'timer' },
  /** Globals for `nextWave`. */
  waves: { wave: 'u32', waveAt: 'timer' },
} as const
