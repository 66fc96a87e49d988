/**
 * A stage: an element on which the view of a game draws the pictures of a match.
 *
 * @module @hurtbox/view/stage
 */

export { type CameraControl, dragCamera, zoomAt } from './camera.ts'
export { fallbackView } from './fallback-view.ts'
export { type Project, type ScreenPlace, thingUnder } from './pick.ts'
export { createRest, endRest, isResting, type Rest } from './rest.ts'
export {
  addCanvas,
  createStage,
  describeHud,
  drawStage,
  fitCanvas,
  type Look,
  nameCanvas,
  pixelRatioOf,
  placeAt,
  type Stage,
  screenAt,
  thingAt,
} from './stage.ts'
export { viewOf } from './view-of.ts'
