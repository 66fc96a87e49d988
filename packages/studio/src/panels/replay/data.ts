import type { Verification } from 'hurtbox/replay'

/** What playing a match again came to, in words. */
export function tellVerification({ ticks, hash, mismatch }: Verification): string {
  return mismatch === undefined ? `✓ ${ticks} ticks play as recorded, hash ${hash}` : `✕ ${mismatch.message}`
}
