/** A room: its match drawn by the game's view, its players beside. Names are text and nothing else. */

import type { GameConnection } from '@hurtbox/colyseus/client'
import { describeDesync } from '@hurtbox/netcode/client'
import { colourOf, isKnown, keepKnown, outcomeOf, ownThing, type PlayerName, seatName, sentenceOf } from '@hurtbox/view'
import { createRemap, type Remap } from '@hurtbox/view/hand'
import { type Shown, showMatch } from '@hurtbox/view/page'
import { giveLink, lineWords, type RoomReading, readRoom } from '@hurtbox/view/room'
import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals'
import type { EventRecord } from 'hurtbox'
import { type LoadedModule, meaningOfEvent } from 'hurtbox/module'
import type { AnyWorld } from 'hurtbox/tools'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Death } from '../model/studio.ts'
import { theVolume } from '../model/volume.ts'
import type { Moment } from '../show/moment.ts'
import { Icon } from '../ui/icons.tsx'
import { Logo } from '../ui/logo.tsx'
import { keepAwake } from './awake.ts'
import { EndSheet } from './end.tsx'
import { HelpDialog } from './help-dialog.tsx'
import { DeathNotice } from './notices.tsx'
import { addressOf, type Online } from './online.tsx'
import { Roster } from './parts.tsx'
import { SoundControl } from './sound-control.tsx'
import { TitleSheet } from './title-sheet.tsx'

type Reading = RoomReading & {
  readonly desyncs: number
  /** The last of them in words; '' for none. */
  readonly lastDesync: string
}

/** What the parts of the page share. */
type Inside = Online & {
  readonly reading: ReadonlySignal<Reading>
  readonly world: ReadonlySignal<AnyWorld | undefined>
  /** Counts ten times a second, for what shows the state: the world of a match stays the same object. */
  readonly pulse: ReadonlySignal<number>
  readonly death: Signal<Death | undefined>
  readonly remap: Remap
  readonly playerName: PlayerName
  /** Those who never played the game are told first what it is about. The match goes on meanwhile: others are in it. */
  readonly isNew: Signal<boolean>
  readonly isHelpOpen: Signal<boolean>
  /** On a phone the list of players is a drawer. */
  readonly isListOpen: Signal<boolean>
  readonly toast: Signal<string>
  rejoin(): void
}

export function Room({ rejoin, ...online }: Online & { rejoin: () => void }) {
  const { module, connection, plays } = online
  const place = useRef<HTMLDivElement>(null)
  const reading = useSignal<Reading>(read(connection))
  const world = useSignal<AnyWorld | undefined>(undefined)
  const pulse = useSignal(0)
  const remap = useRef<Remap>(createRemap(module.id))
  const inside: Inside = {
    ...online,
    ...{ reading, world, pulse, rejoin, remap: remap.current },
    death: useSignal<Death | undefined>(undefined),
    isNew: useSignal(plays && !isKnown(module)),
    isHelpOpen: useSignal(false),
    isListOpen: useSignal(false),
    toast: useSignal(''),
    playerName: (seat) =>
      plays && seat === connection.seat
        ? 'You'
        : (reading.peek().roster.find((entry) => entry.seat === seat)?.name ?? seatName(seat)),
  }
  useEffect(() => {
    document.title = `${module.title} online · Hurtbox studio`
    const shown = showRoom(place.current!, inside, (now) => {
      const next = read(connection)
      // Each change draws the page again.
      if (JSON.stringify(next) !== JSON.stringify(reading.peek())) reading.value = next
      world.value = now
      pulse.value++
    })
    const endAwake = keepAwake(() => connection.status === 'playing')
    return () => {
      endAwake()
      shown.close()
    }
  }, [])
  return (
    <div class={`play online ${inside.isListOpen.value ? 'is-listed' : ''}`}>
      <Bar inside={inside} />
      <main class="match-view">
        <div class="stage" ref={place} />
        <Live pulse={pulse}>{() => <Told inside={inside} />}</Live>
        <Over inside={inside} />
      </main>
      <People inside={inside} />
      {inside.isHelpOpen.value && (
        <HelpDialog {...online} remap={inside.remap} close={() => void (inside.isHelpOpen.value = false)} />
      )}
      {inside.toast.value !== '' && (
        <div class="toast" role="status">
          {inside.toast.value}
        </div>
      )}
    </div>
  )
}

function showRoom(
  element: HTMLElement,
  { module, view, connection, plays, remap, playerName, isHelpOpen, isNew, death }: Inside,
  onPulse: (world: AnyWorld | undefined) => void,
): Shown {
  return showMatch(element, {
    ...{ playable: module, view, match: connection, plays, remap, volume: theVolume, playerName, onPulse },
    isHeld: () => isHelpOpen.value || isNew.value,
    onOtherKey: ({ key }) => key === '?' && (isHelpOpen.value = true),
    onEvents: (events, world) => {
      if (plays) noteDeath(module, world, events, connection.seat, playerName, death)
    },
  })
}

/** What follows the match, and so is drawn ten times a second; the page around it is not. */
function Live({ pulse, children }: { pulse: ReadonlySignal<number>; children: () => ComponentChildren }) {
  void pulse.value
  return <>{children()}</>
}

function Bar({ inside }: { inside: Inside }) {
  const { module, connection, reading, isHelpOpen, isListOpen } = inside
  const { status, rttMs, code } = reading.value
  return (
    <header class="bar">
      <a class="bar-home" href="#games" aria-label="Leave the room">
        <Logo />
      </a>
      <h1>{module.title}</h1>
      <span class="muted narrow-hidden" data-testid="room">
        room {code}
      </span>
      <div class="bar-space" />
      <span class={`line ${connection.status === 'playing' ? '' : 'is-lost'}`} data-testid="line">
        {status === 'playing' ? `${rttMs} ms` : statusWords(status)}
      </span>
      <button type="button" data-testid="invite" onClick={() => void give(inside, 'seat')}>
        Invite
      </button>
      <button type="button" class="quiet" data-testid="watch-link" onClick={() => void give(inside, 'watch')}>
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
  )
}

function statusWords(status: string): string {
  return { reconnecting: 'reconnecting…', moved: 'moving…', joining: 'joining…' }[status] ?? status
}

const GIVEN: Readonly<Record<Moment['join'] & ('seat' | 'watch'), string>> = {
  seat: 'The invitation is copied. People who open the link play here.',
  watch: 'The link to watch is copied.',
}

async function give({ toast, ...online }: Inside, what: 'seat' | 'watch'): Promise<void> {
  const url = new URL(addressOf(online, what), location.href).href
  const given = await giveLink(url, online.module.title)
  if (given === 'shared') return
  // What could not be copied is shown, to be copied by hand.
  toast.value = given === 'copied' ? GIVEN[what] : url
  setTimeout(() => void (toast.value = ''), given === 'copied' ? 3500 : 35_000)
}

/** What a player is told over the game. */
function Told({ inside: { module, connection, plays, world, death, reading } }: { inside: Inside }) {
  const { status } = reading.value
  const line = lineWords(status)
  return (
    <>
      {plays && world.value !== undefined && status === 'playing' && (
        <DeathNotice module={module} world={world.value} seat={connection.seat} death={death.value} />
      )}
      {line !== '' && (
        <div class="notice is-bad" role="alert" data-testid="reconnecting">
          <b>{line}</b>
          <span>Reconnecting…</span>
        </div>
      )}
    </>
  )
}

/** The sheets: the end of the match, the title for those who are new, and what there is to do when there is no way back. */
function Over({ inside }: { inside: Inside }) {
  const { module, view, connection, plays, reading, world, pulse, playerName, isNew, isHelpOpen, remap, rejoin } =
    inside
  const { phase, ending, failure, roster } = reading.value
  // The last states of a match come after its end was told.
  if (phase === 'over') void pulse.value
  const outcome =
    phase === 'over' && world.value !== undefined ? outcomeOf(module, view, world.value, playerName) : undefined
  if (ending !== '') {
    return (
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
    )
  }
  if (outcome !== undefined) {
    const people = roster.filter(({ isBot, isAway }) => !isBot && !isAway)
    const agreed = people.filter(({ wantsRematch }) => wantsRematch).length
    const hasAgreed = roster.some(({ seat, wantsRematch }) => seat === connection.seat && wantsRematch)
    return (
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
    )
  }
  if (!isNew.value) return null
  const begin = () => {
    isNew.value = false
    keepKnown(module)
  }
  return (
    <TitleSheet module={module} view={view} remap={remap} begin={begin} more={() => void (isHelpOpen.value = true)} />
  )
}

function People({ inside }: { inside: Inside }) {
  const { view, reading, world, pulse } = inside
  const { watching } = reading.value
  const colour = (seat: number) => (world.value === undefined ? '' : colourOf(view, world.value, seat))
  return (
    <aside class="panel" aria-label="Players">
      <div class="panel-body">
        <div>
          <h2>In this room</h2>
          <Roster reading={reading.value} colourOf={colour} />
          {watching > 0 && <p class="muted">{watching === 1 ? 'One person watches.' : `${watching} people watch.`}</p>}
          <p class="muted">Friends come in by the link in the address bar. Until then bots play the other seats.</p>
          <Live pulse={pulse}>{() => <Figures inside={inside} />}</Live>
          <button type="button" class="phone-only" onClick={() => void give(inside, 'watch')}>
            Copy a link to watch
          </button>
          <Line inside={inside} />
        </div>
      </div>
    </aside>
  )
}

const PHASE_WORDS: Readonly<Record<string, string>> = {
  playing: 'runs',
  paused: 'paused',
  over: 'over',
  failed: 'has failed',
}

function Figures({ inside: { connection, reading, world } }: { inside: Inside }) {
  const { phase, rttMs, status, desyncs, lastDesync } = reading.value
  return (
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
  )
}

function Line({ inside: { connection, pulse } }: { inside: Inside }) {
  return (
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

function read(connection: GameConnection): Reading {
  const { desyncs } = connection
  const last = desyncs.at(-1)
  return {
    ...readRoom(connection),
    desyncs: desyncs.length,
    lastDesync: last === undefined ? '' : describeDesync(last),
  }
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
