/** Time: play, step, scrub, speed. The bar shows where hits were, and dragging it moves through the whole match. */

import type { Studio } from '../model/studio.ts'
import { goToHit, playOn, playPause, restart, step } from '../model/time.ts'
import { isInPast } from '../show/show.ts'
import { Clock } from '../timeline/time-bar.tsx'
import { Timeline } from '../timeline/timeline.tsx'
import { IconButton } from '../ui/icons.tsx'
import { PlayButton, SpeedSelect } from '../ui/time-controls.tsx'

export function Transport({ studio }: { studio: Studio }) {
  const { show } = studio
  const { playing, speed, over, failure } = show
  if (studio.isUiHidden.value) {
    return (
      <footer class="transport">
        <Clock show={show} />
      </footer>
    )
  }
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
      <Timeline studio={studio} />
      <Clock show={show} />
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
      {over.value !== '' && !isInPast(show) && (
        <span class="over" title={over.value}>
          {over.value}
        </span>
      )}
      {failure.value !== '' && (
        <span class="failure" role="alert">
          {failure.value}
        </span>
      )}
    </footer>
  )
}
