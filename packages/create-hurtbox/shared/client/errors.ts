/** Shows errors of the page and of the rules in the page, with file and line, not only in the console. Loaded before everything else. */

import { tellError } from 'hurtbox/picture'

// Stacks of Chrome end after ten lines, which may all be the engine's.
Error.stackTraceLimit = 50

const show = async (error: unknown) => {
  const told = await tellError(error)
  document.querySelector('[data-part=status]')!.textContent = told
}
addEventListener('error', ({ error, message }) => void show(error ?? message))
addEventListener('unhandledrejection', ({ reason }) => void show(reason))
