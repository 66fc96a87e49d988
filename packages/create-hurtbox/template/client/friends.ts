/**
 * Friends by a link: `#room=…` in the address leads into that room, `#watch=…` looks on.
 *
 * Once one plays in a room, the address is the invitation. A lost connection finds its way back by itself; here it is told, and so is a rule
 * that threw on the server: in `npm run dev` with rule, things, file and line, elsewhere with the tick.
 */

import { type GameConnection, type JoinChoices, SPECTATOR } from '@hurtbox/colyseus/client'

const bar = document.querySelector<HTMLElement>('#friends')!
const rematch = document.querySelector<HTMLButtonElement>('#rematch')!
const replay = document.querySelector<HTMLAnchorElement>('#replay')!
const status = document.querySelector<HTMLElement>('#status')!
let match: GameConnection | undefined
let words = ''

/** The room that the address names; undefined where it names none. */
export function invitation(): JoinChoices | undefined {
  const [, way, roomId] = /^#(room|watch)=([\w-]+)$/.exec(location.hash) ?? []
  return roomId === undefined ? undefined : { roomId, spectate: way === 'watch' }
}

/** Shows the room that is played in from now on; undefined for none. */
export function enterRoom(next: GameConnection | undefined): void {
  match = next
  bar.hidden = next === undefined
  const { pathname, search } = location
  history.replaceState(
    null,
    '',
    next === undefined ? pathname + search : linkTo(next.seat === SPECTATOR ? 'watch' : 'room'),
  )
  words = ''
  status.textContent = ''
}

/** Says how the match and its connection are. Called after every frame. */
export function showRoom(): void {
  if (match === undefined) return
  rematch.hidden = match.seat === SPECTATOR || match.room.state?.phase !== 'over'
  rematch.disabled = wantsRematch(match)
  const { replay: address } = match.failure ?? {}
  replay.hidden = address === undefined
  if (address !== undefined) replay.href = address
  const next = wordsFor(match)
  // A text that stays is not written again: it would be read out again.
  if (next !== words) status.textContent = words = next
}

function wordsFor({ status, seat, ending, failure, room }: GameConnection): string {
  if (status === 'moved') return 'The match moves to another server. Reconnecting …'
  if (status === 'reconnecting') return 'The connection is lost. Reconnecting …'
  if (status === 'failed') return `The match has failed: ${failure?.message}`
  if (status === 'ended') return `The match has ended here: ${ending?.reason || 'the server does not answer'}.`
  if (room.state?.phase === 'over') {
    const { winner, summary } = room.state
    const outcome = `${winner && `, won by ${winner}`}${summary && ` (${summary})`}`
    return `The match is over${outcome}. The next one begins when all want it, or in a moment.`
  }
  const here = seat === SPECTATOR ? 'watching' : `online, seat ${seat}`
  return [here, ...awayPlayers(room, seat).map((name) => `${name} is away`)].join(', ')
}

/** Players who look elsewhere or have lost their connection. Their seats are kept for a while. */
function awayPlayers(room: GameConnection['room'], own: number): string[] {
  const names: string[] = []
  room.state?.roster?.forEach((player: { seat: number; name: string; isAway: boolean }) => {
    if (player.isAway && player.seat !== own) names.push(player.name)
  })
  return names
}

/** Whether the server knows that this player wants the next match. */
function wantsRematch({ room, seat }: GameConnection): boolean {
  let wants = false
  room.state?.roster?.forEach((player: { seat: number; wantsRematch: boolean }) => {
    if (player.seat === seat) wants = player.wantsRematch
  })
  return wants
}

function linkTo(way: 'room' | 'watch'): string {
  return new URL(`#${way}=${match!.room.roomId}`, location.href).href
}

/** A button that keeps the focus would be pressed again by the keys of the game. */
function onClick(selector: string, act: () => void): void {
  const button = document.querySelector<HTMLButtonElement>(selector)!
  button.addEventListener('click', () => {
    button.blur()
    act()
  })
}

async function copy(way: 'room' | 'watch', what: string): Promise<void> {
  const link = linkTo(way)
  // Pages without https may not write to the clipboard.
  const isCopied = await navigator.clipboard?.writeText(link).then(
    () => true,
    () => false,
  )
  status.textContent = isCopied ? `${what} is copied.` : link
}

onClick('#invite', () => void copy('room', 'The invitation'))
onClick('#watch', () => void copy('watch', 'The link to watch'))
onClick('#rematch', () => match?.rematch())
