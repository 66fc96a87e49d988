/** What is wrong, for people: an error's own words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** What a player is called where there are no names. */
export function seatName(seat: number): string {
  return `seat ${seat}`
}
