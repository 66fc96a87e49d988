/**
 * Attaching one thing to another: carrying, holding and throwing, turrets, orbs.
 *
 * @module hurtbox/attach
 */

export {
  type Attachable,
  type AttachWorld,
  attach,
  attachment,
  detach,
  type FromHolder,
  followHolders,
} from './attach.ts'
