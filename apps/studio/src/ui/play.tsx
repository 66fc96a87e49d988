/** The page of a game: the stage in the middle, time below, panels beside. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { openStudio } from '../model/open.ts'
import { closeStudio, type Studio } from '../model/studio.ts'
import { scrub } from '../model/time.ts'
import type { Moment } from '../show/moment.ts'
import { acceptFiles } from './files.ts'
import { Header } from './header.tsx'
import { Help } from './help.tsx'
import { Icon } from './icons.tsx'
import { Panels } from './panels.tsx'
import { OverlaySwitches } from './switches.tsx'
import { Theatre } from './theatre.tsx'
import { Transport } from './transport.tsx'

export function PlayPage({ moment }: { moment: Moment }) {
  const studio = useSignal<Studio | undefined>(undefined)
  const failure = useSignal('')

  useEffect(() => {
    let isGone = false
    openStudio(moment).then(
      (opened) => {
        if (isGone) closeStudio(opened)
        else studio.value = opened
      },
      (error) => {
        failure.value = error instanceof Error ? error.message : String(error)
      },
    )
    return () => {
      isGone = true
      if (studio.value !== undefined) closeStudio(studio.value)
    }
  }, [])

  if (failure.value !== '') {
    return (
      <div class="message" role="alert">
        <p>{failure.value}</p>
        <a class="button" href="#games">
          All games
        </a>
      </div>
    )
  }
  if (studio.value === undefined) return <div class="message">Loading…</div>
  return <StudioPage studio={studio.value} />
}

function StudioPage({ studio }: { studio: Studio }) {
  useEffect(() => {
    document.title = `${studio.view.title} · Hurtbox studio`
    return acceptFiles(studio)
  }, [studio])
  return (
    <div class={`play ${studio.isUiHidden.value ? 'is-bare' : ''}`}>
      <Header studio={studio} />
      <Theatre studio={studio} />
      <OverlaySwitches studio={studio} />
      <Transport studio={studio} />
      <Panels studio={studio} />
      <DivergenceBanner studio={studio} />
      {studio.isHelpOpen.value && <Help studio={studio} />}
      {studio.toast.value !== '' && (
        <div class="toast" role="status">
          {studio.toast.value}
        </div>
      )}
    </div>
  )
}

/** Red and across everything: two machines that should agree do not. */
function DivergenceBanner({ studio }: { studio: Studio }) {
  const divergence = studio.divergence.value
  if (divergence === undefined) return null
  return (
    <div class="diverged" role="alert" data-testid="diverged">
      <strong>{divergence.title}</strong>
      <span>{divergence.text}</span>
      {divergence.tick >= 0 && (
        <button type="button" onClick={() => scrub(studio, divergence.tick)}>
          Go to tick {divergence.tick}
        </button>
      )}
      <button type="button" aria-label="Dismiss" onClick={() => void (studio.divergence.value = undefined)}>
        <Icon name="close" />
      </button>
    </div>
  )
}
