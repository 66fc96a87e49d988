/**
 * Who plays: what a room knows of a player before giving it a seat.
 *
 * Without `auth` everybody is a guest with a name. With it, a client that asks for a seat shows a token, and the game's own accounts
 * say who that is, what it is called and what it brings along. Asked where the seat is given, which may be another
 * process than the room's, so what is known travels as plain data. In a rolling deploy that process may even have another build
 * of the game: then the room checks what only its own build can.
 */

import { type AuthContext, ServerError } from '@colyseus/core'
import { refusalOf } from '@hurtbox/netcode'
import { type AnyJoinData, calling, readJoinData } from 'hurtbox/tools'
import type { JoinOptions, RoomConfig } from './config.ts'
import { callUser } from './lateness.ts'
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
  readonly data: AnyJoinData | undefined
}

/** What travels to the room with a seat. */
export type Admission = {
  readonly identity: Omit<Identity, 'data'> & { readonly data: unknown }
  /** Whether the data fit the build of the room. */
  readonly isChecked: boolean
}

/** What `onAuth` is told. `isOfRoom`: the room is asked for by its id, and its listing says that it is of the client's build. */
export type SeatContext = AuthContext & { readonly isOfRoom?: boolean }

/** How long players wait for accounts that do not answer. */
const PATIENCE_MS = 5_000
const ID_LENGTH = 128
const UNKNOWN = 'It cannot be found out who you are now; try again.'

/** Lets a player in, or throws what it is refused with. */
export async function identify(
  config: RoomConfig,
  token: string,
  options: Partial<JoinOptions> = {},
  context?: SeatContext,
): Promise<Admission> {
  const refusal = refusalOf(config.game, options.hello)
  if (refusal !== undefined && !context?.isOfRoom) throw new ServerError(426, refusal)
  const isChecked = refusal === undefined
  const address = [context?.ip].flat()[0] ?? ''
  const spectate = options.spectate === true
  const account = config.auth && (await accountOf(config.auth, token, config, { ...options, spectate, address }))
  const { id = '', name = options.name, data = options.data } = account ?? {}
  const brought = spectate ? undefined : data
  return {
    identity: { id, name: cleanName(name), data: isChecked ? checkData(config, brought) : brought },
    isChecked,
  }
}

/** In the process of the room: whichever process gave the seat, no client of another build plays here, and no stranger where there are accounts. */
export function checkAdmission(
  config: RoomConfig,
  { hello }: Partial<JoinOptions>,
  auth?: Partial<Admission>,
): Identity {
  const refusal = refusalOf(config.game, hello)
  if (refusal !== undefined) throw new ServerError(426, refusal)
  // A process that does not have the game gives seats without asking who it is.
  if (auth?.identity === undefined && config.auth !== undefined) throw new ServerError(503, UNKNOWN)
  const { identity = { id: '', name: '', data: undefined }, isChecked = true } = auth ?? {}
  return { ...identity, data: isChecked ? (identity.data as Identity['data']) : checkData(config, identity.data) }
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
    const asked = callUser('auth', () => auth(String(token ?? ''), request))
    answer = await Promise.race([asked, late])
  } catch (error) {
    // For the operator; the player learns that it is no fault of the token.
    console.error(`auth of ${game.declaration.id} failed`, error)
    throw new ServerError(503, UNKNOWN)
  } finally {
    clearTimeout(timer)
  }
  if (typeof answer === 'string') throw new ServerError(403, answer)
  if (answer === undefined) throw new ServerError(401, 'Sign in first: this server does not know who you are.')
  if (typeof answer.id === 'string' && answer.id !== '' && answer.id.length <= ID_LENGTH) return answer
  console.error(`auth of ${game.declaration.id} gave no id: a text of 1 to ${ID_LENGTH} characters`)
  throw new ServerError(503, UNKNOWN)
}

function checkData({ game, checkJoinData }: RoomConfig, given: unknown): Identity['data'] {
  if (given === undefined) return undefined
  let data: AnyJoinData
  try {
    data = readJoinData(game, given)
  } catch (error) {
    throw new ServerError(400, (error as Error).message)
  }
  const refusal = calling({ what: 'checkJoinData' }, () => checkJoinData?.(data, game))
  if (refusal !== undefined) throw new ServerError(403, refusal)
  return data
}
