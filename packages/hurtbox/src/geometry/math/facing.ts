/**
 * Reading a facing: a unit vector in two columns, `facingX` and `facingY`.
 *
 * Columns begin with 0, so (0, 0) is the facing of a thing that was never turned. It faces along +x. Without this rule such a thing would
 * have shapes without extent, projectiles that do not fly and dashes that go nowhere, and nothing would say so. State keeps what was
 * written to it: whatever reads a facing asks here.
 */

/** The x of a facing; its y is right as it stands. */
export function facingXOf(facingX: number, facingY: number): number {
  return facingX === 0 && facingY === 0 ? 1 : facingX
}

/** The same for a row of two columns of scratch. Numbers stay in columns: handed to a function, V8 would put each on the heap. */
export function settleFacing(facingX: Float64Array, facingY: Float64Array, row: number): void {
  if (facingX[row] === 0 && facingY[row] === 0) facingX[row] = 1
}
