/** How a game is played, in a dialog of its own: offline beside the keys of the studio, online alone. */

import type { View } from '@hurtbox/view'
import type { Remap } from '@hurtbox/view/hand'
import { likelyDevice, nextKey } from '@hurtbox/view/keys'
import { useSignal } from '@preact/signals'
import type { LoadedModule } from 'hurtbox/module'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '../ui/icons.tsx'
import { GameKeys } from './parts.tsx'

/** Every key may be changed. `children` stand beside. */
export function HelpDialog({
  module,
  view,
  remap,
  close,
  children,
}: {
  module: LoadedModule
  view: View
  remap: Remap
  close: () => void
  children?: ComponentChildren
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const changes = useSignal(0)
  void changes.value
  useEffect(() => remap.onChange(() => void changes.value++), [remap])
  const device = likelyDevice()
  /** The code of the game's map that waits for another key. */
  const changing = useSignal('')
  // Before the page is painted: on a busy machine the key can come sooner than an effect that waits for it.
  useLayoutEffect(() => {
    if (changing.value === '') return
    return nextKey(changing.value.startsWith('pad'), (key) => {
      if (key !== '') remap.change(changing.value, key)
      changing.value = ''
    })
  }, [changing.value])
  return (
    <dialog ref={dialog} class="help" aria-label="Keys" onClose={close}>
      <header>
        <h2>{module.title}</h2>
        <button type="button" class="icon" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {module.goal !== '' && !view.help.includes(module.goal) && <p>{module.goal}</p>}
      {view.help.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <div class="help-columns">
        <section>
          <h3>Play</h3>
          <GameKeys
            view={view}
            remap={remap}
            device={device}
            {...(device !== 'touch' && { onChange: (code: string) => void (changing.value = code) })}
          />
          <p class="muted" role="status" data-testid="changing">
            {changing.value === ''
              ? device === 'touch'
                ? ''
                : 'Click a key to take another one for it.'
              : 'Press the key that you want instead; Escape leaves it.'}
          </p>
          {remap.isChanged && (
            <button type="button" onClick={() => remap.reset()}>
              Keys as they were
            </button>
          )}
          <p class="muted">A gamepad works too; on a touch screen sticks and buttons appear.</p>
        </section>
        {children}
      </div>
    </dialog>
  )
}
