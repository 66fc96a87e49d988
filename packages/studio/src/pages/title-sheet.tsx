import type { View } from '@hurtbox/view'
import type { Remap } from '@hurtbox/view/hand'
import { likelyDevice } from '@hurtbox/view/keys'
import type { LoadedModule } from 'hurtbox/module'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { GameKeys } from './parts.tsx'

/** What a game is called, what to do, and with which keys. `children` stand above its buttons. */
export function TitleSheet({
  module,
  view,
  remap,
  begin,
  more,
  children,
}: {
  module: LoadedModule
  view: View
  remap: Remap
  begin: () => void
  /** Opens the help. */
  more: () => void
  children?: ComponentChildren
}) {
  const play = useRef<HTMLButtonElement>(null)
  useEffect(() => play.current?.focus({ preventScroll: true }), [])
  return (
    <section class="sheet" aria-label={module.title} data-testid="start">
      <div class="sheet-card">
        <h2>{module.title}</h2>
        {module.goal !== '' && <p class="goal">{module.goal}</p>}
        <GameKeys view={view} remap={remap} device={likelyDevice()} />
        {children}
        <div class="sheet-actions">
          <button ref={play} type="button" class="primary" data-testid="begin" onClick={begin}>
            Play
          </button>
          <button type="button" onClick={more}>
            How to play
          </button>
        </div>
      </div>
    </section>
  )
}
