/**
 * The format of traces: a start, orders, and every frame after it, in full doubles.
 *
 * The original server was recorded in this format; `hurtbox run vinyl-frontier --trace` reads it and answers in it. A
 * frame lists the things that changed since the frame before and the places in the list that became empty.
 */

export type Thing = {
  readonly i: number
  readonly kind: 'station' | 'ship' | 'asteroid'
  readonly name: string
  readonly alive: boolean
  readonly x: number
  readonly y: number
  readonly speed: number
  readonly heading: number
  readonly orient: number
  readonly mass: number
  readonly size: number
  readonly shield?: number
  readonly fuel?: number
  readonly cargo?: number
  readonly docked?: boolean
  readonly vinyl?: number
  readonly material?: string
}

export type Frame = {
  readonly phase: 'start' | 'orders' | 'sim'
  readonly turn: number
  /** Step of the turn, 0 … 4; −1 outside of one. */
  readonly step: number
  readonly time: number
  readonly announcer?: string
  readonly changed: readonly Thing[]
  readonly gone?: readonly number[]
}

export type GivenOrder = {
  readonly team: number
  readonly ship: number
  readonly turn: number
  readonly order: string
  readonly value: number
}

type Flow = 'orders-then-simulate' | 'simulate-then-orders'

export type Trace = {
  readonly scenario: string
  readonly mode: string
  readonly preset: string
  readonly flow: Flow
  /** 1 for every frame; else only the last of every so many turns. */
  readonly everyTurns: number
  readonly seed: number
  readonly turns: number
  readonly orders: readonly GivenOrder[]
  readonly frames: readonly Frame[]
}

/** What the modes of traces switch on. */
export const MODES: Readonly<Record<string, Readonly<Record<string, true>>>> = {
  new: {},
  legacych: { legacyCollisionHandling: true },
  lphys: { legacyPhysics: true },
  leat: { legacyAsteroidEatDamage: true },
  ldock: { legacyDocking: true },
  legacy4: {
    legacyCollisionHandling: true,
    legacyPhysics: true,
    legacyAsteroidEatDamage: true,
    legacyDocking: true,
  },
  legacymode: { legacyMode: true },
}

/** All things of the state after each frame: what `changed` and `gone` add up to. A thing may list only what is new. */
export function* states(frames: readonly Frame[]): Generator<ReadonlyMap<number, Thing>> {
  const things = new Map<number, Thing>()
  for (const frame of frames) {
    for (const index of frame.gone ?? []) things.delete(index)
    for (const thing of frame.changed) things.set(thing.i, { ...things.get(thing.i), ...thing })
    yield things
  }
}
