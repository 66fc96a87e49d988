/**
 * When to play which tick: a client's estimate of the host's clock, and how far to run ahead of it.
 *
 * The fastest message of the last seconds gives the offset of the two clocks; slower ones were delayed. A client runs ahead of
 * that by its *lead*, so that its inputs arrive before their tick. The host reports how early they came. A late input raises
 * the lead at once, because it costs the player; early ones lower it only slowly, because a link that stalls will stall
 * again. Seconds go by between two losses that hit the same place, so the earliness that counts is the smallest of seconds: a
 * shorter window takes back what the next stall needs. What is shown does not leap when the lead does (pace.ts).
 *
 * When the fastest message is too old to count, the host seems to be further back than it was thought to be. That alone must not delay inputs,
 * which were in time: the lead rises with it, unless they came so early that there is room.
 */

export type HostClock = {
  readonly tickMs: number
  /** Inputs should come this many whole ticks before they are needed; in slow games the tick itself is time enough. */
  readonly wantedSlack: number
  /** After a late input, or when it is not known so well: a little more. */
  readonly slackAfterLate: number
  /** Smallest (arrival − tick · tickMs) of this window and the one before; undefined before the first message. */
  fastest: number | undefined
  fastestBefore: number | undefined
  windowEndsAt: number
  /** How many ticks ahead of the host's last known tick the client plays. */
  lead: number
  /** The smallest earliness since the fastest message was last looked for, as it is with the lead of now. */
  smallestLately: number
  /** The smallest earliness of the running window, and when the window ends; 0 before the first report. */
  smallestSlack: number
  slackWindowEndsAt: number
  /** How many windows are left in which the lead is taken for a guess. */
  guessed: number
  /** Inputs before this one were sent with another lead, so their slack is ignored. */
  ignoreBefore: number
}

const CLOCK_WINDOW_MS = 2000
const SLACK_WINDOW_MS = 3000
/**
 * What a late input has added is kept for longer: where there was one burst of losses there will be another. In ticks, because a lead costs ticks that are
 * stepped again, and a slow game pays less for it.
 */
const HOLD_TICKS = 600
/**
 * The first windows, in which a guess that was too high is corrected soon. Two: inputs that a client makes up for when it starts
 * come less early than those after them.
 */
const FIRST_WINDOW_MS = 400
const FIRST_WINDOWS = 2
/** Inputs should come about this long before they are needed. */
const WANTED_SLACK_MS = 20
const SLACK_AFTER_LATE_MS = 30
/** The furthest a client runs ahead of the host, in ticks. */
const MAX_LEAD = 96
/** The round trip assumed before the first answer. Too high: some extra lead for half a second; too low: late inputs. */
const FIRST_GUESS_MS = 200
/** The part of the surplus by which the lead shrinks after a window without late inputs; of the first guess nearly all. */
const GIVE_BACK = 0.5
const GIVE_BACK_OF_GUESS = 0.8
/** The most that one late input adds to the lead: the stall of one lost packet. Longer stalls are rare. */
const MAX_RAISE_MS = 250

export function createHostClock(tickRate: number): HostClock {
  const tickMs = 1000 / tickRate
  const wantedSlack = Math.round(WANTED_SLACK_MS / tickMs)
  return {
    tickMs,
    wantedSlack,
    slackAfterLate: Math.round(SLACK_AFTER_LATE_MS / tickMs),
    fastest: undefined,
    fastestBefore: undefined,
    windowEndsAt: 0,
    lead: wantedSlack + 1 + Math.floor(FIRST_GUESS_MS / tickMs),
    smallestLately: Number.POSITIVE_INFINITY,
    smallestSlack: Number.POSITIVE_INFINITY,
    slackWindowEndsAt: 0,
    guessed: FIRST_WINDOWS,
    ignoreBefore: 0,
  }
}

/** The host was at `tick` when it sent what arrived at `now`. */
export function noteTick(clock: HostClock, tick: number, now: number): void {
  const offset = now - tick * clock.tickMs
  if (now >= clock.windowEndsAt) {
    const before = offsetOf(clock)
    clock.fastestBefore = clock.fastest
    clock.fastest = offset
    clock.windowEndsAt = now + CLOCK_WINDOW_MS
    if (before !== undefined) riseBy(clock, (offsetOf(clock)! - before) / clock.tickMs)
  } else if (clock.fastest === undefined || offset < clock.fastest) clock.fastest = offset
}

/** The host seems to be `ticks` further back than before. */
function riseBy(clock: HostClock, ticks: number): void {
  const surplus = clock.smallestLately - clock.slackAfterLate
  clock.smallestLately = Number.POSITIVE_INFINITY
  clock.lead = Math.min(clock.lead + Math.min(Math.max(ticks - surplus, 0), Math.max(ticks, 0)), MAX_LEAD)
}

/**
 * Input `sequence` came `slack` ticks early; below 0: late. `nextSequence` is the number of the input that the client will
 * send next.
 */
export function noteSlack(clock: HostClock, slack: number, sequence: number, nextSequence: number, now: number): void {
  if (sequence < clock.ignoreBefore) return
  if (slack < clock.smallestSlack) clock.smallestSlack = slack
  if (slack < clock.smallestLately) clock.smallestLately = slack
  if (slack < 0) {
    // What a guess that was too low adds is a guess as well. One more, because it is counted down at once.
    if (clock.guessed > 0) clock.guessed = FIRST_WINDOWS + 1
    const mostTicks = Math.ceil(MAX_RAISE_MS / clock.tickMs)
    changeLead(clock, Math.min(clock.slackAfterLate - slack, mostTicks), nextSequence, now)
    if (clock.guessed === 0) clock.slackWindowEndsAt = now + HOLD_TICKS * clock.tickMs
    return
  }
  if (clock.slackWindowEndsAt === 0) clock.slackWindowEndsAt = now + FIRST_WINDOW_MS
  if (now < clock.slackWindowEndsAt) return
  const surplus = clock.smallestSlack - clock.wantedSlack
  const share = surplus < 0 ? 1 : clock.guessed > 0 ? GIVE_BACK_OF_GUESS : GIVE_BACK
  changeLead(clock, -surplus * share, nextSequence, now)
}

function changeLead(clock: HostClock, by: number, nextSequence: number, now: number): void {
  clock.lead = Math.min(Math.max(clock.lead + by, 0), MAX_LEAD)
  clock.smallestLately += by
  clock.smallestSlack = Number.POSITIVE_INFINITY
  clock.guessed = Math.max(clock.guessed - 1, 0)
  clock.slackWindowEndsAt = now + (clock.guessed > 0 ? FIRST_WINDOW_MS : SLACK_WINDOW_MS)
  clock.ignoreBefore = nextSequence
}

/** The tick at which the host is now, by its messages; fractions included. */
export function hostTick(clock: HostClock, now: number): number {
  const offset = offsetOf(clock)
  return offset === undefined ? 0 : (now - offset) / clock.tickMs
}

function offsetOf({ fastest, fastestBefore = Number.POSITIVE_INFINITY }: HostClock): number | undefined {
  return fastest === undefined ? undefined : Math.min(fastest, fastestBefore)
}

/** The tick for which the client gives inputs now. */
export function inputTick(clock: HostClock, now: number): number {
  return Math.floor(hostTick(clock, now) + clock.lead)
}

/** How long it is until the tick comes for which the client gives its next input, ms. */
export function untilInput(clock: HostClock, now: number): number {
  const moment = hostTick(clock, now) + clock.lead
  return (Math.floor(moment) + 1 - moment) * clock.tickMs
}
