/** A checksum over the bits of numbers, in order (FNV-1a on 32-bit words). */
export function checksum(...arrays: readonly (Float64Array | Int32Array)[]): string {
  let hash = 0x811c9dc5
  for (const array of arrays) {
    for (const word of new Uint32Array(array.buffer, array.byteOffset, array.byteLength / 4)) {
      hash = Math.imul(hash ^ word, 0x01000193)
    }
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}
