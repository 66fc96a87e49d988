/**
 * An online match: the room's state drawn by the game's view, its players beside. Names are text and nothing else.
 *
 * Once one has a place, the address is the invitation: opening it leads into this room.
 */

import type { GameConnection } from '@hurtbox/colyseus/client'
import { describeDesync } from '@hurtbox/netcode/client'
import {
  colourOf,
  isKnown,
  keepKnown,
  outcomeOf,
  ownThing,
  type PlayerName,
  seatName,
  sentenceOf,
  type View,
} from '@hurtbox/view'
import {
  createHand,
  createKeyboard,
  createRemap,
  followMouse,
  type Hand,
  keysOf,
  type Remap,
  readHand,
  tapStage,
} from '@hurtbox/view/hand'
import { createRest, createStage, describeHud, drawStage, endRest, isResting, type Stage } from '@hurtbox/view/stage'
import { type Signal, useSignal } from '@preact/signals'
import type { EventRecord } from 'hurtbox'
import { type LoadedModule, meaningOfEvent } from 'hurtbox/module'
import type { Picture } from 'hurtbox/picture'
import type { AnyWorld } from 'hurtbox/tools'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { loadShownGame } from '../draw/views.ts'
import { copyText } from '../model/address.ts'
import type { Death } from '../model/studio.ts'
import { type Moment, writeMoment } from '../show/moment.ts'
import { Icon } from '../ui/icons.tsx'
import { Logo } from '../ui/logo.tsx'
import { onEachFrame } from '../ui/loop.ts'
import { Opening } from '../ui/opening.tsx'
import { keepAwake } from './awake.ts'
import { Choices } from './choices.tsx'
import { EndSheet } from './end.tsx'
import { endingWords, failureWords, statusWords } from './failures.ts'
import { HelpDialog } from './help-dialog.tsx'
import { HudLines, hudOf } from './hud.tsx'
import { DeathNotice } from './notices.tsx'
import { updateThenReload } from './offline.ts'
import { readName } from './player-name.ts'
import { serverUrl } from './server-url.ts'
import { createSound } from './sound.ts'
import { SoundControl } from './sound-control.tsx'
import { TitleSheet } from './title-sheet.tsx'
import { TouchPad } from './touch.tsx'
import '../ui/style/match.ts'

type Online = {
  readonly module: LoadedModule
  readonly view: View
  readonly connection: GameConnection
  /** False while only watching. */
  readonly plays: boolean
}

export function OnlinePage({ moment }: { moment: Moment }) {
  /** Counts how often one came in again. */
  const tries = useSignal(0)
  const place = useRef(moment)
  return (
    <Opening
      key={tries.value}
      open={async () => {
        const online = await join(place.current)
        place.current = { ...place.current, room: online.connection.room.roomId, join: online.plays ? 'seat' : 'watch' }
        history.replaceState(null, '', addressOf(online, online.plays ? 'seat' : 'watch'))
        return online
      }}
      close={({ connection }) => void connection.leave()}
      waiting="Joining…"
      describe={failureWords}
      retries
    >
      {(online) => (
        <Match
          {...online}
          rejoin={() => {
            // A match that failed has no room to come back to.
            if (online.connection.status === 'failed') place.current = { ...place.current, room: '', join: 'seat' }
            tries.value++
          }}
        />
      )}
    </Opening>
  )
}

async function join(moment: Moment): Promise<Online> {
  const [{ module, view }, { joinGame, SPECTATOR }] = await Promise.all([
    loadShownGame(moment.game),
    import('@hurtbox/colyseus/client'),
  ])
  const name = readName()
  try {
    const connection = await joinGame(serverUrl(), module, {
      ...(moment.room !== '' && { roomId: moment.room }),
      ...(name !== '' && { name }),
      create: moment.join === 'create',
      spectate: moment.join === 'watch',
    })
    await connection.whenPlaying()
    return { module, view, connection, plays: connection.seat !== SPECTATOR }
  } catch (error) {
    // The server plays other rules than this page: perhaps the page is an old one that the browser kept.
    if ((error as { code?: number }).code === WRONG_BUILD) await updateThenReload()
    throw error
  }
}

/** How a server refuses a client with other rules. */
const WRONG_BUILD = 426

function addressOf({ module, connection }: Online, join: Moment['join']): string {
  return writeMoment({ game: module.game.declaration.id, page: 'online', room: connection.room.roomId, join })
}

type Entry = {
  readonly seat: number
  readonly name: string
  readonly isBot: boolean
  readonly isAway: boolean
  readonly score: number
  readonly pingMs: number
  readonly wantsRematch: boolean
}
type Reading = {
  readonly roster: readonly Entry[]
  readonly phase: string
  readonly rttMs: number
  readonly status: GameConnection['status']
  readonly ending: string
  readonly failure: GameConnection['failure']
  readonly desyncs: number
  /** The last of them in words; '' for none. */
  readonly lastDesync: string
  readonly watching: number
}

const NOTHING: Reading = {
  roster: [],
  phase: '',
  rttMs: 0,
  status: 'joining',
  ending: '',
  failure: undefined,
  desyncs: 0,
  lastDesync: '',
  watching: 0,
}

function Match({ module, view, connection, plays, rejoin }: Online & { rejoin: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  const hand = useRef<Hand | undefined>(undefined)
  const stageRef = useRef<Stage | undefined>(undefined)
  const reading = useSignal<Reading>(NOTHING)
  const world = useSignal<AnyWorld | undefined>(undefined)
  /** Counts ten times a second, for what shows the state: the world of a match stays the same object. */
  const pulse = useSignal(0)
  const death = useSignal<Death | undefined>(undefined)
  const toast = useSignal('')
  /** On a phone the list of players is a drawer. */
  const isListOpen = useSignal(false)
  const remap = useRef<Remap>(createRemap(module.id))
  /** Those who never played the game are told first what it is about. The match goes on meanwhile: others are in it. */
  const isNew = useSignal(plays && !isKnown(module))
  const isHelpOpen = useSignal(false)
  const playerName: PlayerName = (seat) =>
    plays && seat === connection.seat
      ? 'You'
      : (reading.peek().roster.find((entry) => entry.seat === seat)?.name ?? seatName(seat))

  useEffect(() => {
    document.title = `${module.title} online · Hurtbox studio`
    const gameKeys = keysOf(view.controls)
    const { acts } = remap.current
    const keyboard = createKeyboard({
      isGameKey: (code) => gameKeys.has(code) && !isHelpOpen.value && !isNew.value,
      onOtherKey: ({ key }) => key === '?' && (isHelpOpen.value = true),
      acts,
    })
    const own = createHand(keyboard, acts)
    hand.current = own
    const stage = createStage(place.current!, module, view)
    stageRef.current = stage
    stage.playerName = playerName
    const endMouse = followMouse(stage, own.mouse, () => plays)
    const sound = createSound(module, view)
    const endAwake = keepAwake(() => connection.status === 'playing')
    let readAt = 0
    const rest = createRest()
    const touch = () => endRest(rest, performance.now())
    for (const kind of TOUCHES) addEventListener(kind, touch)
    const endLoop = onEachFrame((nowMs) => {
      const picture = connection.update(performance.now(), (_tick, now) =>
        readHand(own, module.game, view.controls, now, connection.seat),
      )
      stage.seat = plays ? connection.seat : -1
      // After the end, and while the match is paused, the same is shown all the time; the connection goes on.
      if (picture !== undefined && !isResting(rest, nowMs, shownOn(stage, picture))) {
        const { isSlow } = connection
        stage.isMatchSlow = isSlow
        drawStage(stage, picture, nowMs)
        sound.play(picture.events, isSlow)
        if (plays) noteDeath(module, picture.after, picture.events, connection.seat, playerName, death)
      }
      if (nowMs - readAt < 100) return
      readAt = nowMs
      describeHud(stage)
      const next = read(connection)
      // Each change draws the page again.
      if (!isSame(next, reading.peek())) reading.value = next
      world.value = picture?.after
      pulse.value++
    })
    return () => {
      endLoop()
      for (const kind of TOUCHES) removeEventListener(kind, touch)
      endMouse()
      endAwake()
      sound.close()
      keyboard.close()
      stage.close()
    }
  }, [])

  const { roster, phase, rttMs, status, ending, failure, desyncs, lastDesync, watching } = reading.value
  const give = (what: 'seat' | 'watch', words: string) => {
    const url = new URL(addressOf({ module, view, connection, plays }, what), location.href).href
    const isHandheld = matchMedia('(pointer: coarse)').matches
    void copyText(url)
    if (isHandheld && navigator.share !== undefined) void navigator.share({ title: module.title, url }).catch(() => {})
    toast.value = words
    setTimeout(() => void (toast.value = ''), 3500)
  }
  // The last states of a match come after its end was told.
  if (phase === 'over') void pulse.value
  const outcome =
    phase === 'over' && world.value !== undefined ? outcomeOf(module, view, world.value, playerName) : undefined
  const people = roster.filter(({ isBot, isAway }) => !isBot && !isAway)
  const agreed = people.filter(({ wantsRematch }) => wantsRematch).length
  const hasAgreed = roster.some(({ seat, wantsRematch }) => seat === connection.seat && wantsRematch)
  return (
    <div class={`play online ${isListOpen.value ? 'is-listed' : ''}`}>
      <header class="bar">
        <a class="bar-home" href="#games" aria-label="Leave the room">
          <Logo />
        </a>
        <h1>{module.title}</h1>
        <span class="muted narrow-hidden" data-testid="room">
          room {connection.room.roomId}
        </span>
        <div class="bar-space" />
        <span class={`line ${status === 'playing' ? '' : 'is-lost'}`} data-testid="line">
          {status === 'playing' ? `${rttMs} ms` : statusWords(status)}
        </span>
        <button
          type="button"
          data-testid="invite"
          onClick={() => give('seat', 'The invitation is copied. People who open the link play here.')}
        >
          Invite
        </button>
        <button
          type="button"
          class="quiet"
          data-testid="watch-link"
          onClick={() => give('watch', 'The link to watch is copied.')}
        >
          Watch link
        </button>
        <SoundControl />
        <button
          type="button"
          class="icon"
          aria-label="Keys and help"
          title="Keys and help (?)"
          onClick={() => void (isHelpOpen.value = true)}
        >
          ?
        </button>
        <button
          type="button"
          class="icon wide-hidden"
          aria-label="Players"
          aria-expanded={isListOpen.value}
          onClick={() => void (isListOpen.value = !isListOpen.value)}
        >
          <Icon name="people" />
        </button>
      </header>
      <main class="match-view">
        <div class="stage">
          <div class="stage-canvases" ref={place} />
        </div>
        <Live pulse={pulse}>
          {() => (
            <>
              {world.value !== undefined && (
                <HudLines
                  view={view}
                  lines={hudOf(view, world.value, plays ? connection.seat : 0)}
                  remap={remap.current}
                />
              )}
              {plays && (
                <TouchPad
                  view={view}
                  hand={hand}
                  world={world.value}
                  seat={connection.seat}
                  onTap={(x, y) => {
                    if (stageRef.current && hand.current) tapStage(stageRef.current, hand.current.mouse, x, y)
                  }}
                />
              )}
              {plays && world.value !== undefined && status === 'playing' && (
                <DeathNotice module={module} world={world.value} seat={connection.seat} death={death.value} />
              )}
              {world.value !== undefined && phase !== 'over' && (
                <Choices
                  view={view}
                  world={world.value}
                  seat={plays ? connection.seat : -1}
                  remap={remap.current}
                  hand={hand}
                />
              )}
            </>
          )}
        </Live>
        {(status === 'reconnecting' || status === 'moved') && (
          <div class="notice is-bad" role="alert" data-testid="reconnecting">
            <b>{status === 'moved' ? 'The match moves to another server.' : 'The connection is lost.'}</b>
            <span>Reconnecting…</span>
          </div>
        )}
        {outcome !== undefined && ending === '' && (
          <EndSheet outcome={outcome}>
            {plays && (
              <button type="button" class="primary" data-testid="rematch" onClick={() => connection.rematch()}>
                {hasAgreed ? `Waiting for the others: ${agreed} of ${people.length}` : 'Rematch'}
              </button>
            )}
            <a class="button" href="#games">
              All games
            </a>
            <p class="muted">
              {plays ? 'The next match begins when all want it, or in a few seconds.' : 'The next match begins soon.'}
            </p>
          </EndSheet>
        )}
        {isNew.value && ending === '' && outcome === undefined && (
          <TitleSheet
            module={module}
            view={view}
            remap={remap.current}
            begin={() => {
              isNew.value = false
              keepKnown(module)
            }}
            more={() => void (isHelpOpen.value = true)}
          />
        )}
        {ending !== '' && (
          <section class="sheet" role="alert" data-testid="ended">
            <div class="sheet-card">
              <h2>{ending}</h2>
              {failure !== undefined && <p>{failure.message}</p>}
              <div class="sheet-actions">
                <button type="button" class="primary" onClick={rejoin}>
                  {failure === undefined ? 'Rejoin' : 'New match'}
                </button>
                {failure?.replay !== undefined && (
                  <a class="button" href={failure.replay}>
                    Replay up to there
                  </a>
                )}
                <a class="button" href="#games">
                  Home
                </a>
              </div>
            </div>
          </section>
        )}
      </main>
      <aside class="panel" aria-label="Players">
        <div class="panel-body">
          <div>
            <h2>In this room</h2>
            <ul class="roster" data-testid="roster">
              {roster.map((entry) => (
                <RosterRow
                  key={entry.seat}
                  entry={entry}
                  isYou={plays && entry.seat === connection.seat}
                  colour={world.value === undefined ? '' : colourOf(view, world.value, entry.seat)}
                />
              ))}
            </ul>
            {watching > 0 && (
              <p class="muted">{watching === 1 ? 'One person watches.' : `${watching} people watch.`}</p>
            )}
            <p class="muted">Friends come in by the link in the address bar. Until then bots play the other seats.</p>
            <Live pulse={pulse}>
              {() => (
                <dl
                  class="figures"
                  data-testid="online"
                  data-tick={world.value?.tick ?? 0}
                  data-status={status}
                  data-phase={phase}
                  data-heard={connection.traffic.messagesIn}
                  data-seat={connection.seat}
                  data-desyncs={desyncs}
                >
                  <div>
                    <dt>ping</dt>
                    <dd>{rttMs} ms</dd>
                  </div>
                  <div>
                    <dt>match</dt>
                    <dd>{PHASE_WORDS[phase] ?? phase}</dd>
                  </div>
                  {desyncs > 0 && (
                    <div>
                      <dt>corrected</dt>
                      <dd title={lastDesync}>{desyncs} times</dd>
                    </div>
                  )}
                </dl>
              )}
            </Live>
            <button type="button" class="phone-only" onClick={() => give('watch', 'The link to watch is copied.')}>
              Copy a link to watch
            </button>
            <details class="connection">
              <summary>The connection</summary>
              <p data-testid="path">
                <Live pulse={pulse}>{() => pathOf(connection.network, connection.datagrams)}</Live>
              </p>
              {connection.datagrams.isOffered && (
                <label>
                  <input
                    type="checkbox"
                    checked={connection.datagrams.isWanted}
                    onChange={({ currentTarget }) => {
                      connection.datagrams.isWanted = currentTarget.checked
                    }}
                  />{' '}
                  Send by datagrams: late ones are not waited for
                </label>
              )}
            </details>
          </div>
        </div>
      </aside>
      {isHelpOpen.value && (
        <HelpDialog module={module} view={view} remap={remap.current} close={() => void (isHelpOpen.value = false)} />
      )}
      {toast.value !== '' && (
        <div class="toast" role="status">
          {toast.value}
        </div>
      )}
    </div>
  )
}

function shownOn({ drawing, width, height }: Stage, { after, alpha, events }: Picture): unknown[] {
  return [drawing, width, height, after, after.tick, alpha, events.length]
}

/** What may move the camera. */
const TOUCHES = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'resize'] as const

/** What follows the match, and so is drawn ten times a second; the page around it is not. */
function Live({ pulse, children }: { pulse: Signal<number>; children: () => ComponentChildren }) {
  void pulse.value
  return <>{children()}</>
}

const PHASE_WORDS: Readonly<Record<string, string>> = {
  playing: 'runs',
  paused: 'paused',
  over: 'over',
  failed: 'has failed',
}

function RosterRow({ entry, isYou, colour }: { entry: Entry; isYou: boolean; colour: string }) {
  const { name, isBot, isAway, pingMs, wantsRematch, score } = entry
  const state = isBot ? 'bot' : isAway ? 'away' : wantsRematch ? 'wants a rematch' : pingMs > 0 ? `${pingMs} ms` : ''
  return (
    <li class={isYou ? 'is-you' : ''}>
      <i class="swatch" style={{ background: colour || 'transparent' }} />
      <span>{name}</span>
      {isYou && <small>you</small>}
      {state !== '' && <small>{state}</small>}
      <b>{score}</b>
    </li>
  )
}

function noteDeath(
  module: LoadedModule,
  world: AnyWorld,
  events: readonly EventRecord[],
  seat: number,
  playerName: PlayerName,
  death: Signal<Death | undefined>,
): void {
  const own = ownThing(world, seat)?.id
  for (const event of events) {
    const meaning = meaningOfEvent(module, event.kind)
    if (meaning?.is !== 'kill' || own === undefined) continue
    const victim = (event as unknown as Record<string, number>)[(meaning.victim as string | undefined) ?? 'victim']
    const text = victim === own ? sentenceOf(module, world, event, playerName) : undefined
    if (text !== undefined) death.value = { tick: event.tick, text }
  }
}

/** The state is Colyseus's and has no types here: each value is checked and shown as text. */
function read({ room, rttMs = 0, status, ending, failure, desyncs }: GameConnection): Reading {
  const state = room.state as
    | { phase?: unknown; spectators?: unknown; roster?: { forEach(each: (entry: Partial<Entry>) => void): void } }
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
    roster: roster.sort((a, b) => a.seat - b.seat),
    phase: String(state?.phase ?? ''),
    rttMs: Math.round(rttMs),
    status,
    ending: failure !== undefined ? 'The match has failed.' : ending === undefined ? '' : endingWords(ending),
    failure,
    desyncs: desyncs.length,
    lastDesync: desyncs.length === 0 ? '' : describeDesync(desyncs[desyncs.length - 1]),
    watching: Number(state?.spectators ?? 0),
  }
}

/** Whether nothing has changed that people read. */
function isSame(a: Reading, b: Reading): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** How messages travel, in words. */
function pathOf(
  { path, leadTicks, lateShare }: GameConnection['network'],
  { loss, ownLoss }: GameConnection['datagrams'],
): string {
  const way =
    path === 'datagram'
      ? `By datagrams: ${percent(ownLoss)} of yours and ${percent(loss)} of the server’s are lost.`
      : 'By a web socket.'
  return `${way} Your inputs are sent ${leadTicks.toFixed(0)} ticks ahead; ${percent(lateShare)} of them come too late.`
}

function percent(part: number): string {
  return `${(100 * part).toFixed(1)} %`
}
