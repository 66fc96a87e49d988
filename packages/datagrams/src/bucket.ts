/**
 * A token bucket: what one client may do so often at once, and so often more each second.
 *
 * Rooms and servers use it too. It lives here because this package imports none of theirs.
 */

export type Rate = { readonly burst: number; readonly perSecond: number }

/** Asks for some more, one unless told otherwise, and says whether it is granted. */
export type Bucket = (amount?: number) => boolean

/** A bucket for what is known only afterwards: whether there is something left, and what it was. */
export type Meter = { has(amount?: number): boolean; spend(amount?: number): void }

/** The clock is in milliseconds and only goes forward. */
export function createMeter({ burst, perSecond }: Rate, clock: () => number = () => performance.now()): Meter {
  let tokens = burst
  let filledAt = clock()
  return {
    has(amount = 1) {
      const now = clock()
      tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * perSecond)
      filledAt = now
      return tokens >= amount
    },
    spend(amount = 1) {
      tokens -= amount
    },
  }
}

export function createBucket(rate: Rate, clock?: () => number): Bucket {
  const meter = createMeter(rate, clock)
  return (amount = 1) => {
    const isGranted = meter.has(amount)
    if (isGranted) meter.spend(amount)
    return isGranted
  }
}
