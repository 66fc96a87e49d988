/** Shows errors of the page and of the rules in the page, not only in the console. Loaded before everything else. */

const show = (error: unknown) => {
  document.querySelector('#status')!.textContent = error instanceof Error ? error.message : String(error)
}
addEventListener('error', ({ error, message }) => show(error ?? message))
addEventListener('unhandledrejection', ({ reason }) => show(reason))
