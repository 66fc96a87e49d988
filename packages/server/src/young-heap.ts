/**
 * Keeps the part of the heap for new objects small.
 *
 * V8 lets it grow to 32 MB when much is allocated, and keeps it: with ten rooms of terminals that was seven of eight MB per room. What rooms
 * allocate is dead a tick later, so a larger space saves next to no work. Its limit is set when a process starts, and a server is
 * started by people with a `node` of their own; what can be changed while it runs is whether the space may grow.
 */

import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Both halves of the space together. */
const LIMIT_BYTES = 8 * 1024 * 1024

let mayGrow = true

/** Lets it grow up to the limit, and no further; called now and then. */
export function limitYoungHeap(): void {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  const mayDouble = (young?.space_size ?? 0) * 2 <= LIMIT_BYTES
  if (mayDouble === mayGrow) return
  mayGrow = mayDouble
  setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
}
