/** The title of a game: what it is called, what to do, which keys; then three, two, one. */

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { beginMatch, COUNT_MS, chooseStrength, letGo } from '../model/play.ts'
import { STRENGTHS } from '../model/strength.ts'
import type { Studio } from '../model/studio.ts'
import { GameKeys, likelyDevice } from './game-keys.tsx'

export function StartScreen({ studio }: { studio: Studio }) {
  if (studio.phase.value === 'start') return <Title studio={studio} />
  return studio.phase.value === 'countdown' ? <Countdown studio={studio} /> : null
}

function Title({ studio }: { studio: Studio }) {
  const { module, view, strength } = studio
  const play = useRef<HTMLButtonElement>(null)
  useEffect(() => play.current?.focus({ preventScroll: true }), [])
  return (
    <section class="sheet" aria-label={module.title} data-testid="start">
      <div class="sheet-card">
        <h2>{module.title}</h2>
        {module.goal !== '' && <p class="goal">{module.goal}</p>}
        <GameKeys view={view} remap={studio.remap} device={likelyDevice()} />
        {module.bots.length > 0 && module.seats > 1 && (
          <fieldset class="strengths">
            <legend>Opponents</legend>
            {STRENGTHS.map((each) => (
              <button
                key={each}
                type="button"
                class={`chip ${strength.value === each ? 'is-on' : ''}`}
                aria-pressed={strength.value === each}
                onClick={() => chooseStrength(studio, each)}
              >
                {each}
              </button>
            ))}
          </fieldset>
        )}
        <div class="sheet-actions">
          <button ref={play} type="button" class="primary" data-testid="begin" onClick={() => beginMatch(studio)}>
            Play
          </button>
          <button type="button" onClick={() => void (studio.isHelpOpen.value = true)}>
            How to play
          </button>
        </div>
      </div>
    </section>
  )
}

function Countdown({ studio }: { studio: Studio }) {
  const left = useSignal(3)
  useEffect(() => {
    const timer = setInterval(() => {
      left.value--
      if (left.value === 0) letGo(studio)
    }, COUNT_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <div class="countdown" role="status" data-testid="countdown">
      <b key={left.value}>{left.value}</b>
    </div>
  )
}
