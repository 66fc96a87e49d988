/** What a page has to open before it can show anything: a match, a room, a game's code. It is closed with the page. */

import { useSignal } from '@preact/signals'
import type { ComponentChild } from 'preact'
import { useEffect } from 'preact/hooks'
import { messageOf } from '../words.ts'

export function Opening<T>({
  open,
  close,
  waiting,
  children,
}: {
  open: () => Promise<T>
  /** Also called for what opens only after the page has gone. */
  close?: (opened: T) => void
  waiting: string
  /** `replace` puts something else in its place and closes it. */
  children: (opened: T, replace: (next: T) => void) => ComponentChild
}) {
  const opened = useSignal<{ readonly value: T } | undefined>(undefined)
  const failure = useSignal('')
  useEffect(() => {
    let isGone = false
    open().then(
      (value) => {
        if (isGone) close?.(value)
        else opened.value = { value }
      },
      (error) => {
        failure.value = messageOf(error)
      },
    )
    return () => {
      isGone = true
      if (opened.value !== undefined) close?.(opened.value.value)
    }
  }, [])

  if (failure.value !== '') {
    return (
      <div class="message" role="alert">
        <p>{failure.value}</p>
        <a class="button" href="#games">
          All games
        </a>
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
