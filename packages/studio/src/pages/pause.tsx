/** A match that rests, or is on its way to a moment: how far it is, how to go on, start again, or leave. Only where no panels say so. */

import { useEffect, useRef } from 'preact/hooks'
import { isAtEnd, playAgain, toggleInspect } from '../model/play.ts'
import { randomSeed } from '../model/setup.ts'
import type { Studio } from '../model/studio.ts'
import { playPause } from '../model/time.ts'

export function PauseScreen({ studio }: { studio: Studio }) {
  const { show, phase, isUiHidden, isHelpOpen } = studio
  const isPaused = !show.playing.value && show.isReady.value && phase.value === 'on' && !isAtEnd(show)
  if (!isPaused || !isUiHidden.value || isHelpOpen.value) return null
  return <Sheet studio={studio} />
}

/** A link into the middle of a match takes a moment: all before it is played. */
export function OnTheWay({ studio: { show, isUiHidden } }: { studio: Studio }) {
  const progress = show.progress.value
  if (progress === undefined || !isUiHidden.value) return null
  return (
    <div class="notice" role="status" data-testid="on-the-way">
      <b>Playing to this moment…</b>
      <span>{Math.round((progress.done / progress.of) * 100)} %</span>
    </div>
  )
}

function Sheet({ studio }: { studio: Studio }) {
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => first.current?.focus({ preventScroll: true }), [])
  return (
    <section class="sheet" aria-label="Paused" data-testid="paused">
      <div class="sheet-card">
        <h2>Paused</h2>
        <div class="sheet-actions">
          <button ref={first} type="button" class="primary" onClick={() => playPause(studio)}>
            Go on
          </button>
          <button type="button" onClick={() => playAgain(studio, studio.show.setup.seed)}>
            Start again
          </button>
          <button type="button" onClick={() => playAgain(studio, randomSeed())}>
            New seed
          </button>
          <button type="button" onClick={() => void (studio.isHelpOpen.value = true)}>
            How to play
          </button>
          <button type="button" onClick={() => toggleInspect(studio)}>
            Inspect
          </button>
          <a class="button" href="#games">
            All games
          </a>
        </div>
      </div>
    </section>
  )
}
