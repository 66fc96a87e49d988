/**
 * How far ahead a machine can afford to predict.
 *
 * Every tick ahead is stepped again when a prediction was wrong, so a slow machine on a long way can spend more time on stepping than
 * there is: frames come late, inputs late with them, and the match falls behind. A mirror therefore measures what stepping takes. Above a part of the
 * time it predicts fewer ticks ahead: inputs are given as early as before and are seen a little later, as with an input delay. With time to spare it
 * takes the ticks back one by one, more slowly each time that this was too much: a machine at its limit must not go to and fro.
 */

export type Effort = {
  /** Tells the time, ms. Undefined where stepping is not measured: as many ticks are predicted as the lead has. */
  readonly timer: (() => number) | undefined
  /** What stepping took since the window began, and when that was; undefined before the first frame. */
  spentMs: number
  windowFrom: number | undefined
  /** The part of the last window that stepping took, 0 to 1. */
  share: number
  /** The most ticks that are predicted ahead of the host's last known one; infinite while the machine keeps up. */
  mostAhead: number
  /** Windows in a row in which stepping took too long, or left time for more. */
  strained: number
  calm: number
  /** How many calm windows it takes until more is tried. */
  patience: number
  /** Windows since more was tried. */
  sinceTry: number
  /** The first windows do not count: code runs slowly when it is new. */
  windows: number
}

const WINDOW_MS = 1000
/** Longer ones are those of a page that was hidden, or of a machine that slept. */
const LONGEST_WINDOW_MS = 3000
const FIRST_WINDOWS = 2
/** The part of the time that stepping may take: the rest is for drawing and for the page. */
const MOST_SHARE = 0.3
/** More is tried when it should take no more than this part of that. */
const ROOM = 0.8
/** One window above it may be a stall. */
const STRAINED_WINDOWS = 2
const PATIENCE = 3
/** What takes too much within so many windows after more was tried is the fault of that. */
const MOST_PATIENCE = 60
/** Ticks that are stepped however few are ahead: the confirmed one and the present one. */
const ALWAYS_STEPPED = 2

export function createEffort(timer?: () => number): Effort {
  return {
    timer,
    spentMs: 0,
    windowFrom: undefined,
    share: 0,
    mostAhead: Number.POSITIVE_INFINITY,
    strained: 0,
    calm: 0,
    patience: PATIENCE,
    sinceTry: Number.POSITIVE_INFINITY,
    windows: 0,
  }
}

/** Call before stepping, and give what it returned to `endWork` after it. */
export function beginWork({ timer }: Effort): number {
  return timer === undefined ? 0 : timer()
}

export function endWork(effort: Effort, begun: number): void {
  if (effort.timer !== undefined) effort.spentMs += effort.timer() - begun
}

/** Once a frame: decides how far ahead to predict. `ahead` is how many ticks it would be without a limit. */
export function weighEffort(effort: Effort, now: number, ahead: number): void {
  if (effort.timer === undefined) return
  effort.windowFrom ??= now
  const elapsed = now - effort.windowFrom
  if (elapsed < WINDOW_MS) return
  const share = effort.spentMs / elapsed
  effort.spentMs = 0
  effort.windowFrom = now
  if (elapsed > LONGEST_WINDOW_MS || ++effort.windows <= FIRST_WINDOWS) return
  effort.share = share
  effort.sinceTry++
  if (share > MOST_SHARE) {
    effort.calm = 0
    if (++effort.strained >= STRAINED_WINDOWS) predictLess(effort, Math.min(effort.mostAhead, ahead))
    return
  }
  effort.strained = 0
  if (effort.mostAhead === Number.POSITIVE_INFINITY) {
    // Long after a trial that went well the next one need not wait.
    if (effort.sinceTry > MOST_PATIENCE) effort.patience = PATIENCE
  } else predictMore(effort, ahead)
}

function predictLess(effort: Effort, ahead: number): void {
  const { share, patience, sinceTry } = effort
  // At least a third at once: what is too slow has no time for small steps.
  const kept = Math.min((ROOM * MOST_SHARE) / share, 2 / 3)
  effort.mostAhead = Math.max(0, Math.floor((ahead + ALWAYS_STEPPED) * kept) - ALWAYS_STEPPED)
  effort.strained = 0
  if (sinceTry <= MOST_PATIENCE) effort.patience = Math.min(2 * patience, MOST_PATIENCE)
}

function predictMore(effort: Effort, ahead: number): void {
  const { share, mostAhead } = effort
  const more = mostAhead + 1 + Math.floor(mostAhead / 4)
  const expected = (share * (more + ALWAYS_STEPPED)) / (mostAhead + ALWAYS_STEPPED)
  effort.calm = expected < ROOM * MOST_SHARE ? effort.calm + 1 : 0
  if (effort.calm < effort.patience) return
  effort.calm = 0
  effort.sinceTry = 0
  effort.mostAhead = more < ahead ? more : Number.POSITIVE_INFINITY
}
