/** What a check finds: one thing to change, with its place. */

import { GameFailure, placeOfFailure } from 'hurtbox/tools'
import { messageOf } from '../errors.ts'

type Check = 'sources' | 'poisoned' | 'sync' | 'runtimes' | 'rules' | 'sense'

export type Finding = {
  readonly check: Check
  /** What sort of mistake it is; the same word for the same mistake. */
  readonly rule: string
  /** What is wrong, in a sentence. */
  readonly message: string
  /** What to do about it, in a sentence. */
  readonly instead: string
  /** Nothing breaks by it, so the game passes. */
  readonly isWarning?: boolean
  /** Absolute path of the file, with line and column from 1 on. */
  readonly file?: string
  readonly line?: number
  readonly column?: number
  /** What was used: `Math.sin`. */
  readonly name?: string
  /** The line of the file. */
  readonly text?: string
  /** Names of the functions around it, outermost first. */
  readonly within?: readonly string[]
  readonly scene?: string
  readonly phase?: string
  readonly tick?: number
  /** Where in the state it showed. */
  readonly state?: {
    readonly table: string
    readonly row: number
    readonly id: number
    readonly column: string
    readonly values: readonly [number, number]
  }
  readonly runtime?: string
}

/** What makes the command fail. */
export function errorsIn(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ isWarning }) => !isWarning)
}

/** An error as a part of a finding: its message after `words`, and where it was thrown. */
export function tellFailure(
  error: unknown,
  words = '',
): Pick<Finding, 'message' | 'phase' | 'file' | 'line' | 'column'> {
  if (!(error instanceof GameFailure)) return { message: words + messageOf(error) }
  const { phase, file, line, column } = placeOfFailure(error)
  return {
    message: words + error.message,
    ...(phase !== undefined && { phase }),
    ...(file !== undefined && { file, line, column }),
  }
}

/**
 * What the scan found in a line and the poisoned run found there too is one finding: the scan knows what to use instead, the run
 * knows phase and tick.
 */
export function merged(findings: readonly Finding[]): Finding[] {
  const merged: Finding[] = []
  for (const finding of findings) {
    const place = merged.findIndex(
      (other) =>
        other.file === finding.file &&
        other.line === finding.line &&
        other.name !== undefined &&
        sameName(other.name, finding.name),
    )
    if (place < 0) merged.push(finding)
    else merged[place] = { ...finding, ...merged[place], ...placeInMatch(finding) }
  }
  return merged
}

/** `Date` and `Date.now`, `localeCompare` and `String.prototype.localeCompare`. */
function sameName(a: string, b: string | undefined): boolean {
  return b !== undefined && (a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`) || b.endsWith(`.${a}`))
}

function placeInMatch({ scene, phase, tick }: Finding): Pick<Finding, 'scene' | 'phase' | 'tick'> {
  return {
    ...(scene === undefined ? {} : { scene }),
    ...(phase === undefined ? {} : { phase }),
    ...(tick === undefined ? {} : { tick }),
  }
}
