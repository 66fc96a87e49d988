/** Answers to what the page asks about a match: why, when, what if, and is it the same everywhere? */

import { type EventRecord, syncTest, why } from 'hurtbox'
import { meaningOfEvent } from 'hurtbox/module'
import { describeDifference, tellPhase } from 'hurtbox/tools'
import { costsBetween } from './history.ts'
import { changesOf, meterBetween, stateAt, timersBetween } from './looking.ts'
import { branch, canPlay, goTo, lookThrough, type Match, playTick, sit, tune } from './match.ts'
import type { Answers, EventsAnswer, Question, SurveyAnswer, SyncAnswer } from './protocol.ts'

/** Everything but `fork` and `load`, which concern the list of matches, and what is about files (`replays.ts`). */
export function answer(match: Match, question: Question): Answers[keyof Answers] {
  const { session, history } = match
  switch (question.ask) {
    case 'why':
      return why(session, question.tick, question.a, question.b < 0 ? { wall: -1 - question.b } : question.b)
    case 'events':
      lookThrough(match, EVENTS_MS)
      return withNames(
        match,
        history.records.filter(({ tick }) => tick >= question.from),
      )
    case 'survey':
      return survey(match, question)
    case 'costs':
      return costsBetween(history, question.from, question.to, question.buckets)
    case 'changes':
      return changesOf(match, question.tick, question.id)
    case 'state':
      return stateAt(match, question.tick)
    case 'meter':
      return meterBetween(match, question.from, question.to)
    case 'timers':
      return timersBetween(match, question.from, question.to)
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
    case 'script':
      return match.script
    case 'phases':
      return match.phases.names
    default:
      throw new Error(`there is no answer to "${question.ask}".`)
  }
}

function runSyncTest(match: Match, depth: number): SyncAnswer {
  const { mismatch, ticks, rollbacks } = syncTest(match.session, depth)
  const first = mismatch?.differences[0]
  const what = first === undefined ? (mismatch === undefined ? '' : 'the row counts differ') : describeDifference(first)
  const message = mismatch?.phase === undefined ? what : `${tellPhase(mismatch.phase)}: ${what}`
  return { ok: mismatch === undefined, ticks, rollbacks, message, tick: mismatch?.tick ?? -1 }
}

/** How long a feed may make the match wait, ms. */
const EVENTS_MS = 30

/** The events with what their sentences call things: found out by saying them. */
function withNames({ module, history }: Match, records: readonly EventRecord[]): EventsAnswer {
  const names = new Map<number, string>()
  const note = (id: number) => {
    const who = history.register.known.get(id)
    if (who !== undefined) names.set(id, who.name)
    return ''
  }
  for (const record of records) meaningOfEvent(module, record.kind)?.sentence?.(record, note)
  return { records, names }
}

function survey(match: Match, question: Extract<Question, { ask: 'survey' }>): SurveyAnswer {
  const { session, history } = match
  lookThrough(match, question.budgetMs)
  const from = question.version === history.version ? Math.min(question.from, history.marks.length) : 0
  return {
    version: history.version,
    indexed: history.indexed,
    length: session.log.length,
    kinds: history.kinds,
    marks: Int32Array.from(history.marks.slice(from)),
    from,
  }
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
  const { history } = match
  lookThrough(match, Number.POSITIVE_INFINITY)
  const { hitTicks } = history
  if (direction > 0) {
    const next = hitTicks.find((tick) => tick + 1 > from)
    return next === undefined ? playToHit(match) : next + 1
  }
  const previous = hitTicks.findLast((tick) => tick + 1 < from)
  return previous === undefined ? -1 : previous + 1
}
