/**
 * Numbers and names from the command line, read strictly.
 *
 * `Number` takes '', ' 7 ', '0x10' and '1e3'. A seed that is not the one typed is a match that cannot be repeated, so whole
 * numbers are plain digits and everything else is refused.
 */

import { InvalidArgumentError } from 'commander'

/** A reader of whole numbers for commander; refuses everything but plain digits within the range. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = readWhole(text)
    if (value !== undefined && value >= min && value <= max) return value
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}, in plain digits.`)
  }
}

/** Depths of rollback as a number, a list or a range: `8`, `1,2,8`, `1-64` or `1..64`. */
export function depthList(text: string): readonly number[] {
  return text.split(',').flatMap((part) => {
    const [, from, to = from] = /^(\d{1,3})(?:(?:-|\.\.)(\d{1,3}))?$/.exec(part) ?? []
    const [first, last] = [Number(from), Number(to)]
    if (first >= 1 && first <= last && last <= MAX_DEPTH) {
      return Array.from({ length: last - first + 1 }, (_, i) => first + i)
    }
    throw new InvalidArgumentError(
      `It must be a number of ticks from 1 to ${MAX_DEPTH}, a list like 1,2,8 or a range like 1-64.`,
    )
  })
}

/** Two ids of things: `3,12`. */
export function idPair(text: string): readonly [number, number] {
  const [a, b, ...more] = text.split(',').map(readWhole)
  const isId = (id: number | undefined): id is number => id !== undefined && id > 0 && id <= 0xffffffff
  if (isId(a) && isId(b) && a !== b && more.length === 0) return [a, b]
  throw new InvalidArgumentError('It must be the ids of two things, like 3,12.')
}

/** The deepest rollback worth trying: seconds of most games. */
const MAX_DEPTH = 256

/** `name=value`, split. For commander: collects what is given several times; the last one of a name counts. */
export function assignment(
  text: string,
  previous: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const at = text.indexOf('=')
  if (at > 0 && at < text.length - 1) return { ...previous, [text.slice(0, at)]: text.slice(at + 1) }
  throw new InvalidArgumentError('It must be name=value. (The game comes before it.)')
}

/** A decimal number as people write it, or the text itself, so that the check can name what was given. */
export function readNumber(text: string): number | string {
  return /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : text
}

function readWhole(text: string): number | undefined {
  return /^\d{1,16}$/.test(text) ? Number(text) : undefined
}
