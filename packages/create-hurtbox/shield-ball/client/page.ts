/** What the page and its view agree on: what a view gets, and how large and in which colours things are. */

import type { World } from 'hurtbox'
import type { Match, Picture, SeatInput } from 'hurtbox/picture'
import { HEIGHT, WIDTH } from '../game/map.ts'
import type { ShieldBall } from '../game/rules.ts'

export type CourtMatch = Match<ShieldBall>

/** What the page does while a match is shown. */
export type Page = {
  /** What the player does in a tick. */
  input(tick: number, world: World<ShieldBall>): SeatInput<ShieldBall>
  /** Called after every frame. */
  frame(picture: Picture<ShieldBall>): void
}

/** How much of the world is shown to the left and right of the court: the goals. */
export const MARGIN = 60
export const SIZE = { width: WIDTH + 2 * MARGIN, height: HEIGHT }

/** Colours by team; the first is for things without one. */
export const TEAMS: readonly string[] = ['#cccccc', '#5aa2ff', '#ffb13d']
export const COLOURS = { floor: '#1d222b', wall: '#3a4352', goal: '#2f6b46', ball: '#ffffff', own: '#ffffff' } as const

/** A shield as a line: the middle of its band, and half its opening. */
export const SHIELD = { radius: 34, width: 8, half: Math.PI / 3 } as const
