/**
 * Private rooms: found by nothing but their code, which one player tells another.
 *
 * The code is the room's id, so joining by code is joining by id, in any process. 40 bits: guessing is bounded by how many
 * seats an address may ask for. Letters and digits that look or sound alike are left out.
 */

import { randomInt } from 'node:crypto'
import type { Room } from '@colyseus/core'
import type { Hello } from '@hurtbox/netcode'
import type { MatchState } from './state.ts'

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 8

/** What the listing of a room says: which build plays in it, and whether lists leave it out. */
export type RoomMetadata = Hello & { readonly isPrivate?: true }

/** Gives a room that is being created a code (a new one unless it has one), and takes it out of all lists. */
export function makePrivate(room: Room & { state: MatchState }, code: string = newCode()): void {
  room.roomId = code
  room.state.code = code
  room.metadata = { ...room.metadata, isPrivate: true }
  room.setPrivate(true, false).catch(() => {})
}

function newCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}
