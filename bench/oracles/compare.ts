/**
 * Is a contender's answer right? Every answer of the benchmark is a set of (question, thing) couples: pairs of things, bullet and
 * victim, region and member, ray and first thing. A couple becomes one number, sets become sorted arrays, and what is in
 * one and not in the other is counted, together with how far off it is in px.
 */

export type Exactness = {
  /** Couples in the oracle's answer. */
  readonly expected: number
  readonly missing: number
  readonly extra: number
  /** The largest distance (px) by which a differing couple is on the wrong side; 0 if none differs. */
  readonly worstGapPx: number
}

/** Differences no larger than this are what single precision does to numbers of this size, not errors. */
export const TOLERANCE_PX = 0.01

export type Verdict = 'exact' | 'rounding' | 'wrong'

export function verdictOf({ missing, extra, worstGapPx }: Exactness): Verdict {
  if (missing + extra === 0) return 'exact'
  return worstGapPx <= TOLERANCE_PX ? 'rounding' : 'wrong'
}

/** A set of couples in the making. `things` bounds the second number of a couple. */
export type Couples = { readonly keys: number[]; readonly things: number }

export function createCouples(things: number): Couples {
  return { keys: [], things }
}

export function addCouple(couples: Couples, question: number, thing: number): void {
  couples.keys.push(question * couples.things + thing)
}

/** A pair of things has no direction: lower id first. */
export function addUnordered(couples: Couples, a: number, b: number): void {
  addCouple(couples, Math.min(a, b), Math.max(a, b))
}

/** `gapPx` says how far a couple is from changing sides. A couple reported twice counts as extra. */
export function compare(
  expected: Couples,
  actual: Couples,
  gapPx: (question: number, thing: number) => number,
): Exactness {
  const wanted = Float64Array.from(expected.keys).sort()
  const got = Float64Array.from(actual.keys).sort()
  let missing = 0
  let extra = 0
  let worstGapPx = 0
  const differs = (key: number) => {
    worstGapPx = Math.max(worstGapPx, gapPx(Math.floor(key / expected.things), key % expected.things))
  }
  let i = 0
  let j = 0
  while (i < wanted.length || j < got.length) {
    if (j === got.length || wanted[i] < got[j]) {
      differs(wanted[i++])
      missing++
    } else if (i === wanted.length || got[j] < wanted[i]) {
      differs(got[j++])
      extra++
    } else {
      i++
      j++
    }
  }
  return { expected: wanted.length, missing, extra, worstGapPx }
}

/** Several checks of one contender as one. */
export function addUp(checks: readonly Exactness[]): Exactness {
  return {
    expected: checks.reduce((sum, check) => sum + check.expected, 0),
    missing: checks.reduce((sum, check) => sum + check.missing, 0),
    extra: checks.reduce((sum, check) => sum + check.extra, 0),
    worstGapPx: checks.reduce((worst, check) => Math.max(worst, check.worstGapPx), 0),
  }
}
