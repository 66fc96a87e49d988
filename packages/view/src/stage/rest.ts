/**
 * Whether a picture rests: nothing that it shows has changed for a while, so drawing it again would show the same.
 *
 * Views have animations of their own, such as sparks that fade: they get a second after the last change.
 */

export type Rest = { seen: readonly unknown[]; changedAt: number }

const RESTS_AFTER_MS = 1000

export function createRest(): Rest {
  return { seen: [], changedAt: Number.NEGATIVE_INFINITY }
}

/** Once a frame, with all that the picture shows; compared by identity. */
export function isResting(rest: Rest, nowMs: number, seen: readonly unknown[]): boolean {
  const { seen: before } = rest
  let isSame = seen.length === before.length
  for (let i = 0; isSame && i < seen.length; i++) isSame = Object.is(seen[i], before[i])
  rest.seen = seen
  if (!isSame) rest.changedAt = nowMs
  return nowMs - rest.changedAt > RESTS_AFTER_MS
}

/** Something has changed that `isResting` is not given, such as the camera. */
export function endRest(rest: Rest, nowMs: number): void {
  rest.changedAt = nowMs
}
