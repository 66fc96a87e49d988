/** A part of the studio that is loaded later. */

export { tellError } from 'hurtbox/picture'
