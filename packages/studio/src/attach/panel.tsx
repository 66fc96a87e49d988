/** The panel over a page of one's own: the studio's panels in a shadow root, so that neither page's styles reach the other. */

import { signal } from '@preact/signals'
import { render } from 'preact'
import type { Attachable, AttachOptions } from '../model/attach-types.ts'
import type { Studio } from '../model/studio.ts'
import { goToHit, playPause, step } from '../model/time.ts'
import { Panels } from '../panels/panels.tsx'
import { Clock } from '../timeline/time-bar.tsx'
import { Timeline } from '../timeline/timeline.tsx'
import { IconButton } from '../ui/icons.tsx'
import { onEachFrame } from '../ui/loop.ts'
import baseCss from '../ui/style/base.css?inline'
import panelsCss from '../ui/style/panels.css?inline'
import playCss from '../ui/style/play.css?inline'
import { OverlaySwitches } from '../ui/switches.tsx'
import { PlayButton } from '../ui/time-controls.tsx'
import attachedCss from './attached.css?inline'
import { type Attached, attach } from './attached.ts'
import type { Held } from './index.ts'
import { readMatch } from './page-match.ts'

/** Opens the panel; it follows whichever match `current` returns. Returns a function that closes it. */
export function openPanel(
  current: () => Attachable | undefined,
  options: AttachOptions,
  held: Held,
  onClose: () => void,
): () => void {
  const element = document.createElement('div')
  element.dataset.testid = 'attached-studio'
  element.style.all = 'initial'
  const root = element.attachShadow({ mode: 'open' })
  // A sheet and no element: pages whose policy allows no inline styles allow this.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync([baseCss, panelsCss, playCss, attachedCss].join('\n').replaceAll(':root', ':host'))
  root.adoptedStyleSheets = [sheet]
  const place = document.createElement('div')
  place.className = 'attached'
  root.append(place)
  // Keys that are typed into the panel are not the game's.
  for (const kind of ['keydown', 'keyup', 'keypress'] as const) {
    element.addEventListener(kind, (event) => event.code !== (options.key ?? 'F2') && event.stopPropagation())
  }
  document.body.append(element)

  const attached = signal<Attached | undefined>(undefined)
  const Shell = () => {
    const { studio, live } = attached.value ?? {}
    return (
      <>
        <header>
          <b>{studio?.module.title ?? 'Studio'}</b>
          <span class="muted">{live === undefined ? 'There is no match yet.' : KINDS[live.kind]}</span>
          <IconButton icon="close" label="Close the studio" title="Close (F2)" onClick={onClose} />
        </header>
        {studio !== undefined && <Body key={studio} studio={studio} />}
      </>
    )
  }
  render(<Shell />, place)

  const endLoop = onEachFrame((nowMs) => {
    const match = current()
    let shown = attached.value
    if (shown !== undefined && (shown.live.match !== match || !shown.frame(nowMs))) {
      shown.close()
      shown = undefined
    }
    if (shown === undefined && match !== undefined) {
      const live = readMatch(match)
      shown = live && attach(live, options, held)
    }
    attached.value = shown
  })
  return () => {
    endLoop()
    attached.value?.close()
    attached.value = undefined
    render(null, place)
    element.remove()
  }
}

const KINDS = {
  'plays here': 'played in this page',
  predicts: 'online, predicted here',
  'is shown': 'online, shown as it is sent',
}

function Body({ studio }: { studio: Studio }) {
  const { show, page } = studio
  const isFixed = page?.kind === 'is shown'
  return (
    <>
      {page?.unknown && (
        <p class="unknown" data-testid="unknown">
          {page.unknown}
        </p>
      )}
      <footer class="transport">
        <div class="buttons">
          {!isFixed && (
            <>
              <IconButton
                icon="previousHit"
                label="Previous hit"
                title="Previous hit"
                onClick={() => void goToHit(studio, -1)}
              />
              <IconButton icon="back" label="One tick back" title="One tick back" onClick={() => step(studio, -1)} />
            </>
          )}
          <PlayButton playing={show.playing.value} testId="attached-play" onClick={() => playPause(studio)} />
          {!isFixed && (
            <>
              <IconButton
                icon="forward"
                label="One tick forward"
                title="One tick forward"
                onClick={() => step(studio, 1)}
              />
              <IconButton icon="nextHit" label="Next hit" title="Next hit" onClick={() => void goToHit(studio, 1)} />
            </>
          )}
        </div>
        {!isFixed && <Timeline studio={studio} />}
        <Clock show={show} />
      </footer>
      <OverlaySwitches studio={studio} />
      <Panels studio={studio} />
      {studio.toast.value !== '' && (
        <div class="toast" role="status">
          {studio.toast.value}
        </div>
      )}
    </>
  )
}
