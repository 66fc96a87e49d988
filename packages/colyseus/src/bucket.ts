/** A token bucket: what one client may do so often at once, and so often more each second. */

export type Rate = { readonly burst: number; readonly perSecond: number }

/** Each call asks for one more and says whether it is granted. The clock is in milliseconds and only goes forward. */
export function createBucket({ burst, perSecond }: Rate, clock: () => number = () => performance.now()): () => boolean {
  let tokens = burst
  let filledAt = clock()
  return () => {
    const now = clock()
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * perSecond)
    filledAt = now
    if (tokens < 1) return false
    tokens--
    return true
  }
}
