/** The arithmetic behind the table: medians, quantiles, ratios and growth. */

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Linear between neighbours, so the median of an even number of values is the mean of the middle two. */
export function quantile(values: readonly number[], fraction: number): number {
  if (values.length === 0) return Number.NaN
  const sorted = [...values].sort((a, b) => a - b)
  const place = (sorted.length - 1) * fraction
  const below = Math.floor(place)
  const above = Math.min(below + 1, sorted.length - 1)
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below)
}

/**
 * The exponent k of `ms ~ n^k`: the slope of the line through the points in log-log, by least squares. 1 is linear, 2
 * quadratic. NaN with fewer than two sizes.
 */
export function growthExponent(points: readonly { readonly n: number; readonly ms: number }[]): number {
  if (new Set(points.map((point) => point.n)).size < 2) return Number.NaN
  const logs = points.map(({ n, ms }) => [Math.log(n), Math.log(ms)] as const)
  const meanN = logs.reduce((sum, [n]) => sum + n, 0) / logs.length
  const meanMs = logs.reduce((sum, [, ms]) => sum + ms, 0) / logs.length
  let covariance = 0
  let variance = 0
  for (const [n, ms] of logs) {
    covariance += (n - meanN) * (ms - meanMs)
    variance += (n - meanN) * (n - meanN)
  }
  return covariance / variance
}
