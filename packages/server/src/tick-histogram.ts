/**
 * A histogram of how long ticks take, by game.
 *
 * As one of prom-client, which checks the labels of every value, makes a text of them and looks the text up: that took more than a tick of
 * the netcode. Here a value is a place in an array, and what Prometheus reads is made when it reads.
 */

type Series = { readonly counts: Float64Array; sum: number }
type Value = { readonly metricName: string; readonly labels: Record<string, string | number>; readonly value: number }

export class TickHistogram {
  readonly type = 'histogram'
  readonly aggregator = 'sum'
  readonly name: string
  readonly help: string
  readonly #buckets: readonly number[]
  readonly #series = new Map<string, Series>()

  /** `buckets`: their upper bounds, ascending. */
  constructor(name: string, help: string, buckets: readonly number[]) {
    this.name = name
    this.help = help
    this.#buckets = buckets
  }

  /** A function that takes the seconds of one tick after the other of a game. */
  observerOf(game: string): (seconds: number) => void {
    const buckets = this.#buckets
    const series = this.#series.get(game) ?? { counts: new Float64Array(buckets.length + 1), sum: 0 }
    this.#series.set(game, series)
    return (seconds) => {
      let bucket = 0
      while (bucket < buckets.length && seconds > buckets[bucket]) bucket++
      series.counts[bucket]++
      series.sum += seconds
    }
  }

  /** What the registry of prom-client asks for. */
  get(): Promise<{ name: string; help: string; type: string; aggregator: string; values: Value[] }> {
    const { name, help, type, aggregator } = this
    const values = [...this.#series].flatMap(([game, series]) => this.#valuesOf(game, series))
    return Promise.resolve({ name, help, type, aggregator, values })
  }

  #valuesOf(game: string, { counts, sum }: Series): Value[] {
    let count = 0
    const buckets = [...counts].map((more, bucket): Value => {
      count += more
      const le = this.#buckets[bucket] ?? '+Inf'
      return { metricName: `${this.name}_bucket`, labels: { le, game }, value: count }
    })
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels: { game }, value: sum },
      { metricName: `${this.name}_count`, labels: { game }, value: count },
    ]
  }
}
