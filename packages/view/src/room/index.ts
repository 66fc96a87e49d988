/**
 * A match with others: who is in it, how the connection is, in sentences, and how friends come in.
 *
 * Works with what `joinGame` of `@hurtbox/colyseus/client` returns. Names of players are text and nothing else.
 *
 * @module @hurtbox/view/room
 */

import type { Match } from 'hurtbox/picture'
import { addStyle, make, makeButton, setText } from '../parts/dom.ts'
import { BASE } from '../parts/style.ts'

/** What is asked of a connection; `GameConnection` of `@hurtbox/colyseus/client` has it. */
// biome-ignore lint/suspicious/noExplicitAny: a match of a game that the compiler does not know.
export type RoomMatch = Match<any> & {
  readonly status: 'joining' | 'playing' | 'away' | 'reconnecting' | 'moved' | 'failed' | 'ended'
  readonly rttMs: number | undefined
  readonly ending: { readonly code: number; readonly reason: string } | undefined
  readonly failure: { readonly message: string; readonly replay?: string | undefined } | undefined
  readonly room: { readonly roomId: string; readonly state?: unknown }
  rematch(): void
}

export type Entry = {
  readonly seat: number
  readonly name: string
  readonly isBot: boolean
  readonly isAway: boolean
  readonly score: number
  readonly pingMs: number
  readonly wantsRematch: boolean
}

export type RoomReading = {
  readonly status: RoomMatch['status']
  /** −1 for one who only watches. */
  readonly seat: number
  readonly code: string
  readonly phase: string
  /** Of a match that is over: who has won and what the result says besides; '' for nothing. */
  readonly winner: string
  readonly summary: string
  readonly roster: readonly Entry[]
  readonly watching: number
  readonly rttMs: number
  /** Why the match is over for this page, as a sentence; '' while it is not. */
  readonly ending: string
  readonly failure: RoomMatch['failure']
}

/** The seat that a connection names for those who only watch. */
const NO_SEAT = 255

/** The seat that is played from this page; −1 for none. */
export function ownSeat({ seat }: { readonly seat: number }): number {
  return seat === NO_SEAT ? -1 : seat
}

/** What there is to say about a room now. The state is Colyseus's and has no types here: each value is checked. */
export function readRoom(match: RoomMatch): RoomReading {
  const { room, rttMs = 0, status, ending, failure } = match
  const state = room.state as
    | {
        phase?: unknown
        winner?: unknown
        summary?: unknown
        spectators?: unknown
        roster?: { forEach(each: (entry: Partial<Entry>) => void): void }
      }
    | undefined
  const roster: Entry[] = []
  state?.roster?.forEach((entry) => {
    roster.push({
      seat: Number(entry.seat ?? 0),
      name: String(entry.name ?? ''),
      isBot: entry.isBot === true,
      isAway: entry.isAway === true,
      score: Number(entry.score ?? 0),
      pingMs: Number(entry.pingMs ?? 0),
      wantsRematch: entry.wantsRematch === true,
    })
  })
  return {
    status,
    seat: ownSeat(match),
    code: room.roomId,
    phase: String(state?.phase ?? ''),
    winner: String(state?.winner ?? ''),
    summary: String(state?.summary ?? ''),
    roster: roster.sort((a, b) => a.seat - b.seat),
    watching: Number(state?.spectators ?? 0),
    rttMs: Math.round(rttMs),
    ending: failure !== undefined ? 'The match has failed.' : ending === undefined ? '' : endingWords(ending),
    failure,
  }
}

/** How the match and its connection are, in a sentence. */
export function roomWords(reading: RoomReading): string {
  const { status, seat, roster, ending, failure, phase, winner, summary } = reading
  if (status === 'failed') return `The match has failed: ${failure?.message}`
  if (status === 'ended') return ending === '' ? 'The match has ended here.' : ending
  const lost = lineWords(status)
  if (lost !== '') return `${lost} Reconnecting …`
  if (phase === 'over') {
    const outcome = `${winner && `, won by ${winner}`}${summary && ` (${summary})`}`
    return `The match is over${outcome}. The next one begins when all want it, or in a moment.`
  }
  const away = roster.filter(({ isAway, seat: other }) => isAway && other !== seat).map(({ name }) => `${name} is away`)
  return [seat < 0 ? 'watching' : `online, seat ${seat}`, ...away].join(', ')
}

/** What is wrong with the connection, as a sentence; '' while nothing is. */
export function lineWords(status: RoomMatch['status']): string {
  if (status === 'moved') return 'The match moves to another server.'
  return status === 'reconnecting' ? 'The connection is lost.' : ''
}

/** Codes with which a room closes a connection. */
const ENDINGS: Readonly<Record<number, string>> = {
  4001: 'The server has been stopped.',
  4002: 'The server had a problem with this match.',
}
/** There is no way back to the match. The reason says why, in words for players. */
const NO_WAY_BACK = 4003

/** Why a match has ended for this page: a number says nothing to anybody. */
export function endingWords({ code, reason }: { readonly code: number; readonly reason: string }): string {
  const known = ENDINGS[code]
  if (known !== undefined) return known
  if (code === NO_WAY_BACK && reason !== '') {
    return `${reason[0].toUpperCase()}${reason.slice(1)}${reason.endsWith('.') ? '' : '.'}`
  }
  return reason === '' ? 'The connection to the match has ended.' : `The match has ended here: ${reason}.`
}

/** Answers of a matchmaker: there is no such room; the seat is gone. */
const ROOM_GONE: readonly number[] = [522, 524]

/** Why one could not come in. */
export function joinWords(error: unknown): string {
  const { code } = error as { code?: number }
  if (code !== undefined && ROOM_GONE.includes(code)) return 'This room is gone: everybody has left it.'
  const message = error instanceof Error ? error.message : String(error)
  // What a browser says when nobody answers differs from one to the next.
  const isSilence = /failed to fetch|networkerror|load failed|fetch failed|offline/i.test(message)
  return isSilence || error instanceof ProgressEvent ? 'The server does not answer.' : message
}

/** Where a link or a code leads: into a room, to play or to watch. */
export type Invitation = { readonly roomId: string; readonly spectate: boolean }

/** Of a whole link, of the part behind its `#`, or of a code that somebody has typed; undefined where it is none. */
export function readInvitation(text: string): Invitation | undefined {
  const [, way, roomId] = /#(room|watch)=([\w-]+)$/.exec(text) ?? []
  if (roomId !== undefined) return { roomId, spectate: way === 'watch' }
  const code = text.trim()
  return /^[\w-]{4,}$/.test(code) ? { roomId: code, spectate: false } : undefined
}

/** The address that leads into a room of this page. */
export function linkTo({ roomId, spectate }: Invitation): string {
  return new URL(`#${spectate ? 'watch' : 'room'}=${roomId}`, location.href).href
}

/**
 * Gives a link away: by the share sheet of a phone, else into the clipboard. Returns what happened; after `shown` the link has to be shown
 * to be copied by hand, as in pages without https.
 */
export async function giveLink(url: string, title: string): Promise<'shared' | 'copied' | 'shown'> {
  if (matchMedia('(pointer: coarse)').matches && navigator.share !== undefined) {
    const isShared = await navigator.share({ title, url }).then(
      () => true,
      () => false,
    )
    if (isShared) return 'shared'
  }
  return (await copyText(url)) ? 'copied' : 'shown'
}

/** Whether a text is in the clipboard now. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // No permission, or a page without https: what is selected can be copied there, too.
    return copySelected(text)
  }
}

function copySelected(text: string): boolean {
  const field = make('textarea', { value: text, readOnly: true })
  field.style.position = 'fixed'
  field.style.opacity = '0'
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand?.('copy') === true
  field.remove()
  return isCopied
}

const STYLE = `
.hb-roster { display: grid; gap: 4px; margin: 0; padding: 0; list-style: none; }
.hb-roster li { display: flex; align-items: center; gap: 6px; }
.hb-roster span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.hb-roster small { color: var(--hb-muted); }
.hb-roster b { margin-left: auto; font-family: var(--hb-mono); }
.hb-roster .is-you span { font-weight: 700; }
.hb-code { display: flex; flex-wrap: wrap; align-items: end; gap: 8px; }
.hb-code label { display: grid; gap: 2px; color: var(--hb-muted); font-size: 12px; }
.hb-code input {
  box-sizing: border-box; width: 15ch; min-height: 36px; padding: 6px 10px; border: 1px solid var(--hb-line); border-radius: 10px; background: var(--hb-ground);
  color: var(--hb-text); font: 14px var(--hb-mono);
}
`

export type Roster = {
  readonly element: HTMLElement
  /** `colourOf` gives the colour of a seat as it is drawn. */
  update(reading: RoomReading, colourOf?: (seat: number) => string): void
}

/** Who is in the room: bots, people, and who is away. */
export function createRoster(): Roster {
  addStyle(BASE)
  addStyle(STYLE)
  const element = make('ul', { className: 'hb-roster', ariaLabel: 'Players' })
  element.dataset.part = 'roster'
  let shown = ''
  return {
    element,
    update({ roster, seat }, colourOf = () => '') {
      const rows = roster.map((entry) => ({ ...entry, isYou: entry.seat === seat, colour: colourOf(entry.seat) }))
      const next = JSON.stringify(rows)
      if (next === shown) return
      shown = next
      element.replaceChildren(...rows.map(rosterRow))
    },
  }
}

function rosterRow(entry: Entry & { readonly isYou: boolean; readonly colour: string }): HTMLElement {
  const { name, isBot, isAway, pingMs, wantsRematch, score, isYou, colour } = entry
  const state = isBot ? 'bot' : isAway ? 'away' : wantsRematch ? 'wants a rematch' : pingMs > 0 ? `${pingMs} ms` : ''
  const swatch = make('i', { className: 'hb-swatch' })
  swatch.style.background = colour || 'transparent'
  const small = (text: string) => (text === '' ? undefined : make('small', {}, text))
  const row = make('li', {}, swatch, make('span', {}, name), small(isYou ? 'you' : ''), small(state))
  row.classList.toggle('is-you', isYou)
  row.append(make('b', {}, String(score)))
  return row
}

/** A field for the code of a room, or a link to it, and a button to go there. */
export function createCodeField(join: (invitation: Invitation) => void): HTMLElement {
  addStyle(BASE)
  addStyle(STYLE)
  const input = make('input', { type: 'text', autocomplete: 'off', spellcheck: false })
  const says = make('p', { className: 'hb-muted', role: 'status' })
  const go = makeButton('join-code', 'Join', () => {
    const invitation = readInvitation(input.value)
    setText(says, invitation === undefined ? 'A code has letters and digits only.' : '')
    if (invitation !== undefined) join(invitation)
  })
  input.addEventListener('keydown', ({ key }) => key === 'Enter' && go.click())
  const element = make('div', { className: 'hb-code' }, make('label', {}, 'Code of a room', input), go, says)
  element.dataset.part = 'code'
  return element
}
