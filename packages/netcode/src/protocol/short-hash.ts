import { hashWorld } from 'hurtbox'
import type { AnyWorld } from 'hurtbox/tools'

/** 32 bits of the hash of a state; 0 where a number is not finite. */
export function shortHash(world: AnyWorld): number {
  try {
    return Number.parseInt(hashWorld(world).slice(0, 8), 16)
  } catch {
    return 0
  }
}
