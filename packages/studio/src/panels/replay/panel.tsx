/** Replays: save, open, verify. A file can also be dropped anywhere on the page. */

import { copyLink } from '../../model/address.ts'
import { saveReplay } from '../../model/proof.ts'
import type { Studio } from '../../model/studio.ts'
import { downloadReplay, openFile } from '../../ui/files.ts'
import { messageOf } from '../../words.ts'
import { tellVerification } from './data.ts'
import css from './panel.css?inline'

export { css }

export function Panel({ studio }: { studio: Studio }) {
  const outcome = studio.verified
  const { show } = studio
  const verify = async () => {
    outcome.value = 'playing it again…'
    try {
      const bytes = await saveReplay(studio)
      outcome.value = tellVerification(await show.client.ask(show.sim, { ask: 'verify', bytes }))
    } catch (error) {
      outcome.value = messageOf(error)
    }
  }
  if (studio.page?.cannotSave) return <p class="muted">{studio.page.cannotSave}</p>
  return (
    <div>
      <p class="muted">
        A replay holds the inputs of every tick and a chain of hashes. It plays to the same bits in every browser and on
        every server, or says where it does not.
      </p>
      <div class="actions">
        <button type="button" class="button" data-testid="save" onClick={() => void downloadReplay(studio)}>
          Save replay
        </button>
        <button type="button" class="button" data-testid="verify" onClick={() => void verify()}>
          Verify this match
        </button>
        {studio.page === undefined && (
          <button type="button" class="button" onClick={() => void copyLink(studio)}>
            Copy link
          </button>
        )}
      </div>
      <p data-testid="verify-outcome" aria-live="polite">
        {outcome.value}
      </p>
      {studio.page === undefined && <DropZone studio={studio} />}
    </div>
  )
}

function DropZone({ studio }: { studio: Studio }) {
  return (
    <label class="drop">
      <input
        type="file"
        accept=".hbr"
        data-testid="open"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          if (file !== undefined) void openFile(studio, file)
          event.currentTarget.value = ''
        }}
      />
      <span class="drop-title">Drop a replay here</span>
      <span>or click to choose one (.hbr)</span>
    </label>
  )
}
