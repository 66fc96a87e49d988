/** Compares two traces frame by frame and names the first difference. */

import { type Frame, states, type Thing, type Trace } from '../trace/format.ts'

const TOLERANCE = 1e-9

/** The first difference between a recorded trace and a played one, in words; '' when there is none. */
export function firstDifference(recorded: Trace, played: Trace): string {
  const [expected, actual] = [states(recorded.frames), states(played.frames)]
  for (let n = 0; n < recorded.frames.length; n++) {
    const frame = recorded.frames[n]
    const at = `frame ${n} (${frame.phase} turn ${frame.turn} step ${frame.step})`
    const own = played.frames[n]
    if (own === undefined) return `${at}: missing`
    const difference = frameDifference(frame, own) || stateDifference(expected.next().value!, actual.next().value!)
    if (difference !== '') return `${at}: ${difference}`
  }
  return played.frames.length === recorded.frames.length
    ? ''
    : `${played.frames.length} frames instead of ${recorded.frames.length}`
}

function frameDifference(expected: Frame, actual: Frame): string {
  for (const field of ['phase', 'turn', 'step', 'announcer'] as const) {
    if (expected[field] !== actual[field])
      return `${field} ${JSON.stringify(actual[field])} instead of ${JSON.stringify(expected[field])}`
  }
  return isNear(expected.time, actual.time) ? '' : `time ${actual.time} instead of ${expected.time}`
}

function stateDifference(expected: ReadonlyMap<number, Thing>, actual: ReadonlyMap<number, Thing>): string {
  for (const i of new Set([...expected.keys(), ...actual.keys()])) {
    const [a, b] = [actual.get(i), expected.get(i)]
    if (a === undefined) return `thing ${i} (${b!.name}) is gone`
    if (b === undefined) return `thing ${i} (${a.name}) should not be there`
    for (const field of new Set([...Object.keys(b), ...Object.keys(a)]) as Set<keyof Thing>) {
      const [got, wanted] = [a[field], b[field]]
      const isEqual = typeof got === 'number' && typeof wanted === 'number' ? isNear(got, wanted) : got === wanted
      if (!isEqual) return `thing ${i} (${b.name}): ${field} ${got} instead of ${wanted}`
    }
  }
  return ''
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= TOLERANCE
}
