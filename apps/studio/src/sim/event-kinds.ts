/**
 * What an event means to the studio, guessed from its name: every game names its events freely.
 *
 * Marks, sounds and colours only have to be right most of the time; a game with other words loses those and nothing else.
 */

const HIT = /hit|damage|hurt|contact/i
const DEATH = /kill|fell|destroyed|death|ringOut/i

export function meaningOf(kind: string): 'death' | 'hit' | 'other' {
  if (DEATH.test(kind)) return 'death'
  return HIT.test(kind) ? 'hit' : 'other'
}

/** The kinds that mark a tick with a hit: the game's own word if it has one, the engine's `damage` otherwise. */
export function hitKindsOf(kinds: readonly string[]): string[] {
  for (const word of ['hit', 'damage', 'hurt', 'contact']) {
    const found = kinds.filter((kind) => kind.toLowerCase().includes(word))
    if (found.length > 0) return found
  }
  return []
}
