/** The page of a game: the stage in the middle, time below, panels beside. */

import { useEffect } from 'preact/hooks'
import { followEdits } from '../model/edits.ts'
import { openStudio } from '../model/open.ts'
import { followEdit } from '../model/reload.ts'
import { closeStudio, type Studio } from '../model/studio.ts'
import { scrub } from '../model/time.ts'
import { Panels } from '../panels/panels.tsx'
import type { Moment } from '../show/moment.ts'
import { acceptFiles } from '../ui/files.ts'
import { Icon } from '../ui/icons.tsx'
import { Opening } from '../ui/opening.tsx'
import { OverlaySwitches } from '../ui/switches.tsx'
import { Header } from './header.tsx'
import { Help } from './help.tsx'
import { MatchView } from './match-view.tsx'
import { Transport } from './transport.tsx'
import '../ui/style/match.ts'

export function PlayPage({ moment }: { moment: Moment }) {
  return (
    <Opening open={() => openStudio(moment)} close={closeStudio} waiting="Loading…" retries="page">
      {(studio, replace) => <StudioPage key={studio.show.client} studio={studio} replace={replace} />}
    </Opening>
  )
}

function StudioPage({ studio, replace }: { studio: Studio; replace: (next: Studio) => void }) {
  useEffect(() => {
    document.title = `${studio.module.title} · Hurtbox studio`
    return acceptFiles(studio)
  }, [studio])
  useEffect(() => followEdits((stamp) => void followEdit(studio, stamp, replace)), [studio])
  return (
    <div class={`play ${studio.isUiHidden.value ? 'is-bare' : ''}`}>
      <Header studio={studio} />
      <MatchView studio={studio} />
      {!studio.isUiHidden.value && <OverlaySwitches studio={studio} />}
      <Transport studio={studio} />
      {!studio.isUiHidden.value && <Panels studio={studio} />}
      <DivergenceBanner studio={studio} />
      <MistakeBanner studio={studio} />
      {studio.isHelpOpen.value && <Help studio={studio} />}
      {studio.toast.value !== '' && (
        <div class="toast" role="status">
          {studio.toast.value}
        </div>
      )}
    </div>
  )
}

/** The rules were edited and do not work: what is wrong, while the last good match goes on. */
function MistakeBanner({ studio }: { studio: Studio }) {
  if (studio.mistake.value === '') return null
  return (
    <div class="mistake" role="alert" data-testid="mistake">
      <strong>The rules as they are now do not work. This is the last match that did.</strong>
      <pre>{studio.mistake.value}</pre>
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
