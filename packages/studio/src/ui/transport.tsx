/** Time: play, step, scrub, speed. The bar shows where hits were, and dragging it moves through the whole match. */

import { kindsThatAre } from 'hurtbox/module'
import { useEffect, useRef } from 'preact/hooks'
import type { Studio } from '../model/studio.ts'
import { goToHit, playOn, playPause, restart, scrub, step } from '../model/time.ts'
import { isInPast } from '../show/show.ts'
import { IconButton } from './icons.tsx'
import { PlayButton, SpeedSelect } from './time-controls.tsx'

export function Transport({ studio }: { studio: Studio }) {
  const { show } = studio
  const { playing, speed, tick, length, hash, over, failure } = show
  const { tickRate } = studio.module.game.declaration
  return (
    <footer class="transport">
      <div class="buttons">
        <IconButton
          icon="restart"
          label="Restart with the same seed"
          title="Restart, same seed (R)"
          onClick={() => restart(studio, show.setup.seed)}
        />
        <IconButton
          icon="previousHit"
          label="Previous hit"
          title="Previous hit (Shift N)"
          onClick={() => void goToHit(studio, -1)}
        />
        <IconButton icon="back" label="One tick back" title="One tick back (,)" onClick={() => step(studio, -1)} />
        <PlayButton playing={playing.value} testId="play" onClick={() => playPause(studio)} />
        <IconButton
          icon="forward"
          label="One tick forward"
          title="One tick forward (.)"
          onClick={() => step(studio, 1)}
        />
        <IconButton icon="nextHit" label="Next hit" title="Next hit (N)" onClick={() => void goToHit(studio, 1)} />
      </div>
      <ScrubBar studio={studio} />
      <div class="clock" data-testid="clock" data-tick={tick.value} data-length={length.value} data-hash={hash.value}>
        <b>{formatTime(tick.value / tickRate)}</b>
        <span>
          tick {tick.value} / {length.value}
        </span>
        <span class="hash" title="Hash of the whole state">
          {hash.value || '················'}
        </span>
      </div>
      <SpeedSelect speed={speed} />
      {isInPast(show) && (
        <button
          type="button"
          class="button"
          title="Forget what came after this tick and go on from here"
          onClick={() => void playOn(studio)}
        >
          Go on from here
        </button>
      )}
      {over.value !== '' && !isInPast(show) && <span class="over">{over.value}</span>}
      {failure.value !== '' && (
        <span class="failure" role="alert">
          {failure.value}
        </span>
      )}
    </footer>
  )
}

function ScrubBar({ studio }: { studio: Studio }) {
  const { tick, length } = studio.show
  const canvas = useRef<HTMLCanvasElement>(null)
  const events = studio.events.value
  useEffect(() => drawMarks(canvas.current, studio), [events, length.value])
  return (
    <div class="scrub">
      <canvas ref={canvas} class="scrub-marks" />
      <input
        type="range"
        min={0}
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
