/** Rolls back on every tick, by 1 and by 8, and tells the first difference with phase, table, row and column. */

import { hashWorld, syncTest } from 'hurtbox'
import { describeDifference, type SyncReport } from 'hurtbox/tools'
import { messageOf } from '../errors.ts'
import { type Finding, tellFailure } from './finding.ts'
import type { Match } from './match.ts'
import { locateCall, locatePhase } from './scan.ts'
import type { Source } from './source.ts'

export const DEPTHS: readonly number[] = [1, 8]

export type SyncOutcome = {
  readonly findings: readonly Finding[]
  /** In how many ticks something happened. */
  readonly changedTicks: number
}

export function runSync({ scene, session }: Match, rules: readonly Source[]): SyncOutcome {
  const notFinite = findNotFinite(session.world, scene.name)
  if (notFinite !== undefined) return { findings: [notFinite], changedTicks: session.log.length }
  let changedTicks = 0
  for (const depth of DEPTHS) {
    let finding: Finding | undefined
    try {
      const report = syncTest(session, depth, { phases: depth === 1 })
      changedTicks = report.changedTicks
      finding = tellDifference(scene.name, report, rules)
    } catch (error) {
      finding = {
        check: 'sync',
        rule: 'failed',
        ...tellFailure(error, `the match fails after a rollback of ${depth} ticks: `),
        instead: 'Look for state outside the world: a variable of a module, a closure.',
        scene: scene.name,
      }
    }
    // What differs at depth 1 differs at depth 8 as well.
    if (finding !== undefined) return { findings: [finding], changedTicks: Math.max(1, changedTicks) }
  }
  return { findings: [], changedTicks }
}

/** For a game in whose scenes nothing happens: all the rest proves nothing then. */
export function nothingHappens(files: readonly Source[]): Finding {
  return {
    check: 'sync',
    rule: 'nothing-happens',
    message: 'the state never changes in any scene, so nothing is proven.',
    instead: 'Give the module scenes with inputs, or bots: defineModule({ game, scenes, bots }).',
    ...locateCall(files, /^defineModule$/),
  }
}

function tellDifference(scene: string, { mismatch }: SyncReport, rules: readonly Source[]): Finding | undefined {
  if (mismatch === undefined) return undefined
  const { tick, phase, differences } = mismatch
  const [first] = differences
  const where = phase === undefined ? '' : ` in phase ${phase}`
  const what = first === undefined ? 'the numbers of rows differ' : describeDifference(first).replace(/^tick \d+: /, '')
  return {
    check: 'sync',
    rule: 'desync',
    message:
      mismatch.depth === 0
        ? `the match comes out differently when it is played again: ${what}.`
        : `tick ${tick} comes out differently after a rollback of ${mismatch.depth} ${mismatch.depth === 1 ? 'tick' : 'ticks'}, first${where}: ${what}.`,
    instead:
      'It reads something outside the world: a variable of a module, a closure, a clock, Math.random. Keep it in a column or a global.',
    scene,
    tick,
    ...(phase !== undefined && { phase, ...locatePhase(rules, phase) }),
    ...(first !== undefined && {
      state: { table: first.table, row: first.row, id: first.id, column: first.column, values: [first.a, first.b] },
    }),
  }
}

function findNotFinite(world: Match['session']['world'], scene: string): Finding | undefined {
  try {
    hashWorld(world)
    return undefined
  } catch (error) {
    return {
      check: 'sync',
      rule: 'not-finite',
      message: messageOf(error),
      instead: 'Check before you divide; `hurtbox run --hash-every 1` names the first tick.',
      scene,
      tick: world.tick,
    }
  }
}
