// biome-ignore-all assist/source/organizeImports: in the order one meets things
/**
 * Pictures of a match: two states, how far between them the moment is, and what has happened.
 *
 * What a page draws is the same for a match offline, online and in a replay. Hosts make pictures; views read them.
 *
 * @module hurtbox/picture
 */

export type { Match, Picture, SeatInput } from './picture.ts'
export { pictureOf } from './picture.ts'
export { createPlace, placeBetween, shorter } from './places.ts'
export type { Place, Wrap } from './places.ts'
export { announce, certainNews, createListeners, listen, planEvents, shownOf } from './event-news.ts'
export type { EventHandler, EventHandlers, EventNews, EventPlan, EventPlans, Gap, Listeners } from './event-news.ts'
export type { EventKind } from '../../world/events.ts'
export { tellError } from './tell-error.ts'
