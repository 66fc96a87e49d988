/** What is known of the whole match, brought to the page little by little: marks for the timeline, and how far it has been seen. */

import type { Studio } from './studio.ts'

/** How long the match may be kept waiting for it, ms: less while it plays. */
const PLAYING_MS = 3
const RESTING_MS = 90

const asking = new WeakSet<Studio>()

/** Takes in what is new. Called a few times a second; while ticks are unseen, each call looks through some more. */
export async function refreshSurvey(studio: Studio): Promise<void> {
  const { show, page, survey } = studio
  if (asking.has(studio) || !show.isReady.value || page?.kind === 'is shown') return
  asking.add(studio)
  try {
    const { version, marks } = survey.value
    const budgetMs = show.playing.value ? PLAYING_MS : RESTING_MS
    const answer = await show.client.ask(show.sim, { ask: 'survey', budgetMs, version, from: marks.length })
    const isSame = answer.version === version && answer.from === marks.length
    const known = isSame ? marks : []
    if (isSame && answer.marks.length === 0 && answer.indexed === survey.value.indexed) return
    for (const each of answer.marks) known.push(each)
    const { indexed, length, kinds } = answer
    survey.value = { version: answer.version, indexed, length, kinds, marks: known }
  } catch {
    // The match is just being replaced; the next call asks again.
  } finally {
    asking.delete(studio)
  }
}

/** How much of the match has been looked through, 0 to 1. */
export function surveyedPart({ survey, show, page }: Studio): number {
  const first = page?.first ?? 0
  const { indexed } = survey.value
  return Math.max(0, Math.min(1, (indexed - first) / Math.max(1, show.shown.value.length - first)))
}
