/** Matches as files: apart from other answers, because a front page asks those and needs no files. */

import type { LoadedModule } from 'hurtbox/module'
import { loadReplay, readReplayHeader, saveReplay, sessionFromReplay, verifyReplay } from 'hurtbox/replay'
import { type Match, matchFromSession } from './match.ts'
import type { Answers, LoadAnswer, MatchSetup, Question } from './protocol.ts'

export function answerFile(
  { session, module: { game } }: Match,
  question: Extract<Question, { ask: 'save' | 'verify' }>,
): Answers[typeof question.ask] {
  return question.ask === 'save'
    ? (saveReplay(session, question.keyframes ? {} : { keyframeEvery: 0 }) as Uint8Array<ArrayBuffer>)
    : verifyReplay(game, loadReplay(game, question.bytes))
}

/** A match from a file, verified: its keyframes are believed only if it plays as recorded. */
export async function openReplay(
  bytes: Uint8Array<ArrayBuffer>,
  load: (id: string) => Promise<LoadedModule>,
): Promise<{ match: Match; answer: LoadAnswer }> {
  const header = readReplayHeader(bytes)
  const module = await load(header.game)
  const replay = loadReplay(module.game, bytes)
  const setup: MatchSetup = { game: header.game, scene: '', seed: replay.setup.seed, seats: [] }
  const verification = verifyReplay(module.game, replay)
  const match = matchFromSession(module, setup, sessionFromReplay(module.game, replay))
  return { match, answer: { setup, ticks: replay.ticks, problems: replay.problems, verification } }
}
