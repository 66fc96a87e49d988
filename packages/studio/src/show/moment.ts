/**
 * A moment as an address: `#game=arena&seed=5&tick=120`, with `&scene=…`, `&option.crowd=5000` or the record of what
 * hands did.
 *
 * A match of bots follows from its seed. One that a person played needs those inputs too; they travel as a replay file
 * without keyframes, packed, as long as that fits into an address.
 */

type Page = (typeof PAGES)[number]
const PAGES = ['play', 'lab', 'online'] as const
type Join = (typeof JOINS)[number]
const JOINS = ['seat', 'create', 'watch'] as const

export type Moment = {
  readonly game: string
  readonly scene: string
  readonly seed: number | undefined
  readonly tick: number | undefined
  /** Options of the game that differ from those of the scene. */
  readonly options: Readonly<Record<string, OptionValue>>
  /** A replay file, packed. */
  readonly record: string
  readonly page: Page
  /** A room of the server; '' for any. */
  readonly room: string
  /** How to enter it. */
  readonly join: Join
  /** Ticks to come back to, with notes: `120:first hit;300`. */
  readonly bookmarks: string
  /** Whether the panels are open; undefined where the address does not say. */
  readonly inspect: boolean | undefined
}

type OptionValue = string | number | boolean
const OPTION = 'option.'

/** Longer addresses break in chats and mail programs. */
const LONGEST_RECORD = 16_000

export function readMoment(hash: string): Moment | undefined {
  const given = new URLSearchParams(hash.replace(/^#/, ''))
  const game = given.get('game')
  if (game === null || !/^[a-z][a-z0-9-]*$/.test(game)) return undefined
  return {
    game,
    scene: given.get('scene') ?? '',
    seed: readWhole(given.get('seed')),
    tick: readWhole(given.get('tick')),
    options: readOptions(given),
    record: given.get('record') ?? '',
    page: PAGES.find((page) => page === given.get('page')) ?? 'play',
    room: given.get('room') ?? '',
    join: JOINS.find((join) => join === given.get('join')) ?? 'seat',
    bookmarks: given.get('bookmarks') ?? '',
    inspect: given.has('inspect') ? given.get('inspect') !== '0' : undefined,
  }
}

export function writeMoment(moment: Partial<Moment> & { readonly game: string }): string {
  const written = new URLSearchParams({ game: moment.game })
  if (moment.page !== undefined && moment.page !== 'play') written.set('page', moment.page)
  if (moment.room) written.set('room', moment.room)
  if (moment.join !== undefined && moment.join !== 'seat') written.set('join', moment.join)
  if (moment.inspect !== undefined) written.set('inspect', moment.inspect ? '1' : '0')
  if (moment.scene) written.set('scene', moment.scene)
  if (moment.seed !== undefined) written.set('seed', String(moment.seed))
  if (moment.tick !== undefined) written.set('tick', String(moment.tick))
  if (moment.bookmarks) written.set('bookmarks', moment.bookmarks)
  for (const [name, value] of Object.entries(moment.options ?? {})) written.set(`${OPTION}${name}`, String(value))
  if (moment.record) written.set('record', moment.record)
  return `#${written}`
}

/** Packs a replay file for an address; '' when it would be too long. */
export async function packRecord(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const packed = await pipe(bytes, new CompressionStream('deflate-raw'))
  let text = ''
  for (const byte of packed) text += String.fromCharCode(byte)
  const record = btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
  return record.length <= LONGEST_RECORD ? record : ''
}

export async function unpackRecord(record: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const text = atob(record.replace(/-/g, '+').replace(/_/g, '/'))
    const packed = Uint8Array.from(text, (letter) => letter.charCodeAt(0))
    return await pipe(packed, new DecompressionStream('deflate-raw'))
  } catch {
    throw new Error(
      'The inputs in this link are damaged: some of it was lost on the way. Ask for the link again, or for the replay.',
    )
  }
}

async function pipe(bytes: Uint8Array<ArrayBuffer>, through: TransformStream): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(through as ReadableWritablePair<Uint8Array, Uint8Array>)
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

function readWhole(text: string | null): number | undefined {
  if (text === null || !/^\d{1,16}$/.test(text)) return undefined
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : undefined
}

/** The engine checks whether an option exists and may have the value. */
function readOptions(given: URLSearchParams): Record<string, OptionValue> {
  const options: Record<string, OptionValue> = {}
  for (const [key, text] of given) {
    if (!key.startsWith(OPTION)) continue
    const whole = readWhole(text)
    options[key.slice(OPTION.length)] = text === 'true' || text === 'false' ? text === 'true' : (whole ?? text)
  }
  return options
}
