/**
 * Questions and answers as JSON, as Chromium (DevTools protocol) and Firefox (WebDriver BiDi) both speak them.
 *
 * A client of our own and not Playwright or Puppeteer: Playwright makes every tab believe that it has the focus, so none is ever hidden,
 * and does not drive a Firefox that it has not patched; Puppeteer would be one more package for the few commands that a scenario needs.
 */

export type Wire = {
  /** Asks and waits for the answer. */
  ask<T = unknown>(method: string, params?: object, session?: string): Promise<T>
  /** To be called with each message that comes. */
  take(text: string): void
  /** Fails all that is still waited for. */
  fail(reason: string): void
}

type Message = {
  readonly id?: number
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly result?: unknown
  readonly error?: unknown
  readonly message?: string
}

const ANSWER_MS = 60_000

export function createWire(
  send: (text: string) => void,
  onEvent: (method: string, params: Record<string, unknown>) => void,
): Wire {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let asked = 0
  let broken = ''
  return {
    ask(method, params = {}, session) {
      return new Promise((resolve, reject) => {
        if (broken !== '') throw new Error(broken)
        const id = ++asked
        const late = setTimeout(() => reject(new Error(`the browser does not answer ${method}`)), ANSWER_MS)
        const done = <A extends unknown[]>(then: (...args: A) => void) => {
          return (...args: A) => {
            clearTimeout(late)
            waiting.delete(id)
            then(...args)
          }
        }
        waiting.set(id, { resolve: done(resolve as (value: unknown) => void), reject: done(reject) })
        send(JSON.stringify({ id, method, params, ...(session !== undefined && { sessionId: session }) }))
      })
    },
    take(text) {
      const { id, method, params, result, error, message } = JSON.parse(text) as Message
      if (id === undefined || id === null) {
        if (method !== undefined) onEvent(method, params ?? {})
      } else if (error !== undefined) {
        waiting.get(id)?.reject(new Error(`${JSON.stringify(error)} ${message ?? ''}`))
      } else waiting.get(id)?.resolve(result)
    },
    fail(reason) {
      broken = reason
      for (const { reject } of [...waiting.values()]) reject(new Error(reason))
    },
  }
}
