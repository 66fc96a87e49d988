/** The end of a match: who has won, by name and colour, the table, and what to do now. */

import { namesFor, type Outcome, outcomeOf } from '@hurtbox/view'
import { useEffect, useRef } from 'preact/hooks'
import { isAtEnd, playAgain, shareMatch, toggleInspect, watchLastHit } from '../model/play.ts'
import { randomSeed } from '../model/setup.ts'
import { type Studio, worldOf } from '../model/studio.ts'
import { OutcomeTable } from './parts.tsx'

export function EndScreen({ studio }: { studio: Studio }) {
  const { show, module, view, seat, isUiHidden } = studio
  if (!isAtEnd(show)) return null
  const outcome = outcomeOf(module, view, worldOf(studio), namesFor(seat.value))
  if (outcome === undefined) return null
  const { seed } = show.setup
  const actions = (
    <>
      <button type="button" class="primary" data-testid="again" onClick={() => playAgain(studio, seed)}>
        Play again
      </button>
      <button type="button" onClick={() => playAgain(studio, randomSeed())}>
        New seed
      </button>
      <button type="button" onClick={() => void watchLastHit(studio)}>
        Watch the last hit
      </button>
      <button type="button" onClick={() => void shareMatch(studio)}>
        Share
      </button>
    </>
  )
  // Beside the panels the end leaves the stage free, for those who look at it.
  if (!isUiHidden.value) {
    return (
      <div class="end-strip" data-testid="end">
        <b style={{ color: outcome.colour || 'inherit' }}>{outcome.headline}</b>
        {actions}
      </div>
    )
  }
  return (
    <EndSheet outcome={outcome}>
      {actions}
      <button type="button" onClick={() => toggleInspect(studio)}>
        Inspect
      </button>
      <a class="button" href="#games">
        All games
      </a>
    </EndSheet>
  )
}

export function EndSheet({ outcome, children }: { outcome: Outcome; children: preact.ComponentChildren }) {
  const sheet = useRef<HTMLElement>(null)
  useEffect(() => sheet.current?.querySelector('button')?.focus({ preventScroll: true }), [])
  return (
    <section ref={sheet} class="sheet" aria-label="The end of the match" data-testid="end">
      <div class="sheet-card">
        <h2 style={{ color: outcome.colour || 'inherit' }}>{outcome.headline}</h2>
        {outcome.summary !== '' && <p class="goal">{outcome.summary}</p>}
        <OutcomeTable outcome={outcome} />
        <div class="sheet-actions">{children}</div>
      </div>
    </section>
  )
}
