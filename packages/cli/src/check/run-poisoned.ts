/**
 * Plays a match again with clocks, chance and approximate maths poisoned, and notes which lines of the game use them.
 *
 * They are noted and go on working, so that one run finds all of them. Only the step is watched: bots and scenes have had their
 * say when the match was recorded.
 */

import { dirname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createWorld } from 'hurtbox'
import { createEncodedInputs, inputsAt, stepEncoded, wrapPhases } from 'hurtbox/tools'
import { type Finding, tellFailure } from './finding.ts'
import type { Match } from './match.ts'
import type { Poison } from './poison.ts'
import { isAllowedLine, lineOf, type Source } from './source.ts'

/** Deep enough for a rule that calls a library that calls a clock. */
const STACK_DEPTH = 64

export function runPoisoned({ scene, session }: Match, files: readonly Source[], poison: Poison): Finding[] {
  const found = new Map<string, Finding>()
  const { log, setup, game } = session
  let tick: number | undefined
  let phase: string | undefined

  const onUse = (name: string, global: string) => {
    const place = callerIn(files)
    const key = `${global} ${place?.source.file} ${place?.line}`
    if (found.has(key) || (place !== undefined && isAllowedLine(place.source, place.line))) return
    found.set(key, {
      check: 'poisoned',
      rule: 'forbidden-call',
      name,
      message: `${name} is called${place?.through === undefined ? '' : ` through ${place.through}`} while the game steps.`,
      instead: 'docs/determinism.md says what to use.',
      scene: scene.name,
      ...(tick !== undefined && { tick }),
      ...(phase !== undefined && { phase }),
      ...(place !== undefined && {
        file: place.source.file,
        line: place.line,
        column: place.column,
        text: lineOf(place.source, place.line),
      }),
    })
  }

  try {
    poison.watch(() => {
      const world = createWorld(game, setup as never)
      wrapPhases(world, (name, run) => {
        phase = name
        if (run() instanceof Promise) found.set(`async ${name}`, asyncPhase(name, scene.name))
        phase = undefined
      })
      const inputs = createEncodedInputs(world)
      for (tick = 0; tick < log.length; tick++) {
        inputsAt(log, tick, inputs)
        stepEncoded(world, inputs)
      }
    }, onUse)
  } catch (error) {
    // It ran through once, so it fails now because of what lies outside the world.
    found.set('failed', {
      check: 'poisoned',
      rule: 'failed',
      ...tellFailure(error, 'the match failed when it was played again: '),
      instead: 'Look for state outside the world: a variable of a module, a closure.',
      scene: scene.name,
      ...(tick !== undefined && { tick }),
    })
  }
  return [...found.values()]
}

/** The step would not wait for it: what comes after its first `await` runs between two ticks, or after the match. */
function asyncPhase(phase: string, scene: string): Finding {
  return {
    check: 'poisoned',
    rule: 'async-phase',
    message: `phase ${phase} is async, and a step does not wait.`,
    instead: 'What takes time is done outside the step and comes in as an input.',
    scene,
    phase,
  }
}

type Caller = {
  readonly source: Source
  readonly line: number
  readonly column: number
  /** The package in between. */
  readonly through: string | undefined
}

/** The innermost line of the game on the stack. */
function callerIn(files: readonly Source[]): Caller | undefined {
  let through: string | undefined
  for (const { file, line, column } of stack()) {
    const source = files.find((candidate) => candidate.file === file)
    if (source !== undefined) return { source, line, column, through }
    through ??= packageOf(file)
  }
  return undefined
}

function stack(): { readonly file: string; readonly line: number; readonly column: number }[] {
  const { prepareStackTrace, stackTraceLimit } = Error
  Error.stackTraceLimit = STACK_DEPTH
  Error.prepareStackTrace = (_error, sites) => sites
  const sites = new Error().stack as unknown as NodeJS.CallSite[]
  Error.prepareStackTrace = prepareStackTrace
  Error.stackTraceLimit = stackTraceLimit
  return sites.flatMap((site) => {
    const name = site.getFileName()
    if (!name || name.startsWith('node:')) return []
    const file = name.startsWith('file:') ? fileURLToPath(name) : name
    return [{ file, line: site.getLineNumber() ?? 0, column: site.getColumnNumber() ?? 0 }]
  })
}

const OURS = dirname(dirname(fileURLToPath(import.meta.url)))

function packageOf(file: string): string | undefined {
  if (file.startsWith(OURS + sep)) return undefined
  const [, name] = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file) ?? []
  return name === 'hurtbox' ? undefined : name
}
