/** What is wrong, for people: an error's own words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
