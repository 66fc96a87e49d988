/** What a page has to open before it can show anything: a match, a room, a game's code. It is closed with the page. */

import { useSignal } from '@preact/signals'
import type { ComponentChild } from 'preact'
import { useEffect } from 'preact/hooks'
import { messageOf } from '../words.ts'

export function Opening<T>({
  open,
  close,
  waiting,
  describe = messageOf,
  retries = false,
  children,
}: {
  open: () => Promise<T>
  /** Also called for what opens only after the page has gone. */
  close?: (opened: T) => void
  waiting: string
  /** What went wrong, for people. */
  describe?: (error: unknown) => string
  /** Whether it may be tried again: here, or by loading the page anew. */
  retries?: boolean | 'page'
  /** `replace` puts something else in its place and closes it. */
  children: (opened: T, replace: (next: T) => void) => ComponentChild
}) {
  const opened = useSignal<{ readonly value: T } | undefined>(undefined)
  const failure = useSignal('')
  const tries = useSignal(0)
  useEffect(() => {
    let isGone = false
    open().then(
      (value) => {
        if (isGone) close?.(value)
        else opened.value = { value }
      },
      (error) => {
        failure.value = describe(error)
      },
    )
    return () => {
      isGone = true
      if (opened.value !== undefined) close?.(opened.value.value)
    }
  }, [tries.value])

  if (failure.value !== '') {
    return (
      <div class="message" role="alert">
        <p>{failure.value}</p>
        <div class="actions">
          {retries && (
            <button
              type="button"
              onClick={() => {
                if (retries === 'page') location.reload()
                failure.value = ''
                tries.value++
              }}
            >
              Try again
            </button>
          )}
          <a class="button" href="#games">
            All games
          </a>
        </div>
      </div>
    )
  }
  if (opened.value === undefined) return <div class="message">{waiting}</div>
  const { value } = opened.value
  return children(value, (next) => {
    opened.value = { value: next }
    close?.(value)
  })
}
