/** What a player is asked to choose: cards over the game, taken by key, click or tap. */

import type { Choice, View } from '@hurtbox/view'
import type { Hand, Remap } from '@hurtbox/view/hand'
import type { AnyWorld } from 'hurtbox/tools'
import { keyNameOf } from './hud.tsx'

type Props = {
  view: View
  world: AnyWorld
  seat: number
  remap: Remap
  hand: { readonly current: Hand | undefined }
}

export function Choices({ view, world, seat, remap, hand }: Props) {
  const choices = view.choices?.(world as never, seat) ?? []
  if (choices.length === 0) return null
  const take = ({ control }: Choice) => hand.current?.touch.presses.set(control, 1)
  return (
    <section class="choices" aria-label="Choose" data-testid="choices">
      <h2>Choose</h2>
      <div>
        {choices.map((choice) => (
          <button
            key={choice.control}
            type="button"
            class="choice"
            disabled={seat < 0}
            style={{ '--tone': choice.colour ?? 'var(--push)' }}
            onClick={() => take(choice)}
          >
            <b>{choice.title}</b>
            {choice.note !== undefined && <small>{choice.note}</small>}
            <span>{choice.text}</span>
            <kbd>{keyNameOf(view, choice.control, remap)}</kbd>
          </button>
        ))}
      </div>
    </section>
  )
}
