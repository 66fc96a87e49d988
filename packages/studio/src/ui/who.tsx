/** Names that can be pointed at: what they name lights up on the stage, and they light up when it is pointed at there. */

import { colourOf } from '@hurtbox/view'
import { playerOf, thing } from 'hurtbox'
import { select } from '../model/ask.ts'
import type { Studio } from '../model/studio.ts'
import { nameOf, type Part, type Teller } from '../model/words.ts'
import { shownWorld } from '../show/show.ts'
import { seatInName } from '../sim/register.ts'

export function Said({ studio, parts }: { studio: Teller; parts: readonly Part[] }) {
  return (
    <span class="said">
      {parts.map((part, i) =>
        typeof part === 'string' ? part : <Who key={i} studio={studio} id={part.id} name={part.name} />,
      )}
    </span>
  )
}

type WhoProps = {
  studio: Teller
  id: number
  name?: string
  /** Inside a button that does something else: a click is the button's. */
  isLabel?: boolean
}

/** The name of a thing in the colour of its player. */
export function Who({ studio, id, name, isLabel = false }: WhoProps) {
  const colour = colourOfThing(studio, id)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the pointer; the Ask panel lists the same by buttons.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the same.
    <span
      class={`who ${studio.hovered.value === id ? 'is-pointed' : ''}`}
      data-id={id}
      title={id > 0 ? `#${id}` : ''}
      {...(colour !== '' && { style: { color: colour } })}
      {...pointing(studio, id)}
      onClick={(event) => {
        if (isLabel) return
        event.stopPropagation()
        event.preventDefault()
        if ('selected' in studio) select(studio as Studio, id)
      }}
    >
      {name ?? nameOf(studio, id)}
    </span>
  )
}

/** What makes an element of a panel point at a thing. */
export function pointing({ hovered }: Teller, id: number) {
  return {
    onPointerEnter: () => {
      hovered.value = id
    },
    onPointerLeave: () => {
      if (hovered.value === id) hovered.value = 0
    },
  }
}

/** Of the player that a thing is, or belongs to; '' for what is nobody's. */
export function colourOfThing({ view, show, names }: Teller, id: number): string {
  if (id <= 0 || !show.isReady.value) return ''
  const world = shownWorld(show)
  const owner = thing(world, id)?.owner as number | undefined
  const player = playerOf(world, id) ?? (owner ? playerOf(world, owner) : undefined)
  // Of what is gone the kept name remembers whose it was.
  const seat = player?.seat ?? seatInName(names.value.get(id) ?? '')
  return seat < 0 ? '' : colourOf(view, world, seat)
}
