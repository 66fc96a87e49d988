// biome-ignore-all assist/source/organizeImports: in the order one meets things
/**
 * From a match to what is on the screen, for any renderer.
 *
 * @module @hurtbox/view
 */

export type {
  Bounds,
  Camera,
  Choice,
  Controls,
  Devices,
  Drawing,
  Focus,
  Frame,
  HandInput,
  HudBox,
  HudLine,
  InputBinding,
  MouseButton,
  Target,
  View,
  Voice,
} from './view.ts'
export { isKnown, keep, keepKnown, readKept } from './kept.ts'
export {
  addressed,
  colourOf,
  nameNow,
  namesFor,
  ownThing,
  type PlayerName,
  seatName,
  sentenceOf,
  sentenceWith,
} from './names.ts'
export { type Outcome, outcomeOf } from './outcome.ts'
export type { Playable } from './playable.ts'
export { playOffline } from './offline.ts'
export type { OfflineMatch, OfflineOptions } from './offline.ts'
export { bind } from './bind.ts'
export type { Binding, Bound } from './bind.ts'
export { angleAt, createPlaces, placeAll } from './places.ts'
export type { Places } from './places.ts'
export { drawBoxes } from './boxes.ts'
export type { DrawOutline } from './boxes.ts'
