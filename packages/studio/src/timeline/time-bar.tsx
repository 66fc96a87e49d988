/** Where in the match one is. */

import type { Show } from '../show/show.ts'
import { formatTime } from './data.ts'

export function Clock({ show: { shown, module } }: { show: Show }) {
  const { tick, length, hash } = shown.value
  return (
    <div class="clock" data-testid="clock" data-tick={tick} data-length={length} data-hash={hash}>
      <b>{formatTime(tick / module.game.declaration.tickRate)}</b>
      <span>
        tick {tick} / {length}
      </span>
      <span class="hash" title="Hash of the whole state">
        {hash || '················'}
      </span>
    </div>
  )
}
