/**
 * Contacts: where and which way two things met, what follows from it, and things that go on after it.
 *
 * @module hurtbox/contacts
 */

export { type Contact, contact, contactInSpace } from './contact.ts'
export {
  type Body,
  type BounceOptions,
  bounce,
  exchange,
  type Mover,
  pushOut,
  reflect,
  slide,
  stop,
} from './responses.ts'
export { type TravelOptions, travel, travelInSpace } from './travel.ts'
