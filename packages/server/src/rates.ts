/** Counting by key: how often each may do something, and how many of something each holds. */

import { createBucket, type Rate } from '@hurtbox/datagrams'

/** More keys than this are not remembered one by one: the one that was quiet longest starts over. */
const MAX_KEYS = 10_000

/** A bucket for each key: whether `key` may do it once more. */
export function createRateLimit(rate: Rate, clock?: () => number): (key: string) => boolean {
  const buckets = new Map<string, () => boolean>()
  return (key) => {
    const bucket = buckets.get(key) ?? createBucket(rate, clock)
    // Entered again, so that the map stays in order of use.
    buckets.delete(key)
    if (buckets.size >= MAX_KEYS) buckets.delete(buckets.keys().next().value!)
    buckets.set(key, bucket)
    return bucket()
  }
}

/** How many of something each key holds at the moment. */
export type Holdings = {
  /** Takes one; false when the key has as many as it may. */
  hold(key: string): boolean
  release(key: string): void
}

export function createHoldings(limit: number): Holdings {
  const held = new Map<string, number>()
  return {
    hold(key) {
      const count = held.get(key) ?? 0
      if (count >= limit) return false
      held.set(key, count + 1)
      return true
    },
    release(key) {
      const count = (held.get(key) ?? 0) - 1
      if (count > 0) held.set(key, count)
      else held.delete(key)
    },
  }
}
