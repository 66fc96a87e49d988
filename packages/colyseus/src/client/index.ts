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
import { forgetSeat, type KeptSeat, keepSeat, keptSeat, placeOfSeat } from './kept-seat.ts'
import { watchLine } from './probe.ts'
import { awayFrom, SEAT_EXPIRED } from './reconnect.ts'
import { askForSeat, claimSeat, type Question, takeSeat, tokenOf } from './seats.ts'
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
    seat: reserved,
    create = false,
    token,
    smoothing,
    inputDelay,
    guess,
    datagrams,
    watchPage,
    ...wishes
  } = choices
  const { roomId = code && readCode(code), ...rest } = wishes
  const options = { ...rest, hello: helloOf(played) }
  const clients = [url].flat().map((each) => new Client(each))
  const [address] = [url].flat()
  const [client] = clients
  const place = placeOfSeat(address, name)
  const kept = create || rest.private || rest.spectate ? undefined : keptSeat(place)
  const question: Question =
    roomId !== undefined
      ? { method: 'joinById', name: roomId, options, token }
      : { method: create || rest.private ? 'create' : 'joinOrCreate', name, options, token }
  const isKept = reserved === undefined && kept !== undefined && (roomId ?? kept.roomId) === kept.roomId
  const room =
    (isKept ? await comeBack(client, kept, { options, token }) : undefined) ??
    (await (reserved === undefined ? join(client, question) : takeSeat({ client, seat: reserved })).catch(
      (error: { readonly code?: number; readonly message?: string }) => {
        // A server that could not answer for some seconds has given the reserved seat up meanwhile.
        if (error.code === SEAT_EXPIRED && reserved === undefined) return join(client, question)
        // A refusal has a code. Without one a browser says no more than "Failed to fetch".
        if (typeof error.code === 'number') throw error
        throw new Error(
          `${address} does not answer as a game server. Is it running, and is this its address? (${error.message})`,
          { cause: error },
        )
      },
    ))
  const shown = {
    ...(smoothing && { smoothing }),
    ...(inputDelay !== undefined && { inputDelay }),
    ...(guess && { guess }),
    ...(datagrams !== undefined && { datagrams }),
    ...(watchPage !== undefined && { watchPage }),
  }
  return new Connection(game, room, shown, {
    ask(asked, before, how) {
      const next = awayFrom(before, clients)[asked % clients.length]
      const { roomId: id } = before
      // Spectators have no seat to return to.
      if (rest.spectate) return askForSeat(next, { method: 'joinById', name: id, options, token, ...how })
      return claimSeat(next, { roomId: id, token: tokenOf(before), ...how })
    },
    watchLine: (before, signal, onReached) => watchLine(awayFrom(before, clients)[0], signal, onReached),
    take: takeSeat,
    keep(to) {
      if (!rest.spectate) keepSeat(place, { roomId: to.roomId, token: token === undefined ? tokenOf(to) : '' })
    },
    forget: () => forgetSeat(place),
  })
}

async function join(client: Client, question: Question): Promise<Room> {
  return takeSeat(await askForSeat(client, question))
}

/**
 * How often a page that was loaded anew asks for its seat, by the answer: the room still sees the page before; the match is between two processes.
 * And how long it waits between.
 */
const ASKS: Readonly<Record<number, number>> = { 409: 3, 503: 10 }
const ASK_AGAIN_MS = 300

/** Takes the seat of this tab that the page before had. Undefined when there is no way back: then the page joins as any other. */
async function comeBack(
  client: Client,
  { roomId, token: seatToken }: KeptSeat,
  { options, token }: Pick<Question, 'options' | 'token'>,
): Promise<Room | undefined> {
  // What another account or a guest has kept is not this player's.
  if (token === undefined && seatToken === '') return undefined
  for (let asked = 1; ; asked++) {
    try {
      if (token !== undefined) return await join(client, { method: 'joinById', name: roomId, options, token })
      return await takeSeat(await claimSeat(client, { roomId, token: seatToken, isNewPage: true }))
    } catch (error) {
      const { code = 0 } = error as { readonly code?: number }
      if (asked >= (ASKS[code] ?? 0)) return undefined
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
    }
  }
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
