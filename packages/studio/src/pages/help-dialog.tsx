/** How a game is played, in a dialog of its own: offline beside the keys of the studio, online alone. */

import type { View } from '@hurtbox/view'
import { padCode, type Remap, readPads } from '@hurtbox/view/hand'
import { useSignal } from '@preact/signals'
import type { LoadedModule } from 'hurtbox/module'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '../ui/icons.tsx'
import { GameKeys, likelyDevice } from './game-keys.tsx'

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

/** Calls `take` with the next key, or button of the pad, that is pressed; with '' for Escape. Returns a function that stops it. */
function nextKey(isPad: boolean, take: (key: string) => void): () => void {
  const stop = new AbortController()
  addEventListener(
    'keydown',
    (event) => {
      event.preventDefault()
      event.stopImmediatePropagation()
      if (event.key === 'Escape' || !isPad) take(event.key === 'Escape' ? '' : event.code)
    },
    { signal: stop.signal, capture: true },
  )
  const pads = { axes: [], buttons: new Set<number>(), presses: new Map<number, number>() }
  const timer = setInterval(() => {
    if (!isPad) return
    readPads(pads)
    const [button] = pads.presses.keys()
    if (button !== undefined) take(padCode(button))
  }, 50)
  return () => {
    stop.abort()
    clearInterval(timer)
  }
}
