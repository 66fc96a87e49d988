/**
 * A whole page for players of one game: alone or with others, on a desk or a phone, from the title to the rematch.
 *
 * It is made of the parts that are published beside it; a page that wants another order of things takes those instead.
 *
 * @module @hurtbox/view/page
 */

import type { LoadedModule } from 'hurtbox/module'
import { type Match, tellError } from 'hurtbox/picture'
import type { AnyWorld } from 'hurtbox/tools'
import { createRemap, type Remap } from '../hand/remap.ts'
import { isKnown, keepKnown } from '../kept.ts'
import { type KeySheet, showKeys } from '../keys/index.ts'
import { colourOf, namesFor, seatName } from '../names.ts'
import { playOffline } from '../offline.ts'
import { outcomeOf } from '../outcome.ts'
import { makeButton, setText } from '../parts/dom.ts'
import { moduleOf, type Playable } from '../playable.ts'
import {
  giveLink,
  type Invitation,
  joinWords,
  lineWords,
  linkTo,
  ownSeat,
  type RoomMatch,
  type RoomReading,
  readInvitation,
  readRoom,
  roomWords,
} from '../room/index.ts'
import { countDown, type Sheet, showEnd, showMessage, showStart } from '../sheets/index.ts'
import { createSoundButton, createVolume, type Volume } from '../sound/index.ts'
import { screenAt } from '../stage/stage.ts'
import { viewOf } from '../stage/view-of.ts'
import type { View } from '../view.ts'
import { type Shown, showMatch } from './show-match.ts'
import { makeUi, type Ui } from './ui.ts'

export { type Shown, type ShowOptions, showMatch } from './show-match.ts'

export type PageOptions = {
  /** How the game is drawn. Default: the view that its module names. */
  readonly view?: View
  /**
   * Joins a room: `(choices) => joinGame(server, module, choices)`. Called with no choices for any room, else with those of an invitation.
   * Left out, the page plays alone.
   */
  join?(choices: Partial<Invitation>): Promise<RoomMatch & { whenPlaying(): Promise<unknown> }>
  /** How long a phone shakes when a button on the glass goes down, ms. Default 0. */
  readonly vibrateMs?: number
}

export type Page = {
  /** What is played now. */
  readonly match: Match | undefined
  /** What the game is drawn on, and where on it a place of the world is: for `attachStudio`. */
  readonly canvas: HTMLElement
  project(x: number, y: number, z: number, out: { x: number; y: number }): void
  close(): void
}

/** What the functions below share. */
type Open = {
  readonly module: LoadedModule
  readonly view: View
  readonly options: PageOptions
  readonly remap: Remap
  readonly volume: Volume
  readonly ui: Ui
  shown: Shown | undefined
  match: Match | undefined
  /** The match, where it is one with others. */
  room: RoomMatch | undefined
  sheet: Sheet | KeySheet | undefined
  /** Whether the match of the page waits for the player. */
  isHeld: boolean
  /** Which end the sheet tells of, so that it is told once. */
  told: string
  /** Words that stand for a while where the state of the match is told otherwise. */
  said: { readonly words: string; readonly until: number }
  isClosed: boolean
}

/** Fills an element with the page of a game. */
export function openPage(element: HTMLElement, playable: Playable, options: PageOptions = {}): Page {
  const module = moduleOf(playable)
  const ui = makeUi(element, module, options.join !== undefined)
  let open: Open | undefined
  let isClosed = false
  const stop = new AbortController()
  const load = async () => {
    const view = options.view ?? (await viewOf(module))
    if (isClosed) return
    open = {
      ...{ module, view, options, ui, remap: createRemap(module.id), volume: createVolume() },
      ...{ shown: undefined, match: undefined, room: undefined, sheet: undefined, isHeld: false },
      ...{ told: '', said: { words: '', until: 0 }, isClosed: false },
    }
    connectUi(open)
    const follow = () => void visit(open!)
    addEventListener('hashchange', follow, { signal: stop.signal })
    await visit(open, true)
  }
  load().catch((error) => tell(ui, error))
  return {
    get match() {
      return open?.match
    },
    canvas: ui.view,
    project(x, y, z, out) {
      const stage = open?.shown?.stage
      if (stage !== undefined) screenAt(stage, x, y, z, out)
    },
    close() {
      isClosed = true
      stop.abort()
      if (open !== undefined) {
        open.isClosed = true
        clear(open)
      }
      element.replaceChildren()
    },
  }
}

/** Who opens a friend's link plays with it, or watches; all others see the title. */
async function visit(open: Open, isFirst = false): Promise<void> {
  const invited = open.options.join && readInvitation(location.hash)
  if (isFirst) playAlone(open, true)
  if (invited === undefined || invited.roomId === open.room?.room.roomId) return
  await playOnline(open, invited)
}

/** In the page, with the bots of the game. */
function playAlone(open: Open, isTitle = false): void {
  const { module } = open
  show(open, playOffline(module, { seed: Math.floor(Math.random() * 1_000_000) }) as Match, undefined)
  open.isHeld = true
  if (isTitle) showTitle(open)
  else count(open)
}

function count(open: Open): void {
  open.sheet?.close()
  open.sheet = countDown(open.ui.view, () => {
    open.isHeld = false
    open.sheet = undefined
  })
}

function showTitle(open: Open): void {
  const { module, view, remap, ui, options } = open
  const begin = makeButton('begin', 'Play', () => {
    keepKnown(module)
    count(open)
  })
  begin.classList.add('is-first')
  const others =
    options.join === undefined ? [] : [makeButton('begin-online', 'Play online', () => void playOnline(open))]
  const keys = makeButton('how', 'Change keys', () => showHelp(open))
  open.sheet = showStart(ui.view, { playable: module, view, remap, actions: [begin, ...others, keys] })
}

/** In the room that somebody invited to, else in any. */
async function playOnline(open: Open, choices: Partial<Invitation> = {}): Promise<void> {
  const { options, ui, module, view, remap } = open
  if (options.join === undefined) return
  setText(ui.status, 'joining …')
  try {
    const room = await options.join(choices)
    await room.whenPlaying()
    if (open.isClosed) return void room.leave()
    show(open, room, room)
    if (ownSeat(room) < 0 || isKnown(module)) return
    // The match goes on meanwhile: others are in it.
    const play = makeButton('begin', 'Play', () => {
      keepKnown(module)
      open.sheet?.close()
      open.sheet = undefined
    })
    play.classList.add('is-first')
    open.sheet = showStart(ui.view, { playable: module, view, remap, actions: [play] })
  } catch (error) {
    say(open, joinWords(error), Number.POSITIVE_INFINITY)
  }
}

/** Puts a match in the place of the one before. */
function show(open: Open, match: Match, room: RoomMatch | undefined): void {
  const { module, view, remap, volume, ui, options } = open
  clear(open)
  Object.assign(open, { match, room, isHeld: false, told: '', said: { words: '', until: 0 } })
  const plays = ownSeat(match) >= 0
  open.shown = showMatch(ui.view, {
    ...{ playable: module, view, match, remap, volume, plays, vibrateMs: options.vibrateMs ?? 0 },
    figures: ui.figures,
    playerName: (seat) => nameIn(open, seat),
    isHeld: () => open.isHeld,
    onOtherKey: (event) => onKey(open, event),
    onPulse: (world) => follow(open, world),
    onError: (error) => tell(ui, error),
  })
  const { pathname, search } = location
  const invitation = room && { roomId: room.room.roomId, spectate: !plays }
  history.replaceState(null, '', invitation === undefined ? pathname + search : linkTo(invitation))
  ui.friends.hidden = room === undefined
  if (ui.code !== undefined) ui.code.hidden = room !== undefined
  setText(ui.status, '')
}

/** Takes the match off the page and leaves it. */
function clear(open: Open): void {
  open.sheet?.close()
  open.shown?.close()
  void open.match?.leave()
  Object.assign(open, { sheet: undefined, shown: undefined, match: undefined, room: undefined })
}

function nameIn({ room, match }: Open, seat: number): string {
  if (room === undefined) return namesFor(match?.seat ?? -1)(seat)
  if (seat === room.seat) return 'You'
  return readRoom(room).roster.find((entry) => entry.seat === seat)?.name ?? seatName(seat)
}

/** Ten times a second: says how the match is, and shows its end. */
function follow(open: Open, world: AnyWorld | undefined): void {
  const { ui, view, module, room } = open
  const reading = room && readRoom(room)
  if (reading !== undefined) {
    ui.roster.update(reading, world === undefined ? undefined : (seat) => colourOf(view, world, seat))
    setText(ui.watching, reading.watching > 0 ? `${reading.watching} watching` : '')
    const line = lineWords(reading.status)
    ui.notice.update({ says: line, more: line === '' ? '' : 'Reconnecting …' })
    setText(ui.ping, reading.status === 'playing' ? `${reading.rttMs} ms` : '')
    setText(ui.status, performance.now() < open.said.until ? open.said.words : roomWords(reading))
    showReplay(open, reading)
  } else if (open.said.words !== '') {
    setText(ui.status, performance.now() < open.said.until ? open.said.words : '')
  }
  const outcome = world === undefined ? undefined : outcomeOf(module, view, world, (seat) => nameIn(open, seat))
  const isOver = outcome !== undefined && (reading === undefined || reading.phase === 'over')
  const now = reading?.ending ? 'ended' : isOver ? 'over' : ''
  if (now !== open.told) {
    open.told = now
    if (now !== '' || open.sheet?.element.dataset.part === 'end') open.sheet?.close()
    if (now === 'over') open.sheet = endOf(open, outcome!, reading)
    if (now === 'ended') open.sheet = lostIn(open, reading!)
  }
  if (reading !== undefined && now === 'over') noteRematch(open, reading)
}

function endOf(
  open: Open,
  outcome: NonNullable<ReturnType<typeof outcomeOf>>,
  reading: RoomReading | undefined,
): Sheet {
  const { ui, room } = open
  const alone = makeButton('alone-again', reading === undefined ? 'Play again' : 'Play alone', () => playAlone(open))
  if (room === undefined || reading === undefined) {
    alone.classList.add('is-first')
    return showEnd(ui.view, outcome, [alone])
  }
  const rematch = makeButton('rematch', 'Rematch', () => room.rematch())
  rematch.classList.add('is-first')
  const plays = reading.seat >= 0
  const note = plays ? 'The next match begins when all want it, or in a few seconds.' : 'The next match begins soon.'
  return showEnd(ui.view, outcome, plays ? [rematch, alone] : [alone], note)
}

/** How many of the people in the room want the next match. */
function noteRematch({ ui }: Open, { roster, seat }: RoomReading): void {
  const button = ui.view.querySelector<HTMLButtonElement>('[data-part=rematch]')
  if (button === null) return
  const people = roster.filter(({ isBot, isAway }) => !isBot && !isAway)
  const agreed = people.filter(({ wantsRematch }) => wantsRematch).length
  const hasAgreed = people.some((entry) => entry.seat === seat && entry.wantsRematch)
  button.disabled = hasAgreed
  setText(button, hasAgreed ? `Waiting for the others: ${agreed} of ${people.length}` : 'Rematch')
}

/** The match is over for this page: it has failed, or there is no way back. */
function lostIn(open: Open, { ending, failure }: RoomReading): Sheet {
  const again = makeButton('again', 'Play online', () => void playOnline(open))
  const alone = makeButton('alone-again', 'Play alone', () => playAlone(open))
  again.classList.add('is-first')
  return showMessage(open.ui.view, ending, failure?.message ?? '', [again, alone])
}

function showReplay({ ui }: Open, { failure }: RoomReading): void {
  const address = failure?.replay
  ui.replay.hidden = address === undefined
  if (address !== undefined && ui.replay.href !== address) ui.replay.href = address
}

/** Escape stops a match in the page and lets it go on; `?` shows the keys. */
function onKey(open: Open, { key }: KeyboardEvent): boolean {
  if (key === '?') showHelp(open)
  else if (key === 'Escape' && open.room === undefined && open.told === '') pause(open)
  else return false
  return true
}

function pause(open: Open): void {
  const part = open.sheet?.element.dataset.part
  if (part === 'message') {
    open.sheet?.close()
    open.sheet = undefined
    open.isHeld = false
  } else if (open.sheet === undefined) {
    open.isHeld = true
    const goOn = makeButton('go-on', 'Go on', () => pause(open))
    goOn.classList.add('is-first')
    const again = makeButton('alone-again', 'Start again', () => playAlone(open))
    open.sheet = showMessage(open.ui.view, 'Paused', '', [goOn, again])
  }
}

function showHelp(open: Open): void {
  const { ui, module, view, remap } = open
  const wasHeld = open.isHeld
  open.isHeld = true
  showKeys(ui.element, { playable: module, view, remap }, () => void (open.isHeld = wasHeld))
}

function say(open: Open, words: string, forMs: number): void {
  open.said = { words, until: performance.now() + forMs }
  setText(open.ui.status, words)
}

/** What was thrown, with file and line while one develops. */
function tell(ui: Ui, error: unknown): void {
  console.error(error)
  void tellError(error).then((words) => setText(ui.status, words))
}

const SAID_MS = 3500

async function invite(open: Open, spectate: boolean): Promise<void> {
  const { room, module } = open
  if (room === undefined) return
  const link = linkTo({ roomId: room.room.roomId, spectate })
  const given = await giveLink(link, module.title)
  if (given === 'copied') say(open, `${spectate ? 'The link to watch' : 'The invitation'} is copied.`, SAID_MS)
  // It has to be copied by hand: it stays for as long as that takes.
  if (given === 'shown') say(open, link, 10 * SAID_MS)
}

function connectUi(open: Open): void {
  const { ui, volume } = open
  for (const each of ui.element.querySelectorAll('button')) each.disabled = false
  ui.sound.append(createSoundButton(volume))
  ui.acts.alone = () => playAlone(open)
  ui.acts.online = () => void playOnline(open)
  ui.acts.invite = () => void invite(open, false)
  ui.acts.watch = () => void invite(open, true)
  ui.acts.keys = () => showHelp(open)
  ui.acts.code = (invitation) => void playOnline(open, invitation)
}
