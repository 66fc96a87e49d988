/**
 * Parts of the page that are loaded when they are needed, over networks that fail now and then.
 *
 * A browser remembers that a module did not arrive and never asks for it again. So the file itself is asked for until it can be
 * had, and then the page, which still stands at the same address, is loaded anew. If it cannot be had, the error goes on to
 * those who say so.
 */

const WAITS_MS = [0, 500, 1500] as const
/** A page that was loaded anew so recently is not loaded again: what failed then fails for another reason. */
const RECENT_MS = 20_000
const RELOADED_AT = 'hurtbox-part-reloaded'

export async function part<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    // What browsers throw for a module that did not arrive; errors of the module's own are others. A worker has no page to load.
    if (!(error instanceof TypeError) || globalThis.document === undefined) throw error
    if (isRecent() || !(await canBeHad(fileIn(error.message)))) throw error
    sessionStorage.setItem(RELOADED_AT, String(Date.now()))
    location.reload()
    // Nothing after this counts.
    return new Promise(() => {})
  }
}

/** Chrome and Firefox name the file; otherwise the page itself is as good a sign. */
function fileIn(message: string): string {
  return /https?:\/\/\S+/.exec(message)?.[0] ?? document.baseURI
}

async function canBeHad(url: string): Promise<boolean> {
  for (const wait of WAITS_MS) {
    await new Promise((resolve) => setTimeout(resolve, wait))
    const answer = await fetch(url, { cache: 'reload' }).catch(() => undefined)
    if (answer?.ok) return true
  }
  return false
}

function isRecent(): boolean {
  return Date.now() - Number(sessionStorage.getItem(RELOADED_AT) ?? 0) < RECENT_MS
}
