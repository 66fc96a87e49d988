/**
 * Sorting a list of places by a key, keeping the order of equals, without allocating.
 *
 * The language's own sort makes arrays and the caller an object per item; in a tick neither is welcome. So: merges from
 * the bottom up, by way of a second array that is kept.
 */

export type SortedPlaces = { places: Uint32Array; spare: Uint32Array }

/** Sorts `places[from … to)` by the keys of the places, smaller first; equals stay as they are. */
export function sortPlaces({ places, spare }: SortedPlaces, key: Float64Array, from: number, to: number): void {
  for (let width = 1; width < to - from; width *= 2) {
    for (let start = from; start < to; start += 2 * width) {
      const middle = Math.min(start + width, to)
      const end = Math.min(middle + width, to)
      let left = start
      let right = middle
      for (let at = start; at < end; at++) {
        const takesRight = left === middle || (right < end && key[places[left]] > key[places[right]])
        spare[at] = places[takesRight ? right++ : left++]
      }
    }
    for (let at = from; at < to; at++) places[at] = spare[at]
  }
}
