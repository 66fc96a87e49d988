/** An error in words, with the line of the source. What reads source maps is loaded when something was thrown. */

export async function told(error: unknown): Promise<string> {
  const { tellError } = await import('./tell.ts')
  return tellError(error)
}
