/** Reading a session's log: the inputs of one tick, and a copy of all of it for a match that shall go on differently. */

import { type Control, createSession, type EncodedInputs, type Session } from 'hurtbox'

/** Writes the inputs of `tick` into `into`. */
export function recordedInputs(session: Session, tick: number, into: EncodedInputs): void {
  const { log } = session
  const fields = log.game.input.fields.length
  into.controls = recordedControls(session, tick)
  into.count = 0
  for (let i = firstOf(log.tick, log.count, tick); i < log.count && log.tick[i] === tick; i++) {
    into.seats[into.count] = log.seat[i]
    for (let f = 0; f < fields; f++) into.codes[into.count * fields + f] = log.codes[i * fields + f]
    into.count++
  }
}

/** The same match again, at tick 0, with all it remembers. Snapshots are shared: nobody writes to them. */
export function cloneSession(session: Session): Session {
  const clone = createSession(session.game, session.setup as never, session.keyframeEvery) as unknown as Session
  const { log } = session
  clone.log.length = log.length
  clone.log.count = log.count
  clone.log.tick = log.tick.slice()
  clone.log.seat = log.seat.slice()
  clone.log.codes = log.codes.slice()
  clone.log.controls.push(...log.controls)
  for (let i = 1; i < session.keyframes.length; i++) {
    clone.keyframes.push(session.keyframes[i])
    clone.keyframeTicks.push(session.keyframeTicks[i])
  }
  return clone
}

const NO_CONTROLS: readonly Control[] = []

function recordedControls({ log }: Session, tick: number): readonly Control[] {
  const found = log.controls.filter((entry) => entry.tick === tick)
  return found.length === 0 ? NO_CONTROLS : found.map(({ control }) => control)
}

/** The first place in the ascending `ticks[0 … count)` that holds `tick` or more. */
function firstOf(ticks: Uint32Array, count: number, tick: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ticks[middle] < tick) low = middle + 1
    else high = middle
  }
  return low
}
