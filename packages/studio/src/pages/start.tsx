/** The title of a game: what it is called, what to do, which keys; then three, two, one. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { beginMatch, COUNT_MS, chooseStrength, letGo } from '../model/play.ts'
import { STRENGTHS } from '../model/strength.ts'
import type { Studio } from '../model/studio.ts'
import { TitleSheet } from './title-sheet.tsx'

export function StartScreen({ studio }: { studio: Studio }) {
  if (studio.phase.value === 'start') return <Title studio={studio} />
  return studio.phase.value === 'countdown' ? <Countdown studio={studio} /> : null
}

function Title({ studio }: { studio: Studio }) {
  const { module, view, strength, remap } = studio
  return (
    <TitleSheet
      module={module}
      view={view}
      remap={remap}
      begin={() => beginMatch(studio)}
      more={() => void (studio.isHelpOpen.value = true)}
    >
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
    </TitleSheet>
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
