/** What is wrong, for people: an error's own words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** What to call a game whose module is not loaded yet: `slime-pit` is Slime Pit. */
export function titleOf(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => `${dash && ' '}${letter.toUpperCase()}`)
}

/** What a player is called where there are no names. */
export function seatName(seat: number): string {
  return `seat ${seat}`
}
