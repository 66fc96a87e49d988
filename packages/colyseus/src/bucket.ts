/** A token bucket: what one client may do so often at once, and so often more each second. */

export type Rate = { readonly burst: number; readonly perSecond: number }

/** Asks for some more, one unless told otherwise, and says whether it is granted. */
export type Bucket = (amount?: number) => boolean

/** The clock is in milliseconds and only goes forward. */
export function createBucket({ burst, perSecond }: Rate, clock: () => number = () => performance.now()): Bucket {
  let tokens = burst
  let filledAt = clock()
  return (amount = 1) => {
    const now = clock()
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * perSecond)
    filledAt = now
    if (tokens < amount) return false
    tokens -= amount
    return true
  }
}
