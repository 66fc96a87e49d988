/**
 * A dispute as an address: `#replay=/replays/arena-….hbr&tick=412&player=1&ask=31,2`.
 *
 * The replay is where the page came from, so a link works for everyone who can open the page. The game is not named: the replay says it.
 */

export type DisputeAddress = {
  /** Where the replay is, from the page on. */
  readonly replay: string
  readonly tick: number
  /** The seat whose screen is wanted besides those of the two; undefined for none. */
  readonly player: number | undefined
  /** The two things, by id; undefined where nothing is asked. */
  readonly ask: readonly [number, number] | undefined
}

export function readDispute(hash: string): DisputeAddress | undefined {
  const given = new URLSearchParams(hash.replace(/^#/, ''))
  const replay = given.get('replay')
  if (replay === null || replay === '') return undefined
  const [a, b] = (given.get('ask') ?? '').split(',').map(readWhole)
  return {
    replay,
    tick: readWhole(given.get('tick') ?? '') ?? 0,
    player: readWhole(given.get('player') ?? ''),
    ask: a && b ? [a, b] : undefined,
  }
}

export function writeDispute({ replay, tick, player, ask }: DisputeAddress): string {
  const parts = [`replay=${encodeURIComponent(replay).replaceAll('%2F', '/')}`, `tick=${tick}`]
  if (player !== undefined) parts.push(`player=${player}`)
  if (ask !== undefined) parts.push(`ask=${ask.join(',')}`)
  return `#${parts.join('&')}`
}

/** The track stands beside its replay. */
export function trackOf(replay: string): string | undefined {
  return /\.hbr(\.part)?$/.test(replay) ? replay.replace(/\.hbr(?=(\.part)?$)/, '.hbt') : undefined
}

function readWhole(text: string): number | undefined {
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined
}
