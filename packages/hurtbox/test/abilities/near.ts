import { expect } from 'vitest'

/** Equal but for the last bits. */
export function near(actual: readonly number[], expected: readonly number[]): void {
  for (let i = 0; i < expected.length; i++) expect(actual[i], `${actual}`).toBeCloseTo(expected[i], 12)
}
