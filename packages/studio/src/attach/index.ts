/**
 * The studio inside a page of one's own: one line, which loads nothing until the studio is opened.
 *
 * @module @hurtbox/studio
 */

import type { Attachable, AttachOptions, Moment } from '../model/attach-types.ts'

export type { Attachable, AttachOptions, Moment, ShownMatch } from '../model/attach-types.ts'

export type AttachedStudio = {
  /** Whether the page shows another moment than the present: a page that steps a session itself waits then. */
  readonly holds: boolean
  /** Opens the panel, or closes it. */
  toggle(): Promise<void>
  /** Closes the panel and forgets the match. */
  detach(): void
}

/** What the stub and the panel have in common. */
export type Held = { moment: Moment | undefined }

/**
 * Lets the studio look into a match of this page: a session, what `joinGame` or `playOffline` returned, or a function that
 * returns the one that is played now. F2 opens it, as does `?studio` in the address.
 *
 * @example
 * ```ts
 * attachStudio(() => match, { canvas, module })
 * ```
 */
export function attachStudio(
  match: Attachable | (() => Attachable | undefined),
  options: AttachOptions,
): AttachedStudio {
  const current = typeof match === 'function' ? match : () => match
  const held: Held = { moment: undefined }
  let close: (() => void) | undefined
  let isWanted = false
  const toggle = async () => {
    isWanted = !isWanted
    close?.()
    close = undefined
    if (!isWanted) return
    const { openPanel } = await import('./panel.tsx')
    if (isWanted && close === undefined) close = openPanel(current, options, held, () => void toggle())
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.code !== (options.key ?? 'F2')) return
    event.preventDefault()
    void toggle()
  }
  addEventListener('keydown', onKey)
  if (new URLSearchParams(location.search).has('studio')) void toggle()
  return {
    get holds() {
      return held.moment !== undefined
    },
    toggle,
    detach() {
      removeEventListener('keydown', onKey)
      isWanted = false
      close?.()
      close = undefined
    },
  }
}
