/** What a page tells the studio about itself. */

import type { GameConnection } from '@hurtbox/colyseus/client'
import type { Session } from 'hurtbox'
import type { GameModule } from 'hurtbox/module'
import type { AnyGame, AnyWorld } from 'hurtbox/tools'

/** Two states and how far between them the moment is: what a page draws. */
export type Moment = { readonly before: AnyWorld; readonly after: AnyWorld; readonly alpha: number }

/**
 * A match that the page draws from what its `update` returns. `session` is there where the match is played in the page, `mirror`
 * or `terminal` where it is played by a server.
 */
export type ShownMatch = {
  readonly game: AnyGame
  update(now: number, read: never): object | undefined
  readonly session?: Session
} & Partial<
  Pick<GameConnection, 'mirror' | 'terminal' | 'rttMs' | 'corrections' | 'desyncs' | 'traffic' | 'status' | 'seat'>
>

// biome-ignore lint/suspicious/noExplicitAny: a session of a game that the compiler does not know.
export type Attachable = Session<any> | ShownMatch

export type AttachOptions = {
  /** What the game is drawn on: boxes are drawn over it. */
  readonly canvas: HTMLElement
  /**
   * From the world to CSS pixels, counted from the upper left corner of `canvas`. Default: one unit of the world is one pixel of
   * the canvas's own.
   */
  project?(x: number, y: number, z: number, out: { x: number; y: number }): void
  /** The module of the game: names, sentences, which events are hits. */
  // biome-ignore lint/suspicious/noExplicitAny: the module of a game that the compiler does not know.
  readonly module?: GameModule<any>
  /**
   * For a session, which the page steps and draws itself: draws another moment. While it is shown, `holds` is true and the page
   * neither steps nor draws.
   */
  // biome-ignore lint/suspicious/noExplicitAny: worlds of a game that the compiler does not know.
  draw?(moment: { readonly before: any; readonly after: any; readonly alpha: number }): void
  /** `KeyboardEvent.code` of the key that opens the studio. Default F2. */
  readonly key?: string
}
