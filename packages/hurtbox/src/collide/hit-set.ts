/**
 * Who has hit whom in this phase: (rule, attack, victim) triples in an open-addressed table.
 *
 * Boxes of one attack on one victim need not come one after another: other rules of a group, the other side of a mutual
 * rule or an order key may stand between them. So it takes a set to make them one hit. Its buffers are kept.
 */

export type HitSet = {
  count: number
  /** Three words a hit. */
  entries: Int32Array
  /** Entry number + 1, 0 is free. A power of two above twice the entries. */
  slots: Int32Array
}

export function createHitSet(): HitSet {
  return { count: 0, entries: new Int32Array(3 * 64), slots: new Int32Array(256) }
}

export function clearHitSet(set: HitSet): void {
  if (set.count === 0) return
  set.count = 0
  set.slots.fill(0)
}

export function hasHit(set: HitSet, rule: number, attack: number, victim: number): boolean {
  const { entries, slots } = set
  const mask = slots.length - 1
  for (let slot = slotOf(rule, attack, victim) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
    const at = 3 * (slots[slot] - 1)
    if (entries[at] === rule && entries[at + 1] === (attack | 0) && entries[at + 2] === (victim | 0)) return true
  }
  return false
}

export function addHit(set: HitSet, rule: number, attack: number, victim: number): void {
  if (2 * (set.count + 1) > set.slots.length) growSlots(set)
  if (3 * (set.count + 1) > set.entries.length) {
    const larger = new Int32Array(2 * set.entries.length)
    larger.set(set.entries)
    set.entries = larger
  }
  const { entries, count } = set
  entries[3 * count] = rule
  entries[3 * count + 1] = attack
  entries[3 * count + 2] = victim
  set.count = count + 1
  enter(set, count)
}

function enter(set: HitSet, entry: number): void {
  const { entries, slots } = set
  const mask = slots.length - 1
  let slot = slotOf(entries[3 * entry], entries[3 * entry + 1], entries[3 * entry + 2]) & mask
  while (slots[slot] !== 0) slot = (slot + 1) & mask
  slots[slot] = entry + 1
}

function growSlots(set: HitSet): void {
  set.slots = new Int32Array(2 * set.slots.length)
  for (let entry = 0; entry < set.count; entry++) enter(set, entry)
}

function slotOf(rule: number, attack: number, victim: number): number {
  const mixed = Math.imul(attack ^ Math.imul(victim ^ Math.imul(rule, 0xc2b2ae35), 0x9e3779b1), 0x85ebca6b)
  return mixed ^ (mixed >>> 15)
}
