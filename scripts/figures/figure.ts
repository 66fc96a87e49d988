/**
 * A figure is something the pages claim that a command can show: a hash, a count, a time.
 *
 * What was measured is kept as data, with the command, the machine and the day, and the pages are written from that data
 * alone. So a page can only be wrong in one way: the data is old. `npm run measure -- figures --check` measures again and says so.
 */

/** Where, when and how a result came about. Without it a time means nothing. */
export type About = {
  /** What a reader types to see the same. */
  readonly command: string
  readonly machine: string
  /** YYYY-MM-DD */
  readonly date: string
}

export type Saved<T> = About & { readonly result: T }

export type Figure<T> = {
  readonly name: string
  readonly command: string
  /** Takes minutes by itself, or the network: measured only when asked for by name. */
  readonly isLong?: boolean
  measure(log: (progress: string) => void): Promise<T>
  /** What does not hold any more, one sentence each. What depends on the machine may differ within reason. */
  differences(saved: T, now: T): string[]
}

/** Times may differ by this factor either way before a figure counts as wrong: another machine, a busy hour. */
export const TIME_FACTOR = 2

/** A sentence if two times, or two ratios of times, are too far apart. */
export function apart(what: string, saved: number, now: number, factor: number = TIME_FACTOR): string[] {
  if (now <= saved * factor && now >= saved / factor) return []
  return [`${what}: ${short(now)} now, ${short(saved)} saved, more than a factor of ${factor} apart`]
}

/** A sentence for every part in which two exact results differ, each with its path. */
export function unequal(what: string, saved: unknown, now: unknown): string[] {
  if (isObject(saved) && isObject(now)) {
    const keys = new Set([...Object.keys(saved), ...Object.keys(now)])
    return [...keys].flatMap((key) => unequal(`${what} ${key}`, saved[key], now[key]))
  }
  return Object.is(saved, now) ? [] : [`${what}: ${JSON.stringify(now)} now, ${JSON.stringify(saved)} saved`]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)))
}
