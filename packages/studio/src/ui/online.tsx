/** An online match: the room's state drawn by the game's view, its roster beside. Names are text and nothing else. */

import type { GameConnection } from '@hurtbox/colyseus/client'
import { useSignal } from '@preact/signals'
import type { LoadedModule, View } from 'hurtbox/module'
import type { AnyWorld } from 'hurtbox/tools'
import { useEffect, useRef } from 'preact/hooks'
import { createStage, drawStage } from '../draw/stage.ts'
import { loadShownGame } from '../draw/views.ts'
import { createHand, type Hand, keysOf, readHand } from '../input/hand.ts'
import { createKeyboard } from '../input/keys.ts'
import { followMouse } from '../input/mouse.ts'
import { type Moment, writeMoment } from '../show/moment.ts'
import { HudLines } from './hud.tsx'
import { Logo } from './logo.tsx'
import { onEachFrame } from './loop.ts'
import { Opening } from './opening.tsx'
import { readName } from './player-name.ts'
import { serverUrl } from './server-url.ts'
import { TouchPad } from './touch.tsx'

type Online = {
  readonly module: LoadedModule
  readonly view: View
  readonly connection: GameConnection
  /** False while only watching. */
  readonly plays: boolean
}

export function OnlinePage({ moment }: { moment: Moment }) {
  return (
    <Opening open={() => join(moment)} close={({ connection }) => void connection.leave()} waiting="Joining…">
      {(online) => <Match {...online} />}
    </Opening>
  )
}

async function join(moment: Moment): Promise<Online> {
  const [{ module, view }, { joinGame, SPECTATOR }] = await Promise.all([
    loadShownGame(moment.game),
    import('@hurtbox/colyseus/client'),
  ])
  const name = readName()
  const connection = await joinGame(serverUrl(), module, {
    ...(moment.room !== '' && { roomId: moment.room }),
    ...(name !== '' && { name }),
    create: moment.join === 'create',
    spectate: moment.join === 'watch',
  })
  await connection.whenPlaying()
  return { module, view, connection, plays: connection.seat !== SPECTATOR }
}

type Entry = { readonly seat: number; readonly name: string; readonly isBot: boolean; readonly score: number }
type Reading = {
  readonly roster: readonly Entry[]
  readonly phase: string
  readonly summary: string
  readonly rttMs: number
  readonly tick: number
  readonly status: string
  readonly ending: string
  readonly desyncs: number
  readonly path: string
}

function Match({ module, view, connection, plays }: Online) {
  const place = useRef<HTMLDivElement>(null)
  const hand = useRef<Hand | undefined>(undefined)
  const reading = useSignal<Reading | undefined>(undefined)
  const world = useSignal<AnyWorld | undefined>(undefined)
  const { room } = connection

  useEffect(() => {
    document.title = `${module.title} online · Hurtbox studio`
    const gameKeys = keysOf(view.controls)
    const keyboard = createKeyboard({ isGameKey: (code) => gameKeys.has(code), onStudioKey: () => false })
    const own = createHand(keyboard)
    hand.current = own
    const stage = createStage(place.current!, module, view)
    const endMouse = followMouse(stage, own.mouse, () => plays)
    let readAt = 0
    const endLoop = onEachFrame((nowMs, elapsedMs) => {
      const renderState = connection.update(performance.now(), (_tick, now) =>
        readHand(own, module.game, view.controls, now, connection.seat),
      )
      stage.seat = plays ? connection.seat : -1
      if (renderState !== undefined) drawStage(stage, renderState, nowMs, elapsedMs)
      if (nowMs - readAt < 200) return
      readAt = nowMs
      reading.value = read(connection, renderState?.after)
      world.value = undefined
      world.value = renderState?.after
    })
    return () => {
      endLoop()
      endMouse()
      keyboard.close()
      stage.close()
    }
  }, [])

  const {
    roster = [],
    phase = '',
    summary = '',
    rttMs = 0,
    tick = 0,
    status = '',
    ending = '',
    desyncs = 0,
    path = '',
  } = reading.value ?? {}
  return (
    <div class="play online">
      <header class="bar">
        <a class="bar-home" href="#games" aria-label="Leave">
          <Logo />
        </a>
        <h1>{module.title}</h1>
        <span class="muted" data-testid="room">
          room {room.roomId}
        </span>
        <div class="bar-space" />
        <a
          class="button quiet"
          href={writeMoment({ game: module.game.declaration.id, page: 'online', room: room.roomId, join: 'watch' })}
        >
          Link to watch
        </a>
      </header>
      <main class="match-view">
        <div class="stage">
          <div class="stage-canvases" ref={place} />
        </div>
        {world.value !== undefined && <HudLines view={view} world={world.value} seat={plays ? connection.seat : 0} />}
        {plays && <TouchPad view={view} hand={hand} />}
        {summary !== '' && <div class="stage-label is-new">{summary}</div>}
        {ending !== '' && (
          <div class="stage-label is-new" role="alert">
            {ending}
          </div>
        )}
      </main>
      <aside class="panel">
        <div class="panel-body">
          <div>
            <h3>Players</h3>
            <ul class="roster" data-testid="roster">
              {roster.map((entry) => (
                <li key={entry.seat} class={entry.seat === connection.seat ? 'is-you' : ''}>
                  <span>{entry.name}</span>
                  {entry.isBot && <small>bot</small>}
                  <b>{entry.score}</b>
                </li>
              ))}
            </ul>
            <dl class="figures" data-testid="online" data-tick={tick} data-status={status}>
              <div>
                <dt>{connection.mirror === undefined ? 'terminal' : 'mirror'}</dt>
                <dd>{phase}</dd>
              </div>
              <div>
                <dt>round trip</dt>
                <dd>{rttMs.toFixed(0)} ms</dd>
              </div>
              <div>
                <dt>path</dt>
                <dd data-testid="path">{path}</dd>
              </div>
              <div>
                <dt>desyncs</dt>
                <dd>{desyncs}</dd>
              </div>
            </dl>
            {connection.datagrams.isOffered && (
              <label>
                <input
                  type="checkbox"
                  checked={connection.datagrams.isWanted}
                  onChange={({ currentTarget }) => {
                    connection.datagrams.isWanted = currentTarget.checked
                  }}
                />{' '}
                datagrams
              </label>
            )}
          </div>
        </div>
      </aside>
    </div>
  )
}

/** The state is Colyseus's and has no types here: each value is checked and shown as text. */
function read(
  { room, rttMs, status, ending, desyncs, network, datagrams }: GameConnection,
  world: AnyWorld | undefined,
): Reading {
  const state = room.state as
    | { phase?: unknown; summary?: unknown; roster?: { forEach(each: (entry: Partial<Entry>) => void): void } }
    | undefined
  const roster: Entry[] = []
  state?.roster?.forEach(({ seat = 0, name = '', isBot = false, score = 0 }) => {
    roster.push({ seat: Number(seat), name: String(name), isBot: isBot === true, score: Number(score) })
  })
  return {
    roster: roster.sort((a, b) => a.seat - b.seat),
    phase: String(state?.phase ?? ''),
    summary: String(state?.summary ?? ''),
    rttMs: rttMs ?? 0,
    tick: world?.tick ?? 0,
    status,
    ending: ending === undefined ? '' : `The match has ended here: ${ending.reason || ending.code}.`,
    desyncs: desyncs.length,
    path: pathOf(network, datagrams),
  }
}

/** `datagrams, 0.4 % lost; lead 3 ticks, 0.1 % late`. */
function pathOf(
  { path, leadTicks, lateShare }: GameConnection['network'],
  { loss }: GameConnection['datagrams'],
): string {
  const way = path === 'datagram' ? `datagrams, ${percent(loss)} lost` : 'socket'
  return `${way}; lead ${leadTicks.toFixed(0)} ticks, ${percent(lateShare)} late`
}

function percent(part: number): string {
  return `${(100 * part).toFixed(1)} %`
}
