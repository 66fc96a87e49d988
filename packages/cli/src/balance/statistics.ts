/** Means and shares with the interval that holds the true one in 95 of 100 runs. */

export type Estimate = { readonly mean: number; readonly low: number; readonly high: number; readonly count: number }

const Z = 1.959963984540054

/** Mean of a sample with Student's interval. One value alone says nothing about its spread: the interval is infinite. */
export function meanOf(values: readonly number[]): Estimate {
  const count = values.length
  if (count === 0) return { mean: Number.NaN, low: Number.NaN, high: Number.NaN, count }
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0)
  const error =
    count < 2 ? Number.POSITIVE_INFINITY : studentQuantile(count - 1) * Math.sqrt(squares / (count - 1) / count)
  return { mean, low: mean - error, high: mean + error, count }
}

/** Share of successes with Wilson's interval, which stays within 0 and 1 and is honest at both ends. */
export function shareOf(successes: number, count: number): Estimate {
  if (count === 0) return { mean: Number.NaN, low: Number.NaN, high: Number.NaN, count }
  const share = successes / count
  const scale = 1 + (Z * Z) / count
  const centre = (share + (Z * Z) / (2 * count)) / scale
  const half = (Z / scale) * Math.sqrt((share * (1 - share)) / count + (Z * Z) / (4 * count * count))
  return { mean: share, low: Math.max(0, centre - half), high: Math.min(1, centre + half), count }
}

/** The 97.5 % quantile of Student's t: exact for one and two degrees of freedom, Cornish–Fisher's series above. */
export function studentQuantile(freedom: number): number {
  if (freedom === 1) return 12.706204736432095
  if (freedom === 2) return 4.302652729911275
  const [z3, z5, z7, z9] = [Z ** 3, Z ** 5, Z ** 7, Z ** 9]
  const first = (z3 + Z) / 4
  const second = (5 * z5 + 16 * z3 + 3 * Z) / 96
  const third = (3 * z7 + 19 * z5 + 17 * z3 - 15 * Z) / 384
  const fourth = (79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * Z) / 92160
  return Z + first / freedom + second / freedom ** 2 + third / freedom ** 3 + fourth / freedom ** 4
}
