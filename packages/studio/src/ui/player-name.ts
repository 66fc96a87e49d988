/** The name that others see, kept in this browser. A browser that keeps nothing is fine. */

const KEY = 'hurtbox-name'

export function readName(): string {
  try {
    return localStorage.getItem(KEY) ?? ''
  } catch {
    return ''
  }
}

export function writeName(name: string): void {
  try {
    localStorage.setItem(KEY, name)
  } catch {
    // Private windows may refuse; the name then lasts as long as the page.
  }
}
