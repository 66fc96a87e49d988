/** Answers to what the page asks about a match: why, when, what if, and is it the same everywhere? */

import { snapshot, syncTest, why } from 'hurtbox'
import type { LoadedModule } from 'hurtbox/module'
import { loadReplay, readReplayHeader, saveReplay, sessionFromReplay, verifyReplay } from 'hurtbox/replay'
import { describeDifference, tellPhase } from 'hurtbox/tools'
import { branch, canPlay, goTo, type Match, matchFromSession, playTick, sit, tune } from './match.ts'
import type { Answers, LoadAnswer, MatchSetup, Question, SyncAnswer } from './protocol.ts'

/** Everything but `fork` and `load`, which concern the list of matches. */
export function answer(match: Match, question: Question): Answers[keyof Answers] {
  const { session, history } = match
  switch (question.ask) {
    case 'why':
      return why(session, question.tick, question.a, question.b)
    case 'events':
      return history.records.filter(({ tick }) => tick >= question.from)
    case 'hit':
      return findHit(match, question.from, question.direction)
    case 'tune':
      tune(match, question.name, question.value)
      return null
    case 'branch':
      branch(match)
      return null
    case 'sit':
      sit(match, question.seat, question.bot)
      return null
    case 'dummy':
      Object.assign(match.dummy, { does: question.does, field: question.field, since: session.world.tick })
      return null
    case 'record':
      if (question.isOn) match.dummy.recorded = []
      match.dummy.isRecording = question.isOn
      return match.dummy.recorded.length
    case 'synctest':
      return runSyncTest(match, question.depth)
    case 'save':
      return saveReplay(session, question.keyframes ? {} : { keyframeEvery: 0 }) as Uint8Array<ArrayBuffer>
    case 'verify':
      return verifyReplay(match.module.game, loadReplay(match.module.game, question.bytes))
    case 'script':
      return match.script
    case 'phases':
      return match.phases.names
    case 'states':
      return lastStates(match, question.count)
    default:
      throw new Error(`there is no answer to "${question.ask}".`)
  }
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

function runSyncTest(match: Match, depth: number): SyncAnswer {
  const { mismatch, ticks, rollbacks } = syncTest(match.session, depth)
  const first = mismatch?.differences[0]
  const what = first === undefined ? (mismatch === undefined ? '' : 'the row counts differ') : describeDifference(first)
  const message = mismatch?.phase === undefined ? what : `${tellPhase(mismatch.phase)}: ${what}`
  return { ok: mismatch === undefined, ticks, rollbacks, message, tick: mismatch?.tick ?? -1 }
}

function lastStates(match: Match, count: number): Uint8Array<ArrayBuffer>[] {
  const { world } = match.session
  const here = world.tick
  const states: Uint8Array<ArrayBuffer>[] = []
  for (let tick = Math.max(0, here - count + 1); tick <= here; tick++) {
    goTo(match, tick)
    states.push(snapshot(world).bytes as Uint8Array<ArrayBuffer>)
  }
  return states
}

/** Plays on from the end of the record until there is a hit; gives up after a minute of the match. */
function playToHit(match: Match): number {
  const { session, history, module } = match
  goTo(match, session.log.length)
  const known = history.hitTicks.length
  const last = session.log.length + 60 * module.game.declaration.tickRate
  while (session.world.tick < last && history.hitTicks.length === known && canPlay(match)) playTick(match, undefined)
  return history.hitTicks.length > known ? session.world.tick : -1
}

/** The tick after the next hit's own (so that its contact is in sight), or −1. Unknown ticks are looked through first. */
function findHit(match: Match, from: number, direction: 1 | -1): number {
  const { history, session } = match
  if (history.indexed < session.log.length) {
    const here = session.world.tick
    goTo(match, session.log.length)
    goTo(match, here)
  }
  const { hitTicks } = history
  if (direction > 0) {
    const next = hitTicks.find((tick) => tick + 1 > from)
    return next === undefined ? playToHit(match) : next + 1
  }
  const previous = hitTicks.findLast((tick) => tick + 1 < from)
  return previous === undefined ? -1 : previous + 1
}
