/** Reads what `/metrics` says: enough of Prometheus's text format to take two readings and compare them. */

/** One reading: the value of each line by its name and labels, as they are written. */
export type Reading = ReadonlyMap<string, number>

export function parseMetrics(text: string): Reading {
  const values = new Map<string, number>()
  for (const [, series, value] of text.matchAll(/^([a-z_]+(?:\{.*\})?) (\S+)/gm)) values.set(series, Number(value))
  return values
}

/** The sum of all series of a name whose labels include the given texts, between two readings. */
export function increase(before: Reading, after: Reading, name: string, ...labels: string[]): number {
  let sum = 0
  for (const [series, value] of after) {
    if (!isOf(series, name) || !labels.every((label) => series.includes(label))) continue
    sum += value - (before.get(series) ?? 0)
  }
  return sum
}

/** A quantile of a histogram between two readings, as Prometheus works it out: straight within a bucket. */
export function quantile(before: Reading, after: Reading, name: string, part: number, ...labels: string[]): number {
  const buckets = [...after]
    .filter(([series]) => isOf(series, `${name}_bucket`) && labels.every((label) => series.includes(label)))
    .map(([series, value]) => ({ upTo: upperBound(series), count: value - (before.get(series) ?? 0) }))
    .sort((a, b) => a.upTo - b.upTo)
  const wanted = (buckets.at(-1)?.count ?? 0) * part
  const at = buckets.findIndex(({ count }) => count >= wanted && count > 0)
  if (at < 0) return Number.NaN
  const low = at === 0 ? { upTo: 0, count: 0 } : buckets[at - 1]
  const { upTo, count } = buckets[at]
  // Beyond the last bound nothing is known but that it is more.
  if (!Number.isFinite(upTo)) return low.upTo
  return low.upTo + ((upTo - low.upTo) * (wanted - low.count)) / Math.max(1, count - low.count)
}

function isOf(series: string, name: string): boolean {
  return series === name || series.startsWith(`${name}{`)
}

function upperBound(series: string): number {
  const bound = /le="([^"]*)"/.exec(series)?.[1]
  return bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound)
}
