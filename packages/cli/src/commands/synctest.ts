/** `hurtbox synctest`: rolls back on every tick and checks that the future is the same. */

import { syncTest } from 'hurtbox'
import { describeDifference, requireInSync, type SyncReport } from 'hurtbox/tools'
import { messageOf } from '../errors.ts'
import { loadGame } from '../games.ts'
import { chooseScene, type MatchOptions, playMatch, startMatch } from '../match.ts'
import { createProgress, print, printError, printJson } from '../output.ts'
import { grouped } from '../text.ts'

export type SynctestOptions = MatchOptions & {
  readonly json?: boolean
  readonly progress?: boolean
  readonly depth: readonly number[]
  readonly fresh?: boolean
}

export async function synctest(gameName: string | undefined, options: SynctestOptions): Promise<number> {
  const scene = chooseScene(await loadGame(gameName), options)
  const session = startMatch(scene)
  const progress = createProgress(options.progress === true)
  playMatch(scene, session, scene.ticks, (world) => {
    progress.show(() => `playing: tick ${grouped(world.tick)} of ${grouped(scene.ticks)}`)
    return true
  })

  let failures = 0
  for (const [i, depth] of options.depth.entries()) {
    progress.show(() => `depth ${depth}, ${i + 1} of ${options.depth.length}`)
    const report = syncTest(session, depth, { fresh: options.fresh === true })
    progress.clear()
    const problem = problemOf(report)
    if (problem !== undefined) failures++
    if (options.json) printReport(scene.game.declaration.id, scene.name, scene.seed, depth, report, problem)
    else print(`depth ${String(depth).padStart(2)}  ${problem ?? describeReport(report)}`)
  }
  if (failures > 0 && !options.json) {
    printError(
      'A tick that comes out differently reads something outside the world: a module variable, a closure, a clock, Math.random.',
    )
  }
  return failures > 0 ? 1 : 0
}

/** What is wrong, in words; undefined when nothing is. */
function problemOf(report: SyncReport): string | undefined {
  try {
    requireInSync(report)
    return undefined
  } catch (error) {
    return `MISMATCH: ${messageOf(error)}`
  }
}

function describeReport({ rollbacks, resimulatedTicks, changedTicks }: SyncReport): string {
  return `ok: ${grouped(rollbacks)} rollbacks, ${grouped(resimulatedTicks)} ticks played again, ${grouped(changedTicks)} with changes`
}

function printReport(
  game: string,
  scene: string,
  seed: number,
  depth: number,
  { mismatch, ...figures }: SyncReport,
  problem: string | undefined,
): void {
  const differences = mismatch?.differences.map((difference) => ({
    ...difference,
    text: describeDifference(difference),
  }))
  printJson('depth', {
    game,
    scene,
    seed,
    depth,
    ok: problem === undefined,
    ...figures,
    ...(problem === undefined ? {} : { problem }),
    ...(mismatch === undefined ? {} : { mismatch: { ...mismatch, differences } }),
  })
}
