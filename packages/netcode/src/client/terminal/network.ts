/** How a terminal is connected, in figures and in words. */

import { inTicks, type NetworkReading, networkReading } from '../reading.ts'
import type { Terminal } from './terminal.ts'

export function readTerminalNetwork(terminal: Terminal): NetworkReading {
  const agoTicks = Math.round(terminal.stats.delayTicks)
  return networkReading(terminal, -agoTicks, 0, [
    `You see the match as it was ${inTicks(agoTicks, terminal.clock)} ago.`,
  ])
}
