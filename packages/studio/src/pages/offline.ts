/**
 * The page without a network: a service worker keeps its files after the first visit.
 *
 * It is registered when the page has come to rest, so that the first match does not wait for games that nobody has opened. A
 * page that was built anew replaces the old one at the next visit, or at once where a server refuses the old one.
 */

const RELOADED = 'hurtbox-reloaded'

/** Files below the page; the worker's name is fixed, because a browser asks for it again to see whether it has changed. */
export function keepForOffline(): void {
  if (!isPossible()) return
  const register = () => void navigator.serviceWorker.register('./service-worker.js').catch(() => {})
  const whenIdle = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 2000))
  if (document.readyState === 'complete') whenIdle(register)
  else addEventListener('load', () => whenIdle(register), { once: true })
}

/** Gets the page that the server has now and loads it, once; returns where there is nothing newer. */
export async function updateThenReload(): Promise<void> {
  if (!isPossible() || sessionStorage.getItem(RELOADED) === location.href) return
  const registration = await navigator.serviceWorker.getRegistration()
  if (registration === undefined) return
  sessionStorage.setItem(RELOADED, location.href)
  await registration.update().catch(() => {})
  const next = registration.installing ?? registration.waiting
  if (next !== null && next.state !== 'activated') {
    await new Promise<void>((resolve) => {
      next.addEventListener('statechange', () => next.state === 'activated' && resolve())
      setTimeout(resolve, LONGEST_MS)
    })
  }
  location.reload()
  // Nothing after this counts.
  await new Promise(() => {})
}

const LONGEST_MS = 10_000

function isPossible(): boolean {
  return import.meta.env.PROD && 'serviceWorker' in navigator && isSecureContext
}
