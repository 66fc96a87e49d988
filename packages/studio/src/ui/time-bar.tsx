/** Where in the match one is. */

import type { Show } from '../show/show.ts'
import { formatTime } from '../timeline/data.ts'

export function Clock({ show: { tick, length, hash, module } }: { show: Show }) {
  return (
    <div class="clock" data-testid="clock" data-tick={tick.value} data-length={length.value} data-hash={hash.value}>
      <b>{formatTime(tick.value / module.game.declaration.tickRate)}</b>
      <span>
        tick {tick.value} / {length.value}
      </span>
      <span class="hash" title="Hash of the whole state">
        {hash.value || '················'}
      </span>
    </div>
  )
}
