/** What players are called: one name for one thing, everywhere on the page. */

import { type EventRecord, playerAt, thing } from 'hurtbox'
import { type LoadedModule, meaningOfEvent, nameOfThing } from 'hurtbox/module'
import type { AnyWorld } from 'hurtbox/tools'
import type { View } from './view.ts'

export type PlayerName = (seat: number) => string

/** Where nobody has given a name. */
export function seatName(seat: number): string {
  return `P${seat + 1}`
}

/** The names of a match in which the person at the controls sits on `own`. */
export function namesFor(own: number): PlayerName {
  return (seat) => (seat === own ? 'You' : seatName(seat))
}

/** What a thing is called now; undefined once it is gone. */
export function nameNow(module: LoadedModule, world: AnyWorld, id: number, playerName: PlayerName): string | undefined {
  const named = thing(world, id)
  return named && nameOfThing(module, world, named, playerName)
}

/** The sentence of the game for an event; undefined for a kind that has none. Things that are gone by now go by their id. */
export function sentenceOf(
  module: LoadedModule,
  world: AnyWorld,
  event: EventRecord,
  playerName: PlayerName,
): string | undefined {
  return sentenceWith(module, event, (id) => nameNow(module, world, id, playerName) ?? `#${id}`)
}

/** The same with names from elsewhere. */
export function sentenceWith(
  module: LoadedModule,
  event: EventRecord,
  name: (id: number) => string,
): string | undefined {
  const sentence = meaningOfEvent(module, event.kind)?.sentence?.(event, name)
  return sentence && addressed(sentence)
}

/** A sentence about somebody called "You", as one says it to somebody: "You kills P2's drone" is "You kill P2's drone". */
export function addressed(sentence: string): string {
  const said = sentence
    .replaceAll("You's", 'your')
    .replace(
      /\bYou (is|has|[a-z]+(?:ch|sh|ss|x|z)es|[a-z]+s)\b/g,
      (_, verb: string) => `You ${VERBS[verb] ?? verb.replace(/(?<=ch|sh|ss|x|z)es$|s$/, '')}`,
    )
    .replace(/(?<=.)\bYou\b/g, 'you')
  return `${said[0]?.toUpperCase() ?? ''}${said.slice(1)}`
}

const VERBS: Readonly<Record<string, string>> = { is: 'are', has: 'have' }

/** Colours for seats of games that say none: bright on dark, and distinct for most eyes. */
const COLOURS = ['#4cc9ff', '#ff5d73', '#ffd166', '#7ae582', '#c792ff', '#ff9f5a', '#5af0d0', '#ff8ad8'] as const

export function colourOf(view: View, world: AnyWorld, seat: number): string {
  return view.colourOf?.(seat, world) ?? COLOURS[seat % COLOURS.length]
}

/** The thing of the player on a seat; undefined while it has none. */
export function ownThing(world: AnyWorld, seat: number) {
  return seat < 0 ? undefined : playerAt(world, seat)?.thing
}
