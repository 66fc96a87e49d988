/**
 * A view: how a game is drawn and played by hand.
 *
 * A view never decides anything. It gets a picture: two states of the world that lie one tick (or a few) apart and how far
 * between them the moment is, and draws that; the events of the ticks in between start flashes, numbers and sound. The host (a
 * page of your own, the studio) owns the clock, the camera and the devices, so pausing, scrubbing, slow motion and following
 * work in every game without a line in its view. What it draws with is its own affair: a canvas, Pixi, Phaser, three.
 *
 * The file that `view` of a game's module loads exports `view`. What the game is called, how many play it and what its events
 * mean is in the module. This file has only types; a view brings the code it needs.
 */

import type { World } from 'hurtbox'
import type { SoundName } from 'hurtbox/module'
import type { Picture, SeatInput } from 'hurtbox/picture'
import type { AnyDeclaration, Declaration } from 'hurtbox/tools'

export type View<D extends Declaration = AnyDeclaration> = {
  /** How to play, a sentence per line; shown with `?`. Leave the keys out: they follow from `controls`. */
  readonly help: readonly string[]
  /**
   * What the host prepares. `canvas`: a 2D context, sized, cleared and transformed to world units for every frame. `own`:
   * the element and a canvas in it that nothing has touched; the view sizes it and draws by any means (Pixi, Phaser, three,
   * WebGPU), and gives `project` and `unproject`. Small pictures of such games are drawn as circles from above.
   */
  readonly target: 'canvas' | 'own'
  readonly controls: Controls<D>
  /** Whether y grows upwards on the screen. Default: downwards, as on a canvas. */
  readonly yUp?: boolean
  /** What is shown while the camera follows nothing, in world units. */
  bounds(world: World<D>): Bounds
  /**
   * What the camera follows for a player: a place, and how much of the world around it is shown at least. Left out, or
   * `undefined`, the camera shows `bounds`.
   */
  focus?(world: World<D>, seat: number): Focus | undefined
  /** Figures of a player for the strip above the game: hp, score, cooldowns. Called about ten times a second. */
  hud?(world: World<D>, seat: number): readonly HudLine<D>[]
  /** What a player is asked to choose now, such as one of three upgrades: shown as cards over the game. −1 for a spectator. */
  choices?(world: World<D>, seat: number): readonly Choice<D>[]
  /** The colour of a player as it is drawn, for tables and names beside the game: `#4cc9ff`. Default: a colour per seat. */
  colourOf?(seat: number, world: World<D>): string
  /** How the sounds of the set sound in this game; those left out have a default. */
  readonly sounds?: Readonly<Partial<Record<SoundName, Voice>>>
  /** Creates the drawing, once per canvas. It may load what it needs first. */
  create(target: Target): Drawing<D> | Promise<Drawing<D>>
}

export type Bounds = { readonly minX: number; readonly minY: number; readonly maxX: number; readonly maxY: number }

/** `reach`: half the width of the square around (x, y) that must be in sight. */
export type Focus = { readonly x: number; readonly y: number; readonly reach: number }

/**
 * A sound made by the browser's synthesiser, so that there is no file to load: noise around a pitch, a tone that slides from one
 * pitch to another, or both. Pitches are in Hz, `gain` is 0 … 1.
 */
export type Voice = {
  readonly noise?: number
  readonly from?: number
  readonly to?: number
  readonly wave?: 'sine' | 'triangle' | 'square' | 'sawtooth'
  readonly seconds: number
  readonly gain: number
}

export type HudLine<D extends Declaration = AnyDeclaration> = {
  readonly label: string
  readonly value: number | string
  /** With a number: drawn as a bar, `value / max`. */
  readonly max?: number
  readonly tone?: 'good' | 'warn' | 'bad' | 'cool'
  /** The field of the input that it is about: its key is shown beside the label, and its button on a touch screen fills like the bar. */
  readonly control?: keyof D['input'] & string
  /** What that button says, where it changes from one moment to the next: the ability that it holds. */
  readonly touch?: string
}

/** A card to choose. */
export type Choice<D extends Declaration = AnyDeclaration> = {
  /** The field of the input, of kind `press`, that takes it: by its key, by a click or by a tap. */
  readonly control: keyof D['input'] & string
  readonly title: string
  readonly text: string
  /** A word about it, such as its level. */
  readonly note?: string
  readonly colour?: string
}

/** Something drawn over the world, in CSS pixels of the canvas. */
export type HudBox = {
  /** What it says, or what it is. */
  readonly text: string
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Where a view draws. The element is sized by its owner; `frame.width` and `frame.height` are what it measures now. */
export type Target = {
  /** Holds the canvas. A renderer that makes a canvas of its own appends it here and removes it in `dispose`. */
  readonly element: HTMLElement
  readonly canvas: HTMLCanvasElement
  /** Present for `target: 'canvas'`. */
  readonly context: CanvasRenderingContext2D | undefined
  /** A small picture (a card of the front page, a phone): leave out details that cost much and cannot be seen. */
  readonly isSmall: boolean
  /** A picture among others: no names, scores or maps over the world. */
  readonly isWordless?: boolean
}

export type Drawing<D extends Declaration = AnyDeclaration> = {
  /**
   * Draws one frame. A canvas is cleared and its context transformed to world units when this is called; for drawing in
   * CSS pixels set the transform to `(pixelRatio, 0, 0, pixelRatio, 0, 0)`.
   */
  draw(frame: Frame<D>): void
  /**
   * What the last frame has over the world: scores, a map, names. Hosts read its words to those who do not see them, and tests
   * see by it that nothing covers anything.
   */
  hud?(): readonly HudBox[]
  /**
   * From the world to CSS pixels of the canvas, and from a pixel to the ground. Needed with `target: 'own'`, so that
   * overlays and clicks find their place; a canvas is transformed by `frame.camera` anyway.
   */
  project?(x: number, y: number, z: number, out: { x: number; y: number }): void
  unproject?(screenX: number, screenY: number, out: { x: number; y: number }): void
  dispose?(): void
}

/** A picture, and what the canvas that it is drawn on adds. */
export type Frame<D extends Declaration = AnyDeclaration> = Picture<D> & {
  /** The seat whose view is drawn, −1 for a spectator. */
  readonly seat: number
  /** What to call the player on a seat. Left out: `P1`, `P2`, … */
  readonly playerName?: (seat: number) => string
  /** Whether the user asks for little motion: no shaking, no zooming, no flicker. */
  readonly isCalm?: boolean
  /** This machine cannot keep up: leave out what is only decoration. */
  readonly isSlow?: boolean
  /** Milliseconds of real time, also while the match is paused, for decoration. */
  readonly nowMs: number
  /** Milliseconds since the last frame, never more than 100. */
  readonly elapsedMs: number
  /** Size of the canvas in CSS pixels. */
  readonly width: number
  readonly height: number
  readonly pixelRatio: number
  readonly camera: Camera
  /** Whether fog of war is drawn where the game has one. */
  readonly showFog: boolean
}

/** The place of the world in the middle of the canvas, and CSS pixels per world unit. */
export type Camera = { x: number; y: number; scale: number; readonly yUp: boolean }

// Controls: which key, gamepad part or finger controls which field of the game's input.

export type Controls<D extends Declaration = AnyDeclaration> = {
  readonly fields: { readonly [K in keyof D['input'] & string]?: InputBinding<WordsOf<D['input'][K]>> }
  /** What to call the two sticks on a touch screen. Shown only if an axis is bound to them. */
  readonly sticks?: { readonly left?: string; readonly right?: string }
  /**
   * Changes the input before it is sent, for what a table of bindings cannot express (aim relative to the player's own
   * thing, orders). Called once a tick with the input made from `fields`.
   */
  adjust?(input: HandInput<D>, devices: Devices, world: World<D>, seat: number): void
}

/** The choices of a field of the input. */
type WordsOf<Field> = Field extends { readonly names: readonly (infer Word extends string)[] } ? Word : string

/** The input of a tick, to be changed: by field of the game's input, as a player gives it. */
export type HandInput<D extends Declaration = AnyDeclaration> = {
  -readonly [K in keyof SeatInput<D>]: SeatInput<D>[K]
}

/**
 * How one field is controlled. Keys are `KeyboardEvent.code`s, which are in the same place on every keyboard; buttons are numbers
 * of the standard gamepad.
 *
 * axis: keys and pad buttons for less and more; `stick`, of the gamepad and on the touch screen; `pointer`, the direction
 *   from the player's own thing to the mouse while a mouse is used
 * button, press: `keys`, `pad`, `pointer` (a mouse button), `touch` (a button on the screen with this label)
 * choice: `keys` and `touch` by name
 * point: `pointer`, the place under the mouse: always (`hover`), or when a button was last down
 * thing: `pointer`, the thing last clicked with that button
 */
export type InputBinding<Word extends string = string> =
  | {
      readonly kind: 'axis'
      readonly less?: readonly string[]
      readonly more?: readonly string[]
      readonly lessPad?: readonly number[]
      readonly morePad?: readonly number[]
      readonly stick?: 'leftX' | 'leftY' | 'rightX' | 'rightY'
      /** Turns the stick around, for games in which up is more. */
      readonly invertStick?: boolean
      readonly pointer?: 'aimX' | 'aimY'
      readonly label: string
    }
  | {
      readonly kind: 'button' | 'press'
      readonly keys?: readonly string[]
      readonly pad?: readonly number[]
      readonly pointer?: MouseButton
      readonly touch?: string
      readonly label: string
    }
  | {
      readonly kind: 'choice'
      readonly keys?: ByWord<Word, readonly string[]>
      readonly touch?: ByWord<Word, string>
      readonly label: string
    }
  | { readonly kind: 'point'; readonly pointer: 'hover' | MouseButton; readonly label: string }
  | { readonly kind: 'thing'; readonly pointer: MouseButton; readonly label: string }

type ByWord<Word extends string, T> = string extends Word ? Readonly<Record<string, T>> : { readonly [K in Word]?: T }

export type MouseButton = 'primary' | 'secondary'

/** The devices as they are now, for `adjust`. */
export type Devices = {
  isDown(code: string): boolean
  /** The first gamepad's axes (0 when there is none) and the sticks on the touch screen, −1 … 1. */
  readonly leftX: number
  readonly leftY: number
  readonly rightX: number
  readonly rightY: number
  /** The mouse in the world, and whether one is used at all. */
  readonly pointerX: number
  readonly pointerY: number
  readonly hasPointer: boolean
  isPointerDown(button: MouseButton): boolean
  /** Forgets the place and the thing that were clicked last: another device has given an order since. */
  forgetClicks?(): void
}
