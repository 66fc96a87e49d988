/** How far observations are from what chance would give. All inputs are seeded, so a limit is passed or failed for good. */

/** Pearson's chi-square against equal counts, as standard deviations from its mean. Chance stays within ±4 or so. */
export function uniformity(counts: ArrayLike<number>): number {
  const observed = Array.from(counts)
  const expected = observed.reduce((sum, count) => sum + count, 0) / observed.length
  const chiSquare = observed.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
  const freedom = observed.length - 1
  return (chiSquare - freedom) / Math.sqrt(2 * freedom)
}

/** Correlation of two series, as standard deviations from none. Chance stays within ±4 or so. */
export function correlation(a: readonly number[], b: readonly number[]): number {
  const meanA = mean(a)
  const meanB = mean(b)
  let covariance = 0
  let varianceA = 0
  let varianceB = 0
  for (let i = 0; i < a.length; i++) {
    covariance += (a[i] - meanA) * (b[i] - meanB)
    varianceA += (a[i] - meanA) ** 2
    varianceB += (b[i] - meanB) ** 2
  }
  return (covariance / Math.sqrt(varianceA * varianceB)) * Math.sqrt(a.length)
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** How far x² + y² of a normalised vector can be from 1: root, division and the check itself, 13 · 2^-54, rounded up. */
export const ROUNDING = 2 ** -50
