/** The parts for players of @hurtbox/view, as components. */

import type { Outcome, View } from '@hurtbox/view'
import type { Hand, Remap } from '@hurtbox/view/hand'
import { createKeyList, type Device } from '@hurtbox/view/keys'
import { createRoster, type RoomReading } from '@hurtbox/view/room'
import { createChoices, createOutcomeTable } from '@hurtbox/view/sheets'
import { createTouchPad } from '@hurtbox/view/touch'
import type { AnyWorld } from 'hurtbox/tools'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { type Studio, worldOf } from '../model/studio.ts'

type HandRef = { readonly current: Hand | undefined }
type OnTap = (clientX: number, clientY: number) => void
type Made<T> = { update(now: T): void; close?(): void }

/** An element of its own in the page: made once there is what it is made of, and told at each drawing what to show. */
function Mounted<T>({ make, now, id }: { make(parent: HTMLElement): Made<T> | undefined; now: T; id?: string }) {
  const place = useRef<HTMLDivElement>(null)
  const made = useRef<Made<T> | undefined>(undefined)
  useLayoutEffect(() => {
    made.current ??= make(place.current!)
    made.current?.update(now)
  })
  useLayoutEffect(() => () => made.current?.close?.(), [])
  return <div class="part" ref={place} data-testid={id} />
}

export function TouchControls({ studio, hand, onTap }: { studio: Studio; hand: HandRef; onTap: OnTap }) {
  // Read so that the buttons follow the match.
  void studio.pulse.value
  const { seat, view, show } = studio
  if (seat.value < 0 || !show.isReady.value) return null
  return <TouchPad view={view} hand={hand} onTap={onTap} world={worldOf(studio)} seat={seat.value} />
}

type TouchProps = { view: View; hand: HandRef; onTap: OnTap; world: AnyWorld | undefined; seat: number }

function TouchPad({ view, hand, onTap, world, seat }: TouchProps) {
  const lines = world === undefined ? [] : (view.hud?.(world as never, seat) ?? [])
  const make = (parent: HTMLElement) => hand.current && createTouchPad(parent, { view, hand: hand.current, onTap })
  return <Mounted id="touch" make={make} now={lines} />
}

type ChoiceProps = { view: View; world: AnyWorld; seat: number; remap: Remap; hand: HandRef }

export function Choices({ view, world, seat, remap, hand }: ChoiceProps) {
  const choices = view.choices?.(world as never, seat) ?? []
  if (choices.length === 0) return null
  const take = (control: string) => void hand.current?.touch.presses.set(control, 1)
  const make = (parent: HTMLElement) => createChoices(parent, { view, remap, take })
  return <Mounted id="choices" make={make} now={{ choices, isPlayer: seat >= 0 }} />
}

type KeyProps = { view: View; remap: Remap; device: Device; onChange?: (code: string) => void }

/** With `onChange` every cap is a button that asks for another key. Drawn anew with each change. */
export function GameKeys(props: KeyProps) {
  const make = (parent: HTMLElement) => ({ update: (now: KeyProps) => parent.replaceChildren(createKeyList(now)) })
  return <Mounted make={make} now={props} />
}

export function OutcomeTable({ outcome }: { outcome: Outcome }) {
  const make = (parent: HTMLElement) => ({
    update: (now: Outcome) => parent.replaceChildren(...[createOutcomeTable(now)].filter((it) => it !== undefined)),
  })
  return <Mounted make={make} now={outcome} />
}

type RosterProps = { reading: RoomReading; colourOf: (seat: number) => string }

export function Roster(props: RosterProps) {
  const make = (parent: HTMLElement) => {
    const roster = createRoster()
    parent.append(roster.element)
    return { update: ({ reading, colourOf }: RosterProps) => roster.update(reading, colourOf) }
  }
  return <Mounted id="roster" make={make} now={props} />
}
