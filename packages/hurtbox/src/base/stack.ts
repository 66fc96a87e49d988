/**
 * The line of a game's own code in the stack of an error.
 *
 * Stacks are text, of one form in V8 and of another in Firefox and Safari. They are read when a host asks where something was
 * thrown, not where it is caught: in a mirror that has diverged rules throw often, and nobody asks. A page that never asks
 * does not carry this.
 */

import { type FunctionPlace, GameFailure } from './failure.ts'

/** A place in a source file: what the stack calls the file, without `file://`, origin and query. */
export type SourcePlace = { readonly file: string; readonly line: number; readonly column: number }

/** Where code of a game failed. Plain data: it goes into logs, findings and messages as it is. */
export type FailurePlace = FunctionPlace & Partial<SourcePlace>

type StackFrame = SourcePlace & { readonly url: string }

/** Where a {@link GameFailure} was thrown; undefined for what is none. */
export function placeOfFailure(error: GameFailure): FailurePlace
export function placeOfFailure(error: unknown): FailurePlace | undefined
export function placeOfFailure(error: unknown): FailurePlace | undefined {
  if (!(error instanceof GameFailure)) return undefined
  const { known, defined, caught } = error.origin
  return { ...known, ...(ownPlace(error.cause, caught) ?? (defined && ownPlace(defined))) }
}

/**
 * The first frame of what was thrown that is neither the engine's nor of an installed package. `caught` is an error made where it
 * was caught: its frames called the code that threw, so none of them is the place. In a bundle, where nothing tells the
 * engine from the game, the first frame; undefined where there is none.
 */
export function ownPlace(thrown: unknown, caught?: Error): SourcePlace | undefined {
  if (!(thrown instanceof Error)) return undefined
  const callers = caught === undefined ? [] : framesOf(caught)
  // An error that was made elsewhere and thrown here has a stack that says nothing of it, but its own is better than none.
  const frames = framesOf(thrown).filter((frame) => !callers.some((caller) => isSame(caller, frame)))
  const engine = framesOf(new Error())[0]?.url.replace(/\/base\/stack\.[jt]s$/, '/') ?? ''
  const own = frames.find(({ url }) => !url.startsWith(engine) && !isForeign(url))
  const found = own ?? (engine.endsWith('/') ? undefined : frames.find(({ url }) => !isForeign(url)))
  return found && { file: found.file, line: found.line, column: found.column }
}

function isForeign(url: string): boolean {
  return /[\\/]node_modules[\\/]|^node:|^native|<anonymous>/.test(url)
}

function isSame(a: StackFrame, b: StackFrame): boolean {
  return a.url === b.url && a.line === b.line && a.column === b.column
}

const V8_FRAME = /^\s*at (?:.*? \()?(.+?):(\d+):(\d+)\)?$/
const GECKO_FRAME = /^(?:[^@]*@)?(.+?):(\d+):(\d+)$/

function framesOf({ stack }: Error): StackFrame[] {
  const lines = String(stack ?? '').split('\n')
  // The message stands above the frames of V8, and may look like one of the others.
  const form = lines.some((line) => /^\s+at /.test(line)) ? V8_FRAME : GECKO_FRAME
  return lines.flatMap((line) => {
    const [, url, row, column] = form.exec(line) ?? []
    if (url === undefined) return []
    return [{ url: url.replace(/[?#].*$/, ''), file: fileOf(url), line: Number(row), column: Number(column) }]
  })
}

/** `file:///C:/game/rules.ts` is C:/game/rules.ts, and `http://localhost:5173/rules.ts?t=12` is /rules.ts. */
function fileOf(url: string): string {
  const path = url.replace(/[?#].*$/, '').replace(/^(?:async )?[a-z-]+:\/\/[^/]*/, '')
  try {
    return decodeURI(path).replace(/^\/(?=[A-Za-z]:\/)/, '')
  } catch {
    return path
  }
}
