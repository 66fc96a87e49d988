/**
 * What the browser says of the page: whether anybody looks at it, and whether the network has changed.
 *
 * A hidden page gets no frames and a frozen one runs nothing at all, so the room is told before that. Programs without a page have no such
 * events.
 */

export type PageEvents = {
  /** Nobody looks at the page, or somebody does again. */
  onAway(isAway: boolean): void
  /** The network is another one, or is there again. */
  onNetwork(): void
}

/** What of a browser is used, written down for programs without its types. */
type Target = {
  addEventListener(type: string, listener: () => void): void
  removeEventListener(type: string, listener: () => void): void
}
type Browser = Partial<Target> & {
  readonly document?: Target & { readonly visibilityState: string }
  readonly navigator?: { readonly connection?: Partial<Target>; readonly onLine?: boolean }
}

const browser = globalThis as Browser

/** Whether the browser knows that it has no network. */
export function isOffline(): boolean {
  return browser.navigator?.onLine === false
}

/** Calls the handlers until the function that is returned is called. */
export function watchPage({ onAway, onNetwork }: PageEvents): () => void {
  const { document, navigator } = browser
  if (document?.addEventListener === undefined || browser.addEventListener === undefined) return () => {}
  const look = () => onAway(document.visibilityState === 'hidden')
  const leave = () => onAway(true)
  const listened: [Partial<Target> | undefined, string, () => void][] = [
    [document, 'visibilitychange', look],
    [document, 'freeze', leave],
    [document, 'resume', look],
    [browser, 'pagehide', leave],
    [browser, 'pageshow', look],
    [browser, 'online', onNetwork],
    [browser, 'offline', onNetwork],
    [navigator?.connection, 'change', onNetwork],
  ]
  for (const [target, type, listener] of listened) target?.addEventListener?.(type, listener)
  look()
  return () => {
    for (const [target, type, listener] of listened) target?.removeEventListener?.(type, listener)
  }
}
