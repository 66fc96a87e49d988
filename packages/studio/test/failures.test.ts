/** What the page of a match online says when it has ended. */

import { expect, test } from 'vitest'
import { endingWords } from '../src/pages/failures.ts'

test('[AW13] a page whose player cannot come back says why, as the server does', () => {
  const FAILED_TO_RECONNECT = 4003
  const saidFor = (reason: string) => endingWords({ code: FAILED_TO_RECONNECT, reason })
  expect(saidFor('your seat was given away after 60 s')).toBe('Your seat was given away after 60 s.')
  expect(saidFor('the match has ended')).toBe('The match has ended.')
  expect(saidFor('Reload the page.')).toBe('Reload the page.')
})
