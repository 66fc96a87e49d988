/**
 * `hurtbox verify`: plays a replay again and compares.
 *
 * The exit code is 0 only when nothing at all is wrong: the file is whole, and every recorded hash came out again.
 */

import { type Replay, type Verification, verifyReplay } from 'hurtbox/replay'
import { placeOfFailure } from 'hurtbox/tools'
import { tellLine } from '../errors.ts'
import { createProgress, print, printJson } from '../output.ts'
import { readReplayFile } from '../replay-file.ts'
import { grouped } from '../text.ts'

export type VerifyOptions = { readonly json?: boolean; readonly progress?: boolean; readonly game?: string }

export async function verify(path: string, options: VerifyOptions): Promise<number> {
  const replay = await readReplayFile(path, options.game)
  const progress = createProgress(options.progress === true)
  const verification = verifyReplay(replay.game, replay, (done, ticks) =>
    progress.show(() => `tick ${grouped(done)} of ${grouped(ticks)}`),
  )
  progress.clear()
  const verdict = !verification.ok ? 'DIVERGED' : replay.problems.length > 0 ? 'DAMAGED' : 'ok'
  if (options.json) printVerdictJson(path, replay, verification, verdict === 'ok')
  else printVerdict(path, replay, verification, verdict)
  return verdict === 'ok' ? 0 : 1
}

function printVerdict(path: string, replay: Replay, verification: Verification, verdict: string): void {
  const { ok, ticks, hash, mismatch } = verification
  print(`${path}: ${verdict}`)
  print(`  ${replay.header.game}, seed ${replay.setup.seed}, ${grouped(replay.ticks)} ticks`)
  for (const problem of replay.problems) print(`  ${problem}`)
  if (mismatch !== undefined)
    print(`  ${mismatch.message}${mismatch.failure ? tellLine(placeOfFailure(mismatch.failure)) : ''}`)
  print(`  ${grouped(ticks)} of ${grouped(replay.ticks)} ticks came out as recorded${ok ? `, hash ${hash}` : ''}`)
}

function printVerdictJson(
  file: string,
  { header, setup, complete, problems, ticks }: Replay,
  verification: Verification,
  ok: boolean,
): void {
  const { hash, mismatch } = verification
  printJson('verdict', {
    file,
    game: header.game,
    seed: setup.seed,
    ok,
    complete,
    ticks,
    verifiedTicks: verification.ticks,
    hash,
    problems,
    ...(mismatch && { mismatch: { ...mismatch, failure: placeOfFailure(mismatch.failure) } }),
  })
}
