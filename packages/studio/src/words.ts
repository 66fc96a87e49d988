/** What is wrong, for people: an error's own words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** An error of the rules: its own words, and the function and file of the project it came from, as far as the browser knows. */
export function describeError(error: unknown, file?: string): string {
  const [, name, place] =
    /at (?:(\S+) \()?https?:\/\/[^/\s]+\/((?!@|node_modules|[^\s]*\/node_modules)[^\s?]+\.[jt]sx?)/.exec(
      (error instanceof Error && error.stack) || '',
    ) ?? []
  const where = place === undefined ? file : name === undefined ? place : `${name} in ${place}`
  return where === undefined ? messageOf(error) : `${where}: ${messageOf(error)}`
}

/** What to call a game whose module is not loaded yet: `slime-pit` is Slime Pit. */
export function titleOf(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => `${dash && ' '}${letter.toUpperCase()}`)
}
