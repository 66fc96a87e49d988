/** The page of a dispute: the screens of the players beside the truth, why it counted, and the other future. */

import type { View } from '@hurtbox/view'
import { createRest, isResting } from '@hurtbox/view/stage'
import { type Signal, useSignal } from '@preact/signals'
import { restore } from 'hurtbox'
import type { LoadedModule } from 'hurtbox/module'
import { type Picture, pictureOf } from 'hurtbox/picture'
import { type AnyGame, type AnyWorld, createEmptyWorld, snapshotFromBytes, withCapacity } from 'hurtbox/tools'
import { useEffect, useRef } from 'preact/hooks'
import { createStudioStage, drawStudioStage } from '../draw/stage.ts'
import { loadShownGame } from '../draw/views.ts'
import type { Client } from '../show/client.ts'
import { startWorker } from '../show/worker-line.ts'
import type { DisputeAnswer, DisputeMatch, ShownScreen } from '../sim/disputes.ts'
import { Logo } from '../ui/logo.tsx'
import { onEachFrame } from '../ui/loop.ts'
import { Opening } from '../ui/opening.tsx'
import { messageOf } from '../words.ts'
import { type DisputeAddress, trackOf, writeDispute } from './address.ts'
import '../ui/style/match.ts'
import './dispute.css'

type Opened = {
  readonly client: Client
  readonly sim: number
  readonly match: DisputeMatch
  readonly module: LoadedModule
  readonly view: View
  readonly game: AnyGame
}

export function DisputePage({ address }: { address: DisputeAddress }) {
  return (
    <Opening
      open={() => openMatch(address)}
      close={({ client }) => client.end()}
      waiting="Playing the match again…"
      retries
    >
      {(opened) => <Dispute {...opened} address={address} />}
    </Opening>
  )
}

async function openMatch({ replay }: DisputeAddress): Promise<Opened> {
  const track = trackOf(replay)
  const [bytes, trackBytes] = await Promise.all([fetchFile(replay), track && fetchFile(track).catch(() => undefined)])
  if (bytes === undefined) throw new Error(`There is no replay at ${replay}. Servers keep the newest matches only.`)
  const client = startWorker()
  const sim = client.open({ onFrame() {}, onFailure() {} })
  try {
    const match = await client.ask(sim, { ask: 'open dispute', bytes, track: trackBytes || undefined })
    const { module, view } = await loadShownGame(match.game)
    return { client, sim, match, module, view, game: withCapacity(module.game, match.capacity) }
  } catch (error) {
    client.end()
    throw error
  }
}

/** A file of the server that the page came from; undefined when it is not there. */
async function fetchFile(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const url = new URL(path, document.baseURI)
  if (url.origin !== location.origin) throw new Error('A replay is opened from the server that the page came from.')
  const answer = await fetch(url)
  if (answer.status === 401)
    throw new Error('This match still runs. Open /monitor/ first and give the token of the server.')
  return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined
}

function Dispute({ client, sim, match, module, view, game, address }: Opened & { address: DisputeAddress }) {
  const tick = useSignal(Math.min(address.tick, Math.max(match.ticks - 1, 0)))
  const player = useSignal(address.player)
  const answer = useSignal<DisputeAnswer | undefined>(undefined)
  const failure = useSignal('')
  const isBusy = useSignal(false)
  const asked = { ...address, tick: tick.value, player: player.value }
  const link = new URL(writeDispute(asked), document.baseURI).href
  useEffect(() => {
    let isGone = false
    isBusy.value = true
    const question = { ask: 'tell dispute', tick: asked.tick, player: asked.player, pair: asked.ask, link } as const
    client.ask(sim, question).then(
      (told) => {
        if (isGone) return
        answer.value = told
        failure.value = ''
        isBusy.value = false
        document.title = `${told.title} · Hurtbox studio`
        history.replaceState(null, '', writeDispute(asked))
      },
      (error) => {
        if (isGone) return
        failure.value = messageOf(error)
        isBusy.value = false
      },
    )
    return () => {
      isGone = true
    }
  }, [tick.value, player.value])
  const told = answer.value
  return (
    <main class="dispute" data-testid="dispute" data-busy={isBusy.value}>
      <header>
        <a href="#games" aria-label="All games">
          <Logo />
        </a>
        <h1>{told?.title ?? module.title}</h1>
        <Controls match={match} tick={tick} player={player} />
        {told !== undefined && told.html !== '' && (
          <button type="button" onClick={() => saveFile(told.html, tick.value)}>
            Save as a file
          </button>
        )}
      </header>
      {match.problems.map((problem) => (
        <p class="dispute-problem" role="alert" key={problem}>
          {problem}
        </p>
      ))}
      {failure.value !== '' && (
        <p class="dispute-problem" role="alert">
          {failure.value}
        </p>
      )}
      {told !== undefined && (
        <>
          <Pictures screens={told.screens} module={module} view={view} game={game} match={match} />
          <Chapters {...told} />
          <Pictures screens={told.futures} module={module} view={view} game={game} match={match} />
        </>
      )}
    </main>
  )
}

function Controls({
  match,
  tick,
  player,
}: {
  match: DisputeMatch
  tick: Signal<number>
  player: Signal<number | undefined>
}) {
  const go = (to: number) => {
    tick.value = Math.min(Math.max(to, 0), match.ticks - 1)
  }
  return (
    <div class="dispute-controls">
      <button type="button" aria-label="One tick back" onClick={() => go(tick.value - 1)}>
        ‹
      </button>
      <label>
        Tick{' '}
        <input
          type="number"
          min={0}
          max={match.ticks - 1}
          value={tick.value}
          onChange={({ currentTarget }) => go(Math.round(currentTarget.valueAsNumber || 0))}
        />
      </label>
      <button type="button" aria-label="One tick on" onClick={() => go(tick.value + 1)}>
        ›
      </button>
      {match.seen.length > 0 && (
        <label>
          Screen of{' '}
          <select
            value={player.value === undefined ? '' : String(player.value)}
            onChange={({ currentTarget: { value } }) => {
              player.value = value === '' ? undefined : Number(value)
            }}
          >
            <option value="">the two</option>
            {match.seen.map((seat) => (
              <option value={String(seat)} key={seat}>
                P{seat + 1}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  )
}

function Chapters({ chapters }: DisputeAnswer) {
  return (
    <div class="dispute-story">
      {chapters.map(({ title, lines }) => (
        <section key={title}>
          <h2>{title}</h2>
          {lines.map((line) => (
            <p class={line.startsWith('  ') ? 'detail' : ''} key={line}>
              {line.trim()}
            </p>
          ))}
        </section>
      ))}
    </div>
  )
}

type Drawn = {
  readonly module: LoadedModule
  readonly view: View
  readonly game: AnyGame
  readonly match: DisputeMatch
}

function Pictures({ screens, ...drawn }: Drawn & { screens: readonly ShownScreen[] }) {
  const truth = screens.find(({ isTruth }) => isTruth)
  return (
    <div class="dispute-screens">
      {screens.map((screen) => (
        <Screen key={screen.title} screen={screen} truth={truth} {...drawn} />
      ))}
    </div>
  )
}

type PictureOf = Drawn & {
  readonly screen: ShownScreen
  /** Drawn faintly over what a player saw. */
  readonly truth: ShownScreen | undefined
}

function Screen({ screen, truth, module, view, game, match }: PictureOf) {
  const place = useRef<HTMLDivElement>(null)
  const shown = useRef({ screen, truth })
  shown.current = { screen, truth }
  useEffect(() => {
    const stage = createStudioStage(place.current!, module, view)
    const createWorld = (): AnyWorld => createEmptyWorld(game, { options: match.options } as never)
    const worlds = [createWorld(), createWorld()]
    const [real, judged] = [createWorld(), createWorld()]
    let last: ShownScreen | undefined
    let picture: Picture | undefined
    const rest = createRest()
    const end = onEachFrame((nowMs) => {
      const { screen: current, truth: under } = shown.current
      if (isResting(rest, nowMs, [current, stage.drawing, stage.width, stage.height])) return true
      if (current !== last) {
        picture = pictureFrom(current, worlds)
        stage.seat = current.seat
        stage.selected = current.selected
        if (under !== undefined) fillWorld(real, under.after)
        if (current.judged !== undefined) fillWorld(judged, current.judged)
        stage.ghosts = [
          ...(under === undefined || under === current ? [] : [{ world: real, ...REALLY }]),
          ...(current.judged === undefined ? [] : [{ world: judged, ...JUDGED }]),
        ]
      }
      drawStudioStage(stage, { ...picture!, jumped: current !== last }, nowMs)
      last = current
      return false
    })
    return () => {
      end()
      stage.close()
    }
  }, [])
  const { title, about, isProven } = screen
  return (
    <figure data-testid="dispute-screen">
      <div class="dispute-stage" ref={place} />
      <figcaption>
        <b>{title}</b> {about}
        {isProven !== undefined && (
          <span class={isProven ? 'proven' : 'unproven'}>
            {isProven ? ' ✓ the client’s own hash agrees' : ' ✗ the client’s own hash disagrees'}
          </span>
        )}
      </figcaption>
    </figure>
  )
}

function pictureFrom(screen: ShownScreen, worlds: readonly AnyWorld[]): Picture {
  const [before, after] = worlds
  fillWorld(before, screen.before)
  fillWorld(after, screen.after)
  const places = new Map(screen.places)
  const { alpha } = screen
  const picture = pictureOf({ before, after, alpha, jumped: true })
  if (places.size === 0) return picture
  return {
    ...picture,
    place(id, out) {
      const drawn = places.get(id)
      if (drawn !== undefined) Object.assign(out, drawn)
      return drawn !== undefined
    },
  }
}

function fillWorld(world: AnyWorld, bytes: Uint8Array): void {
  restore(world, snapshotFromBytes(world.memory.layout, bytes))
}

/** How the truth is drawn over what a player saw. */
const REALLY = { colour: '#ffffff90', dash: [3, 5] } as const
/** And the boxes that a hit was judged by, where the attacker saw them. */
const JUDGED = { colour: '#ffc857', dash: [6, 3] } as const

function saveFile(html: string, tick: number): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([html], { type: 'text/html' }))
  link.download = `dispute-tick-${tick}.html`
  link.click()
  URL.revokeObjectURL(link.href)
}
