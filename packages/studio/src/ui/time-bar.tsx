/** Where in the match one is: the bar with the marks of hits, and the clock. */

import { kindsThatAre } from 'hurtbox/module'
import { useEffect, useRef } from 'preact/hooks'
import type { Studio } from '../model/studio.ts'
import { scrub } from '../model/time.ts'
import type { Show } from '../show/show.ts'

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

export function ScrubBar({ studio }: { studio: Studio }) {
  const { tick, length } = studio.show
  const canvas = useRef<HTMLCanvasElement>(null)
  const events = studio.events.value
  useEffect(() => drawMarks(canvas.current, studio), [events, length.value])
  return (
    <div class="scrub">
      <canvas ref={canvas} class="scrub-marks" />
      <input
        type="range"
        min={studio.page?.first ?? 0}
        max={Math.max(1, length.value)}
        value={tick.value}
        aria-label="Tick"
        data-testid="scrub"
        onInput={(event) => scrub(studio, Number(event.currentTarget.value))}
      />
    </div>
  )
}

/** A line per tick with a hit, as far as the feed knows them: where the buttons for hits go. */
function drawMarks(canvas: HTMLCanvasElement | null, studio: Studio): void {
  const context = canvas?.getContext('2d')
  if (canvas === null || !context) return
  canvas.width = canvas.clientWidth
  canvas.height = canvas.clientHeight
  const length = Math.max(1, studio.show.length.value)
  const hitKinds = kindsThatAre(studio.module, 'hit')
  context.fillStyle = '#ff546899'
  for (const { tick, kind } of studio.events.value) {
    if (!hitKinds.includes(kind)) continue
    context.fillRect(Math.round((tick / length) * canvas.width), 0, 1, canvas.height)
  }
}

function formatTime(seconds: number): string {
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}.${Math.floor((seconds - whole) * 10)}`
}
