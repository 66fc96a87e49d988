/**
 * The person at the controls: keyboard, mouse, gamepad and touch screen as the input of a tick, by the controls of a view.
 *
 * @module @hurtbox/view/hand
 */

export { createHand, type Hand, keysOf, type Mouse, readHand } from './hand.ts'
export { createKeyboard, type Keyboard, nameKey } from './keys.ts'
export { followMouse, placeOn, tapStage } from './mouse.ts'
export { type Pads, padCode, readPads, wantsPause } from './pads.ts'
export { createRemap, type Remap } from './remap.ts'
