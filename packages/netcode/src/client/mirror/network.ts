/** How a mirror is connected, in figures and in words. */

import { inTicks, type NetworkReading, networkReading } from '../reading.ts'
import type { Mirror } from './state.ts'

export function readMirrorNetwork(mirror: Mirror): NetworkReading {
  const { world, confirmed, pace, clock, effort } = mirror
  const aheadTicks = world.tick - confirmed.tick
  const { delayTicks } = pace
  return networkReading(mirror, aheadTicks, delayTicks, [
    `You see ${inTicks(aheadTicks, clock)} more than the server has confirmed.`,
    ...(effort.mostAhead < Number.POSITIVE_INFINITY
      ? [`This machine is too slow for more than ${inTicks(effort.mostAhead, clock)}, so fewer are predicted.`]
      : []),
    ...(delayTicks > 0 ? [`Your inputs wait ${inTicks(delayTicks, clock)}, so that less has to be corrected.`] : []),
  ])
}
