/**
 * Plays a match again with clocks, chance and approximate maths poisoned, and notes which lines of the game use them.
 *
 * They are noted and go on working, so that one run finds all of them. Only the step is watched: bots and scenes have had their
 * say when the match was recorded.
 */

import { createWorld } from 'hurtbox'
import { type AnyWorld, createEncodedInputs, inputsAt, stepEncoded, wrapPhases } from 'hurtbox/tools'
import { callerIn } from './caller.ts'
import { type Finding, tellFailure } from './finding.ts'
import type { Match } from './match.ts'
import type { Poison } from './poison.ts'
import { locatePhase, type Scan } from './scan.ts'
import { tellNotFinite } from './sense/not-finite.ts'
import { findNotFinite, type NotFinite, type Watch, watchBoxes, watchThings } from './sense/watch.ts'
import { isAllowedLine, lineOf, type Source } from './source.ts'

export function runPoisoned(match: Match, { files, rules }: Scan, poison: Poison, watch: Watch): Finding[] {
  const { scene, session } = match
  const found = new Map<string, Finding>()
  const { log, setup, game } = session
  let tick: number | undefined
  let phase: string | undefined
  let notFinite: (NotFinite & { readonly tick: number }) | undefined

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
      const world = createWorld(game, setup as never) as AnyWorld
      let bad = findNotFinite(world, 'setup')
      let isFirst = true
      wrapPhases(world, (name, run) => {
        phase = name
        if (isFirst) bad ??= findNotFinite(world, 'onJoin')
        isFirst = false
        if (run() instanceof Promise) found.set(`async ${name}`, asyncPhase(name, scene.name, rules))
        bad ??= findNotFinite(world, name)
        watchBoxes(watch, world, name)
        phase = undefined
      })
      const inputs = createEncodedInputs(world)
      for (tick = 0; tick < log.length; tick++) {
        isFirst = true
        inputsAt(log, tick, inputs)
        stepEncoded(world, inputs)
        watchThings(watch, world)
        // A later phase may have put it right.
        if (bad !== undefined && findNotFinite(world, '') !== undefined) break
        bad = undefined
      }
      if (bad !== undefined && tick !== undefined) notFinite = { ...bad, tick }
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
  const all = [...found.values()]
  return notFinite === undefined ? all : [...all, tellNotFinite(match, files, rules, notFinite)]
}

/** The step would not wait for it: what comes after its first `await` runs between two ticks, or after the match. */
function asyncPhase(phase: string, scene: string, rules: readonly Source[]): Finding {
  return {
    check: 'poisoned',
    rule: 'async-phase',
    message: `phase ${phase} is async, and a step does not wait.`,
    instead: 'What takes time is done outside the step and comes in as an input.',
    scene,
    phase,
    ...locatePhase(rules, phase),
  }
}
