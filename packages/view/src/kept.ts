/** Small choices that this browser remembers: a name, the volume, keys. A browser that keeps nothing is fine. */

const PREFIX = 'hurtbox-'

export function readKept(key: string): string {
  try {
    return localStorage.getItem(PREFIX + key) ?? ''
  } catch {
    return ''
  }
}

export function keep(key: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + key, value)
  } catch {
    // Private windows may refuse; the choice then lasts as long as the page.
  }
}

/** Whether somebody has begun this game here, and so has seen its title and its keys. */
export function isKnown({ id }: { readonly id: string }): boolean {
  return readKept(`knows-${id}`) !== ''
}

export function keepKnown({ id }: { readonly id: string }): void {
  keep(`knows-${id}`, '1')
}
