/**
 * A player's end of an online match, for browsers and Node.
 *
 * `joinGame` returns one object for both modes: call `update` once per frame with what the player does, and draw the
 * picture that it returns. Mirrors are driven by our own netcode and not by the SDK's `predict.sim`; docs/decisions say why.
 *
 * @module @hurtbox/colyseus/client
 */

import { Client, type Room } from '@colyseus/sdk'
import { helloOf } from '@hurtbox/netcode'
import { checkSmoothing } from '@hurtbox/netcode/client'
import type { Declaration } from 'hurtbox/tools'
import { readCode } from './code.ts'
import { Connection } from './connection.ts'
import { awayFrom, SEAT_EXPIRED } from './reconnect.ts'
import type { FollowChoices, GameConnection, JoinChoices, Playable } from './types.ts'

export { SPECTATOR } from '@hurtbox/netcode'
export type { Guess, InputDelay, NetworkReading, Smoothing } from '@hurtbox/netcode/client'
export type { DatagramPath, PeerConnectionClass } from './datagrams.ts'
export type { Failure, GameConnection, JoinChoices, Playable } from './types.ts'

/**
 * Takes a seat in a match of `game` on the server at `url`. Rejects with the server's reason when it is refused. With the
 * module of the game instead, events are shown as its `meaning` says. Where several processes are reached at addresses of their
 * own, give them all: a match is found again through any that is left.
 */
export async function joinGame<D extends Declaration>(
  url: string | readonly string[],
  game: Playable<D>,
  // Typed by the game alone: wishes that were collected without it must not make it unknown.
  choices: JoinChoices<NoInfer<D>> = {},
): Promise<GameConnection<D>> {
  // Before a seat is taken.
  checkSmoothing(choices.smoothing)
  const played = 'declaration' in game ? game : game.game
  const {
    room: name = played.declaration.id,
    code,
    create = false,
    token,
    smoothing,
    inputDelay,
    guess,
    datagrams,
    ...wishes
  } = choices
  const { roomId = code && readCode(code), ...rest } = wishes
  const options = { ...rest, hello: helloOf(played) }
  const clients = [url].flat().map((each) => new Client(each))
  const [address] = [url].flat()
  const [client] = clients
  if (token !== undefined) for (const each of clients) each.http.authToken = token
  const takeSeat = () =>
    roomId !== undefined
      ? client.joinById(roomId, options)
      : create || rest.private
        ? client.create(name, options)
        : client.joinOrCreate(name, options)
  const room = await takeSeat().catch((error: { readonly code?: number; readonly message?: string }) => {
    // A server that could not answer for some seconds has given the reserved seat up meanwhile.
    if (error.code === SEAT_EXPIRED) return takeSeat()
    // A refusal has a code. Without one a browser says no more than "Failed to fetch".
    if (typeof error.code === 'number') throw error
    throw new Error(
      `${address} does not answer as a game server. Is it running, and is this its address? (${error.message})`,
      {
        cause: error,
      },
    )
  })
  const shown = {
    ...(smoothing && { smoothing }),
    ...(inputDelay !== undefined && { inputDelay }),
    ...(guess && { guess }),
    ...(datagrams !== undefined && { datagrams }),
  }
  return new Connection(game, room, shown, (asked, before) => {
    const { reconnectionToken, roomId: id } = before
    const next = awayFrom(before, clients)[asked % clients.length]
    // Spectators have no seat to return to.
    return rest.spectate ? next.joinById(id, options) : next.reconnect(reconnectionToken)
  })
}

/** A match on a room that was joined already. A lost connection is left to the SDK, which knows one address only. */
export function connect<D extends Declaration>(
  game: Playable<D>,
  room: Room,
  choices: FollowChoices<D> = {},
): GameConnection<D> {
  checkSmoothing(choices.smoothing)
  return new Connection(game, room, choices, undefined)
}
