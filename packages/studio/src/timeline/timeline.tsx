/**
 * The timeline: the bar to scrub with, and below it lanes by player, by kind of event and by what the phases cost.
 *
 * Wheel, pinch or + and − zoom; Shift and the wheel, or the arrow keys, pan; dragging scrubs, with Shift it sets the loop.
 */

import { keep, namesFor, readKept } from '@hurtbox/view'
import { signal, useSignal } from '@preact/signals'
import { players } from 'hurtbox'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { dropBookmark, noteBookmark } from '../model/bookmarks.ts'
import { type Studio, worldOf } from '../model/studio.ts'
import { surveyedPart } from '../model/survey.ts'
import { scrub } from '../model/time.ts'
import { words } from '../model/words.ts'
import { Icon } from '../ui/icons.tsx'
import { formatTime, type Lane, lanesOf, marksIn, pan, type Stretch, zoom } from './data.ts'
import { drawTimeline, heightOf, LANE } from './draw.ts'

/** How often the costs are asked for again, in pulses. */
const COSTS_PULSES = 10

export function Timeline({ studio }: { studio: Studio }) {
  const { show, page } = studio
  const { tick, length } = show.shown.value
  const canvas = useRef<HTMLCanvasElement>(null)
  /** Undefined: the whole match. */
  const near = useSignal<Stretch | undefined>(undefined)
  const isOpen = useMemo(() => signal(opensLanes(studio)), [studio])
  const pointed = useSignal('')
  const costs = useSignal<Float32Array>(NO_COSTS)
  const phaseCount = useSignal(0)
  const whole: Stretch = { from: page?.first ?? 0, to: Math.max((page?.first ?? 0) + 1, length) }
  const stretch = near.value ?? whole
  const survey = studio.survey.value
  const seats = show.isReady.value ? [...players(worldOf(studio))].map(({ seat }) => seat).slice(0, 8) : []
  const lanes = lanesOf(studio.module, survey, seats, namesFor(studio.seat.value))
  const parting = studio.fork.value !== undefined ? studio.difference.value : 'none'

  const pulse = studio.pulse.value
  useEffect(() => {
    if (!isOpen.value || (show.playing.value && pulse % COSTS_PULSES !== 0)) return
    void askCosts(studio, stretch, canvas.current?.clientWidth ?? 0).then((answer) => {
      if (answer === undefined) return
      costs.value = answer.costs
      phaseCount.value = answer.phaseCount
    })
  }, [isOpen.value, near.value, Math.floor(pulse / COSTS_PULSES), survey.indexed === length])
  useEffect(() => {
    if (canvas.current === null) return
    const { bookmarks, loop, module } = studio
    drawTimeline(canvas.current, {
      module,
      survey,
      stretch,
      lanes,
      costs: costs.value,
      phaseCount: phaseCount.value,
      tick,
      bookmarks: bookmarks.value,
      loop: loop.value,
      parting: typeof parting === 'string' ? -1 : parting.tick,
    })
  })

  const part = surveyedPart(studio)
  const hands = useHands(studio, canvas, { near, pointed, whole, stretch, lanes })
  return (
    <div class="timeline" data-testid="timeline" data-indexed={survey.indexed} data-marks={survey.marks.length / 3}>
      <div class={`scrub ${isOpen.value ? 'is-over-lanes' : ''}`}>
        <input
          type="range"
          min={Math.floor(stretch.from)}
          max={Math.ceil(stretch.to)}
          value={tick}
          aria-label="Tick"
          data-testid="scrub"
          onInput={(event) => scrub(studio, Number(event.currentTarget.value))}
        />
        {part < 1 && show.isReady.value && (
          <progress class="surveyed" value={part} aria-label="Looked through" data-testid="surveyed" />
        )}
        {show.progress.value !== undefined && (
          <p class="to-tick" role="status">
            Playing to tick {show.progress.value.of}…{' '}
            {Math.round((show.progress.value.done / show.progress.value.of) * 100)} %
          </p>
        )}
      </div>
      {isOpen.value && (
        <div class="lanes">
          <LaneNames lanes={lanes} />
          <canvas
            ref={canvas}
            data-testid="lanes"
            data-from={stretch.from}
            data-to={stretch.to}
            data-lanes={lanes.map(({ label }) => label).join(' ')}
            tabIndex={0}
            role="img"
            aria-label="Lanes of the timeline: + and − zoom, arrow keys move"
            style={{ height: `${heightOf(lanes.length)}px` }}
            {...hands}
          />
        </div>
      )}
      <div class="timeline-foot">
        <button
          type="button"
          class="chip"
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value
            keep('lanes', isOpen.value ? '1' : '0')
          }}
        >
          Lanes
        </button>
        {near.value !== undefined && (
          <button type="button" class="chip" onClick={() => void (near.value = undefined)}>
            Whole match
          </button>
        )}
        <LoopChip studio={studio} />
        <Bookmarks studio={studio} />
        <span class="pointed" data-testid="pointed">
          {pointed.value}
        </span>
      </div>
    </div>
  )
}

function LaneNames({ lanes }: { lanes: readonly Lane[] }) {
  return (
    <ul class="lane-names" aria-hidden="true">
      {lanes.map(({ label }) => (
        <li key={label} style={{ height: `${LANE}px` }}>
          {label}
        </li>
      ))}
      <li>phases</li>
    </ul>
  )
}

function LoopChip({ studio: { loop } }: { studio: Studio }) {
  if (loop.value === undefined) return null
  return (
    <button
      type="button"
      class="chip is-on"
      data-testid="loop"
      title="End the loop (K)"
      onClick={() => void (loop.value = undefined)}
    >
      Loop {loop.value.from} … {loop.value.to}
    </button>
  )
}

/** As it was last; else where there is room for them. */
function opensLanes({ page }: Studio): boolean {
  const kept = readKept('lanes')
  return kept === '' ? page === undefined && innerHeight >= 700 && innerWidth >= 900 : kept === '1'
}

const NO_COSTS = new Float32Array(0)

async function askCosts(studio: Studio, { from, to }: Stretch, width: number) {
  const { show, page } = studio
  if (width === 0 || !show.isReady.value || page?.kind === 'is shown') return undefined
  const buckets = Math.max(1, Math.min(Math.floor(width / 3), Math.ceil(to - from)))
  try {
    const costs = await show.client.ask(show.sim, { ask: 'costs', from: Math.floor(from), to: Math.ceil(to), buckets })
    return { costs, phaseCount: costs.length / buckets }
  } catch {
    // The match is just being replaced.
    return undefined
  }
}

function Bookmarks({ studio }: { studio: Studio }) {
  return studio.bookmarks.value.map(({ tick, note }) => (
    <span key={tick} class="bookmark" data-testid="bookmark">
      <button type="button" class="chip" onClick={() => scrub(studio, tick)}>
        {tick}
      </button>
      <input
        aria-label={`Note for tick ${tick}`}
        placeholder="note"
        value={note}
        onChange={(event) => noteBookmark(studio, tick, event.currentTarget.value)}
      />
      <button type="button" class="quiet" aria-label={`Forget tick ${tick}`} onClick={() => dropBookmark(studio, tick)}>
        <Icon name="close" />
      </button>
    </span>
  ))
}

type HandParts = {
  readonly near: { value: Stretch | undefined }
  readonly pointed: { value: string }
  readonly whole: Stretch
  readonly stretch: Stretch
  readonly lanes: readonly Lane[]
}

/** What pointers, fingers, wheel and keys do on the lanes. */
function useHands(studio: Studio, canvas: { readonly current: HTMLCanvasElement | null }, parts: HandParts) {
  const fingers = useRef(new Map<number, number>())
  const loopFrom = useRef(-1)
  const { near, pointed, whole, stretch, lanes } = parts
  const tickAt = (clientX: number) => {
    const { left, width } = canvas.current!.getBoundingClientRect()
    return stretch.from + ((clientX - left) / Math.max(1, width)) * (stretch.to - stretch.from)
  }
  const see = (next: Stretch) => {
    near.value = next.to - next.from >= whole.to - whole.from ? undefined : next
  }
  const point = (event: PointerEvent) => {
    const tick = Math.round(tickAt(event.clientX))
    const lane = lanes[Math.floor((event.clientY - canvas.current!.getBoundingClientRect().top) / LANE)]
    pointed.value = describe(studio, tick, lane, stretch, canvas.current!.clientWidth)
  }
  const drag = (event: PointerEvent) => {
    const tick = Math.max(whole.from, Math.min(whole.to, Math.round(tickAt(event.clientX))))
    if (loopFrom.current < 0) scrub(studio, tick)
    else studio.loop.value = { from: Math.min(loopFrom.current, tick), to: Math.max(loopFrom.current, tick) }
  }
  return {
    onWheel(event: WheelEvent) {
      event.preventDefault()
      const by = event.deltaX !== 0 ? event.deltaX : event.shiftKey ? event.deltaY : 0
      if (by !== 0) see(pan(stretch, (by / 400) * (stretch.to - stretch.from), whole))
      else see(zoom(stretch, tickAt(event.clientX), event.deltaY > 0 ? 1.25 : 0.8, whole))
    },
    onPointerDown(event: PointerEvent) {
      canvas.current!.setPointerCapture(event.pointerId)
      fingers.current.set(event.pointerId, event.clientX)
      if (fingers.current.size > 1) return
      loopFrom.current = event.shiftKey ? Math.round(tickAt(event.clientX)) : -1
      drag(event)
    },
    onPointerMove(event: PointerEvent) {
      point(event)
      const was = fingers.current.get(event.pointerId)
      if (was === undefined) return
      if (fingers.current.size === 2) {
        const still = [...fingers.current].find(([id]) => id !== event.pointerId)![1]
        const middle = tickAt((event.clientX + still) / 2)
        const [before, after] = [Math.abs(was - still), Math.abs(event.clientX - still)]
        const moved = pan(stretch, tickAt((was + still) / 2) - middle, whole)
        see(before > 8 && after > 8 ? zoom(moved, middle, before / after, whole) : moved)
      } else drag(event)
      fingers.current.set(event.pointerId, event.clientX)
    },
    onPointerUp: (event: PointerEvent) => void fingers.current.delete(event.pointerId),
    onPointerCancel: (event: PointerEvent) => void fingers.current.delete(event.pointerId),
    onPointerLeave: () => void (pointed.value = ''),
    onDblClick: () => void (near.value = undefined),
    onKeyDown(event: KeyboardEvent) {
      const at = studio.show.tick.value
      const tenth = (stretch.to - stretch.from) / 10
      if (event.key === '+' || event.key === '=') see(zoom(stretch, at, 0.8, whole))
      else if (event.key === '-') see(zoom(stretch, at, 1.25, whole))
      else if (event.key === 'ArrowLeft') see(pan(stretch, -tenth, whole))
      else if (event.key === 'ArrowRight') see(pan(stretch, tenth, whole))
      else if (event.key === 'Home') near.value = undefined
      else return
      event.preventDefault()
      event.stopPropagation()
    },
  }
}

/** The tick under the pointer, and what happened there. */
function describe(studio: Studio, tick: number, lane: Lane | undefined, stretch: Stretch, width: number): string {
  const { survey, module, seat } = studio
  const { marks, kinds } = survey.value
  const reach = Math.max(0, (3 * (stretch.to - stretch.from)) / Math.max(1, width))
  const [from, to] = marksIn(marks, { from: Math.floor(tick - reach), to: Math.ceil(tick + reach) })
  const said = new Set<string>()
  for (let i = from; i < to && said.size < 4; i += 3) {
    const [kind, of] = [marks[i + 1], marks[i + 2]]
    if (lane !== undefined && ('seat' in lane.of ? lane.of.seat !== of : lane.of.kind !== kind)) continue
    said.add(`${words(kinds[kind])}${of < 0 ? '' : ` (${namesFor(seat.value)(of)})`}`)
  }
  const time = formatTime(tick / module.game.declaration.tickRate)
  return [`tick ${tick}`, time, ...said].join(' · ')
}
