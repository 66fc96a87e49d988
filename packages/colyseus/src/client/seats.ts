/**
 * Asking for a seat, and taking it: two steps, so that a question can be asked again, and forgotten, before anything happens to a connection.
 *
 * The SDK would do both at once, and write the account's token and the seat's into the address of the socket, where proxies log it. Here
 * the account's token is in a header of the question alone. The seat's is in the question, with a ticket made for it; the ticket is
 * what the address has, and it opens the seat once.
 */

import { type Client, type Room, ServerError } from '@colyseus/sdk'

export type Reservation = { readonly client: Client; readonly seat: Seat }

type Seat = Parameters<Client['consumeSeatReservation']>[0] & { readonly reconnectionToken?: string }

export type Question = {
  readonly method: 'create' | 'joinOrCreate' | 'joinById' | 'reconnect'
  /** A kind of room, or the id of one. */
  readonly name: string
  readonly options: object
  /** The account's. */
  readonly token?: string | undefined
  /**
   * Over connections of its own, without cookies. Those of the page may be dead, and a browser that still tries to make some would rather wait for
   * one of them than make a new one for the socket.
   */
  readonly isApart?: boolean
  readonly signal?: AbortSignal
}

/** What a server answers, or something before it, to those without the cookie that it knows its users by. */
export const NOT_SIGNED_IN: readonly number[] = [401, 403]

/** Asks for a seat. Rejects with the server's `code` and `message`. */
export async function askForSeat(
  client: Client,
  { method, name, options, token, isApart = false, signal }: Question,
): Promise<Reservation> {
  const headers = { accept: 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  const credentials = isApart ? 'omit' : 'include'
  const request = { body: options, headers, credentials, ...(signal && { signal }) }
  const { data } = await client.http.post(`/matchmake/${method}/${name}` as never, request as never)
  return { client, seat: data as unknown as Seat }
}

/** What a client shows to get its seat back. */
export type Claim = {
  readonly roomId: string
  readonly token: string
  /** Asked by a page that was loaded anew, not by the one that has lost its connection. */
  readonly isNewPage?: boolean
  readonly isApart?: boolean
  readonly signal?: AbortSignal
}

/** Asks for a seat that was had before. */
export async function claimSeat(
  client: Client,
  { roomId, token, isNewPage, isApart, signal }: Claim,
): Promise<Reservation> {
  const ticket = newTicket()
  const reconnectionToken = [token, ticket, ...(isNewPage ? ['new'] : [])].join('.')
  const question: Question = {
    method: 'reconnect',
    name: roomId,
    options: { reconnectionToken },
    ...(isApart && { isApart }),
    ...(signal && { signal }),
  }
  const { seat } = await askForSeat(client, question)
  // Where one is led to a page to sign in at, that page is the answer.
  if (typeof seat?.sessionId !== 'string') throw new ServerError(NOT_SIGNED_IN[0], 'the answer has no seat')
  return { client, seat: { ...seat, reconnectionToken: ticket } }
}

/** Connects to the room. */
export function takeSeat({ client, seat }: Reservation): Promise<Room> {
  return client.consumeSeatReservation(seat)
}

/** The token of the seat that a connection is for. */
export function tokenOf({ reconnectionToken = '' }: Room): string {
  return reconnectionToken.split(':')[1] ?? ''
}

const TICKET_BYTES = 16

function newTicket(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(TICKET_BYTES))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
