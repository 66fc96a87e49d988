/** A code as people type it: small letters, spaces and dashes do no harm. */
export function readCode(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '')
}
