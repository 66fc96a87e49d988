/** The name that others see, kept in this browser. */

import { keep, readKept } from '@hurtbox/view'

const KEY = 'name'

export function readName(): string {
  return readKept(KEY)
}

export function writeName(name: string): void {
  keep(KEY, name)
}
