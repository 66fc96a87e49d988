/**
 * The studio's model: one match on a stage, and what is open beside it.
 *
 * The files of this folder are what people can do with it; panels and keys call them and read these signals. Nothing here
 * knows how anything looks.
 */

import type { View } from '@hurtbox/view'
import { createRemap, type Remap } from '@hurtbox/view/hand'
import { type Signal, signal } from '@preact/signals'
import type { EventRecord } from 'hurtbox'
import type { LoadedModule } from 'hurtbox/module'
import type { AnyWorld, TraceEntry } from 'hurtbox/tools'
import type { Layers } from '../draw/overlay.ts'
import { NO_LAYERS, type StudioStage } from '../draw/stage.ts'
import { closeShow, type Show, shownWorld } from '../show/show.ts'
import type { ChangesAnswer, DifferenceAnswer, Figures } from '../sim/protocol.ts'
import type { Strength } from './strength.ts'

export type Studio = {
  readonly module: LoadedModule
  readonly view: View
  readonly show: Show
  /** The match of the page that the studio is attached to; undefined in the studio's own page. */
  readonly page: PageMatch | undefined
  /** The other future, while one is compared. */
  readonly fork: Signal<Show | undefined>
  /** The tick at which the other future begins. */
  readonly forkedAt: Signal<number>
  /** The id of the panel that is open. */
  readonly tab: Signal<string>
  readonly layers: Signal<Layers>
  /** Up to two things: the one that was clicked, and the one to ask about it. */
  readonly selected: Signal<readonly number[]>
  /** What the pointer is over, on the stage or in a panel: an id, −1 less its place for a wall, 0 for nothing. */
  readonly hovered: Signal<number>
  /** What things are called that events spoke of, also those that are gone; see `sim/register.ts`. */
  readonly names: Signal<ReadonlyMap<number, string>>
  /** What the phases of the last tick did to the first selected thing. */
  readonly changes: Signal<ChangesAnswer | undefined>
  /** Where the other future parts from this one. */
  readonly difference: Signal<Parting>
  readonly survey: Signal<Survey>
  readonly bookmarks: Signal<readonly Bookmark[]>
  /** The ticks that are played again and again. */
  readonly loop: Signal<{ readonly from: number; readonly to: number } | undefined>
  readonly verdicts: Signal<{ readonly tick: number; readonly list: readonly TraceEntry[] } | undefined>
  readonly events: Signal<readonly EventRecord[]>
  /** The seat of the person at the keyboard; −1 while only watching. */
  readonly seat: Signal<number>
  /** Tuning that differs from the declaration now, in declared units. */
  readonly tuned: Signal<Readonly<Record<string, number>>>
  readonly divergence: Signal<Divergence | undefined>
  readonly toast: Signal<string>
  /** What is wrong with the rules as they are now; '' while the match on the stage is played by them. */
  readonly mistake: Signal<string>
  /** Whether the panels are closed, and only the game is there. */
  readonly isUiHidden: Signal<boolean>
  readonly isHelpOpen: Signal<boolean>
  /** `start`: the match waits behind its title; `countdown`: three, two, one; `on`: it runs, or is looked at. */
  readonly phase: Signal<'start' | 'countdown' | 'on'>
  readonly strength: Signal<Strength>
  /** How the person at the controls last lost its life; undefined once it plays again. */
  readonly death: Signal<Death | undefined>
  /** The last thing that happened, for those who do not see the stage. */
  readonly news: Signal<string>
  /** What playing the match again for a proof came to, in words. */
  readonly verified: Signal<string>
  readonly remap: Remap
  readonly figures: FigureLog
  /** Counts frames about ten times a second, for panels that show the state. */
  readonly pulse: Signal<number>
  stages: StudioStage[]
  /** The replay that the match came from. */
  file: Uint8Array<ArrayBuffer> | undefined
  /** Whether a person has played in this match, so that the seed alone does not reproduce it. */
  isHandmade: boolean
}

/** A match that a page plays and the studio only looks into. */
export type PageMatch = {
  readonly match: object
  readonly kind: 'plays here' | 'predicts' | 'is shown'
  readonly isOnline: boolean
  /** The first tick that is known. */
  readonly first: number
  /** What this page cannot know, in a sentence; '' where it knows everything. */
  readonly unknown: string
  /** Why the replay cannot be saved here; '' where it can. */
  readonly cannotSave: string
  /** Changes a number from now on; throws a sentence where that is not possible. */
  tune(name: string, value: number): void
  /** Told the world that the page is shown. */
  note?(world: AnyWorld): void
}

export type Death = { readonly tick: number; readonly text: string }

/** `none` as far as both are known. */
type Parting = 'looking' | 'none' | NonNullable<DifferenceAnswer['found']>

/** A tick that somebody wants to come back to, and why. */
export type Bookmark = { readonly tick: number; readonly note: string }

/** What is known of the whole match: see `History` of the simulation. */
export type Survey = {
  readonly version: number
  readonly indexed: number
  readonly length: number
  readonly kinds: readonly string[]
  /** Tick, kind and seat, one after another. The same list grows. */
  readonly marks: number[]
}
const NO_SURVEY: Survey = { version: -1, indexed: 0, length: 0, kinds: [], marks: [] }

export type Divergence = { readonly title: string; readonly text: string; readonly tick: number }

/** The last figures, newest last. */
type FigureLog = { readonly ticks: number[]; readonly figures: Figures[] }
const MOST_FIGURES = 600

export function createStudio(module: LoadedModule, view: View, show: Show, ownSeat: number, page?: PageMatch): Studio {
  const studio: Studio = {
    module,
    view,
    show,
    page,
    fork: signal(undefined),
    forkedAt: signal(0),
    tab: signal('inspect'),
    layers: signal({ ...NO_LAYERS }),
    selected: signal([]),
    hovered: signal(0),
    names: signal(new Map()),
    changes: signal(undefined),
    difference: signal('looking'),
    survey: signal(NO_SURVEY),
    bookmarks: signal([]),
    loop: signal(undefined),
    verdicts: signal(undefined),
    events: signal([]),
    seat: signal(ownSeat),
    tuned: signal({}),
    divergence: signal(undefined),
    toast: signal(''),
    mistake: signal(''),
    isUiHidden: signal(false),
    isHelpOpen: signal(false),
    phase: signal('on'),
    strength: signal('hard'),
    death: signal(undefined),
    news: signal(''),
    verified: signal(''),
    remap: createRemap(module.id),
    figures: { ticks: [], figures: [] },
    pulse: signal(0),
    stages: [],
    file: undefined,
    isHandmade: ownSeat >= 0,
  }
  show.onFrame = (frame) => {
    if (frame.jumped) return
    const { ticks, figures } = studio.figures
    ticks.push(frame.tick)
    figures.push(frame.figures)
    if (ticks.length > MOST_FIGURES) {
      ticks.splice(0, ticks.length - MOST_FIGURES)
      figures.splice(0, figures.length - MOST_FIGURES)
    }
  }
  return studio
}

export function closeStudio(studio: Studio): void {
  closeShow(studio.show)
  if (studio.fork.value !== undefined) closeShow(studio.fork.value)
  for (const stage of studio.stages) stage.close()
}

export function showToast(studio: Studio, text: string): void {
  studio.toast.value = text
  clearTimeout(silence)
  silence = window.setTimeout(() => {
    studio.toast.value = ''
  }, 4000)
}
let silence = 0

export function worldOf(studio: Studio): AnyWorld {
  return shownWorld(studio.show)
}
