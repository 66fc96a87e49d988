/**
 * The keyboard, shared by the game and the page.
 *
 * While a person plays, the keys of the game's map belong to the game and all others to the page; while the match is
 * paused or only watched, all keys are the page's. While a text field has the focus, neither gets a key.
 */

export type Keyboard = {
  /** Codes of the game that are down. */
  readonly down: ReadonlySet<string>
  /** How often each code went down since it was last asked. */
  takePresses(code: string): number
  close(): void
}

export function createKeyboard(options: {
  readonly isGameKey: (code: string) => boolean
  readonly onOtherKey?: (event: KeyboardEvent) => boolean
  /** What a key acts as. */
  readonly acts?: (code: string) => string
}): Keyboard {
  const { acts = (code) => code } = options
  const down = new Set<string>()
  const presses = new Map<string, number>()
  const stop = new AbortController()
  const { signal } = stop

  addEventListener(
    'keydown',
    (event) => {
      if (isTyping(event.target) || event.isComposing) return
      const withModifier = event.ctrlKey || event.metaKey || event.altKey
      const code = acts(event.code)
      if (!withModifier && options.isGameKey(code)) {
        event.preventDefault()
        if (!event.repeat) presses.set(code, (presses.get(code) ?? 0) + 1)
        down.add(code)
        return
      }
      if (!withModifier && options.onOtherKey?.(event) === true) event.preventDefault()
    },
    { signal },
  )
  addEventListener('keyup', (event) => down.delete(acts(event.code)), { signal })
  // A key released in another window never comes up here.
  addEventListener('blur', () => down.clear(), { signal })

  return {
    down,
    takePresses(code) {
      const count = presses.get(code) ?? 0
      presses.delete(code)
      return count
    },
    close: () => stop.abort(),
  }
}

/** Whether the focused element takes keys as text. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range'].includes(target.type)
}

/** A key as people call it: `W`, `Space`, `←`. */
export function nameKey(code: string): string {
  const names: Readonly<Record<string, string>> = {
    ArrowLeft: '←',
    ArrowRight: '→',
    ArrowUp: '↑',
    ArrowDown: '↓',
    ShiftLeft: 'Shift',
    ShiftRight: 'Shift',
    ControlLeft: 'Ctrl',
    ControlRight: 'Ctrl',
    Semicolon: ';',
    Comma: ',',
    Period: '.',
    Slash: '/',
    Quote: "'",
  }
  return names[code] ?? code.replace(/^(Key|Digit|Numpad)/, '')
}
