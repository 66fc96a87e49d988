/** Which boxes overlap? Reads the box list, writes the contact list, and nothing else. */

import type { Boxes } from './boxes.ts'

/** Pairs of boxes, lower first, in canonical order. */
export type Contacts = {
  count: number
  a: Uint32Array
  b: Uint32Array
}

export function createContacts(capacity: number): Contacts {
  return { count: 0, a: new Uint32Array(capacity), b: new Uint32Array(capacity) }
}

/** Every pair of boxes whose layers meet and that overlap or touch. */
export function detectPairs(boxes: Boxes, meets: Uint32Array, contacts: Contacts): void {
  const { x, y, radius, layer, count } = boxes
  contacts.count = 0
  for (let a = 0; a < count; a++) {
    const met = meets[layer[a]]
    if (met === 0) continue
    for (let b = a + 1; b < count; b++) {
      if (((met >>> layer[b]) & 1) === 0) continue
      const dx = x[b] - x[a]
      const dy = y[b] - y[a]
      const reach = radius[a] + radius[b]
      if (dx * dx + dy * dy > reach * reach) continue
      if (contacts.count === contacts.a.length) growContacts(contacts)
      contacts.a[contacts.count] = a
      contacts.b[contacts.count++] = b
    }
  }
}

function growContacts(contacts: Contacts): void {
  const larger = createContacts(2 * contacts.a.length)
  larger.a.set(contacts.a)
  larger.b.set(contacts.b)
  contacts.a = larger.a
  contacts.b = larger.b
}
