/**
 * Who plays: what a room knows of a player before giving it a seat.
 *
 * Without `auth` everybody is a guest with a name. With it, a client that asks for a seat shows a token, and the game's own accounts
 * say who that is, what it is called and what it brings along. Asked where the seat is given, which may be another
 * process than the room's, so what is known travels as plain data.
 */

import { ServerError } from '@colyseus/core'
import { refusalOf } from '@hurtbox/netcode'
import { HurtboxError } from 'hurtbox'
import { readJoinData } from 'hurtbox/tools'
import type { JoinOptions, RoomConfig } from './config.ts'
import { cleanName } from './roster.ts'

/** What `auth` is told besides the token. */
export type AuthRequest = {
  readonly game: string
  /** What the player asks to bring along, not checked. */
  readonly data: unknown
  /** Where the request comes from. */
  readonly address: string
  readonly spectate: boolean
}

/** Who it is. */
export type Account = {
  /** The same for the same player, whenever it comes. Never sent to other players. */
  readonly id: string
  /** Default: the name that the player asked for. */
  readonly name?: string
  /** What it brings along, by the fields of the declared `join`. Default: what the player asked for. */
  readonly data?: unknown
}

/** Says whose token it is; `undefined` refuses it, and so does a sentence, which the player is shown. */
export type Auth = (
  token: string,
  request: AuthRequest,
) => Account | string | undefined | Promise<Account | string | undefined>

/** What a room is told of a player who has been let in. */
export type Identity = {
  readonly id: string
  readonly name: string
  readonly data: Readonly<Record<string, number>> | undefined
}

/** How long players wait for accounts that do not answer. */
const PATIENCE_MS = 5_000
const ID_LENGTH = 128

/** Lets a player in, or throws what it is refused with. */
export async function identify(
  config: RoomConfig,
  token: string,
  options: Partial<JoinOptions> = {},
  address: string = '',
): Promise<{ readonly identity: Identity }> {
  const refusal = refusalOf(config.game, options.hello)
  if (refusal !== undefined) throw new ServerError(426, refusal)
  const spectate = options.spectate === true
  const account = config.auth && (await accountOf(config.auth, token, config, { ...options, spectate, address }))
  const { id = '', name = options.name, data = options.data } = account ?? {}
  return {
    identity: { id, name: cleanName(name), data: spectate || data === undefined ? undefined : checkData(config, data) },
  }
}

async function accountOf(
  auth: Auth,
  token: string,
  { game }: RoomConfig,
  { data, address, spectate }: { data?: unknown; address: string; spectate: boolean },
): Promise<Account> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`auth gave no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS)
  })
  let answer: Account | string | undefined
  try {
    const request = { game: game.declaration.id, data, address, spectate }
    answer = await Promise.race([auth(String(token ?? ''), request), late])
  } catch (error) {
    // For the operator; the player learns that it is no fault of the token.
    console.error(`auth of ${game.declaration.id} failed`, error)
    throw new ServerError(503, 'It cannot be found out who you are now; try again.')
  } finally {
    clearTimeout(timer)
  }
  if (typeof answer === 'string') throw new ServerError(403, answer)
  if (answer === undefined) throw new ServerError(401, 'Sign in first: this server does not know who you are.')
  if (typeof answer.id === 'string' && answer.id !== '' && answer.id.length <= ID_LENGTH) return answer
  console.error(`auth of ${game.declaration.id} gave no id: a text of 1 to ${ID_LENGTH} characters`)
  throw new ServerError(503, 'It cannot be found out who you are now; try again.')
}

function checkData({ game, checkJoinData }: RoomConfig, given: unknown): Readonly<Record<string, number>> {
  let data: Readonly<Record<string, number>>
  try {
    if (game.declaration.join === undefined) {
      throw new HurtboxError('bad-argument', `${game.declaration.id} takes nothing along: it declares no join.`)
    }
    data = readJoinData(game, given)
  } catch (error) {
    throw new ServerError(400, (error as Error).message)
  }
  const refusal = checkJoinData?.(data, game)
  if (refusal !== undefined) throw new ServerError(403, refusal)
  return data
}
