import { useEffect } from 'preact/hooks'
import type { Studio } from '../model/studio.ts'
import { HelpDialog } from './help-dialog.tsx'
import { commands } from './keymap.ts'

/** All keys: those of the game, from its controls, and those of the studio, from the table that runs them. */
export function Help({ studio }: { studio: Studio }) {
  // Nobody can read and play: the match waits meanwhile.
  useEffect(() => {
    const { playing } = studio.show
    const wasPlaying = playing.value
    playing.value = false
    return () => {
      playing.value = wasPlaying
    }
  }, [])
  const { module, view, remap } = studio
  return (
    <HelpDialog module={module} view={view} remap={remap} close={() => void (studio.isHelpOpen.value = false)}>
      {studio.isUiHidden.value ? (
        <p class="muted">I opens what lies behind the match: time, boxes, why, tuning.</p>
      ) : (
        <StudioKeys />
      )}
    </HelpDialog>
  )
}

/** Of use only to those who look into the match. */
function StudioKeys() {
  return (
    <section>
      <h3>Studio</h3>
      <dl class="keys">
        {commands.map(({ label, keys }) => (
          <div key={label}>
            <dt>
              {keys.split(/\s{2}/).map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <p class="muted">
        While you play, the keys of the game are the game’s and all others the studio’s. Pause, and all keys are the
        studio’s. Click a thing to see its columns; Shift-click a second one to ask why they did or did not hit. Wheel
        or pinch zooms, right drag or two fingers pan.
      </p>
    </section>
  )
}
