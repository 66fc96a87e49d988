/**
 * The frame meter over the stage: one cell per tick and player, coloured by the player's phase, with counts, cancels, the
 * advantage of the last exchange, and that exchange as a ghost under the present one.
 *
 * It grows while the match plays. After a seek the ticks before are asked for, so that a paused moment shows what led to it.
 */

import { namesFor } from '@hurtbox/view'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type Studio, worldOf } from '../../model/studio.ts'
import { scrub } from '../../model/time.ts'
import { type MeterCell, type MeterPhase, readCell } from '../../sim/meter.ts'
import { type Exchange, exchangesOf, runsOf, signed } from './data.ts'

const PHASE_COLOURS: Readonly<Record<MeterPhase, string>> = {
  idle: '#2a3146',
  startup: '#3ddc84',
  active: '#ff5468',
  recovery: '#4d8dff',
  stun: '#ffd166',
  invulnerable: '#ffffff',
  stop: '#c792ea',
  out: '#11141d',
}

const WORDS: Readonly<Record<MeterPhase, string>> = { ...namesOf(), stop: 'hit stop' }
function namesOf(): Readonly<Record<MeterPhase, string>> {
  return Object.fromEntries(Object.keys(PHASE_COLOURS).map((phase) => [phase, phase])) as never
}

const CELL = 8
const ROW = 20
const BAR = 11
const MOST_CELLS = 240
/** Ticks that are looked up before and after a moment. */
const LOOK_BACK = 130
const LOOK_AHEAD = 30

export function FrameMeter({ studio }: { studio: Studio }) {
  const { module, show } = studio
  // A game without moves has a meter of timers, for those who look for it.
  const isWanted = module.meaning.phaseOf !== undefined || studio.tab.value === 'frames'
  return isWanted && show.isReady.value ? <Meter studio={studio} /> : null
}

function Meter({ studio }: { studio: Studio }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const cells = useSignal<readonly MeterCell[]>([])
  const pointed = useSignal('')
  const { module, show } = studio
  const tick = show.tick.value
  const isPlaying = show.playing.value

  useEffect(() => {
    const known = cells.value
    const last = known.at(-1)?.tick ?? -1
    const isKnown = known.length > 1 && tick >= known[0].tick && tick <= last
    if (isPlaying && (isKnown || (tick > last && tick <= last + 8))) {
      const next = [...known.filter((each) => each.tick < tick), readCell(module, worldOf(studio))]
      cells.value = next.slice(-MOST_CELLS)
      return
    }
    if (isPlaying) {
      cells.value = [readCell(module, worldOf(studio))]
      return
    }
    // A moment among those that are known stays where it is, so that one can go along the cells.
    if (isKnown && known.length === last - known[0].tick + 1) return
    if (studio.page?.kind === 'is shown') return
    const question = { ask: 'meter', from: tick - LOOK_BACK, to: tick + LOOK_AHEAD } as const
    show.client.ask(show.sim, question).then(
      (found) => {
        if (show.tick.value === tick) cells.value = found
      },
      () => {
        // The match is just being replaced.
      },
    )
  }, [tick, isPlaying])

  const shown = cells.value
  const seats = shown.at(-1)?.players.map(({ seat }) => seat) ?? []
  const exchange = exchangesOf(shown.filter((each) => each.tick <= tick + LOOK_AHEAD)).findLast(
    ({ at, advantage }) => at <= tick && advantage !== undefined,
  )
  useEffect(() => draw(canvas.current, shown, tick), [shown, tick])

  const tickUnder = (event: PointerEvent): number => {
    const { left } = canvas.current!.getBoundingClientRect()
    return Number(canvas.current!.dataset.from) + Math.floor((event.clientX - left) / CELL)
  }
  const point = (event: PointerEvent) => {
    const at = tickUnder(event)
    const cell = shown.find((each) => each.tick === at)
    const row = Math.floor((event.clientY - canvas.current!.getBoundingClientRect().top) / ROW)
    const player = cell?.players[row]
    pointed.value = player === undefined ? '' : describe(studio, shown, at, player.seat)
    if (cell !== undefined && !show.playing.value && at !== show.tick.value) scrub(studio, at)
  }
  return (
    <figure class="frame-meter" data-testid="frame-meter">
      <div class="frame-rows">
        <ul class="frame-names">
          {seats.map((seat) => (
            <li key={seat}>
              {namesFor(studio.seat.value)(seat)} <small>{moveAt(shown, tick, seat)}</small>
            </li>
          ))}
        </ul>
        <canvas
          ref={canvas}
          data-testid="frame-cells"
          data-count={shown.length}
          onPointerMove={point}
          onPointerDown={(event) => scrub(studio, tickUnder(event))}
          onPointerLeave={() => void (pointed.value = '')}
        />
        <ul class="frame-names">
          {seats.map((seat) => (
            <li key={seat} data-testid="advantage" class={advantageTone(exchange, seat)}>
              {advantageOf(exchange, seat)}
            </li>
          ))}
        </ul>
      </div>
      <figcaption>
        {pointed.value === '' ? (
          Object.entries(PHASE_COLOURS).map(([phase, colour]) => (
            <span key={phase}>
              <i style={{ background: colour }} />
              {WORDS[phase as MeterPhase]}
            </span>
          ))
        ) : (
          <span data-testid="frame-pointed">{pointed.value}</span>
        )}
      </figcaption>
    </figure>
  )
}

function advantageOf(exchange: Exchange | undefined, seat: number): string {
  if (exchange?.advantage === undefined) return ''
  if (seat === exchange.attacker) return signed(exchange.advantage)
  return seat === exchange.victim ? signed(-exchange.advantage) : ''
}

function advantageTone(exchange: Exchange | undefined, seat: number): string {
  const text = advantageOf(exchange, seat)
  return text === '' || text === '±0' ? '' : text.startsWith('+') ? 'is-ahead' : 'is-behind'
}

function moveAt(cells: readonly MeterCell[], tick: number, seat: number): string {
  const cell = cells.find((each) => each.tick === tick) ?? cells.at(-1)
  return cell?.players.find((each) => each.seat === seat)?.move ?? ''
}

/** `tick 312: P2, punch 2, active, 2 of 3`. */
function describe(studio: Studio, cells: readonly MeterCell[], tick: number, seat: number): string {
  const run = runsOf(cells, seat).find(({ from, to }) => from <= tick && tick < to)
  if (run === undefined) return ''
  const { move, phase, from, to, isCancel } = run
  const what = [namesFor(studio.seat.value)(seat), move, WORDS[phase], `${tick - from + 1} of ${to - from}`]
  return `tick ${tick}: ${what.filter((part) => part !== '').join(', ')}${isCancel ? ', a cancel' : ''}`
}

/** The tick of the first cell in sight: the playhead is in it, with some ticks after it while they are known. */
function firstShown({ clientWidth }: HTMLCanvasElement, cells: readonly MeterCell[], tick: number): number {
  const fit = Math.max(1, Math.floor(clientWidth / CELL))
  const last = cells.at(-1)?.tick ?? 0
  const first = Math.max(cells[0]?.tick ?? 0, last - fit + 1)
  return Math.min(first, Math.max(cells[0]?.tick ?? 0, tick))
}

function draw(canvas: HTMLCanvasElement | null, cells: readonly MeterCell[], tick: number): void {
  const context = canvas?.getContext('2d')
  if (canvas === null || !context || cells.length === 0) return
  const seats = cells.at(-1)!.players.map(({ seat }) => seat)
  const { clientWidth: wide } = canvas
  if (canvas.width !== wide) canvas.width = wide
  if (canvas.height !== seats.length * ROW) canvas.height = Math.max(1, seats.length * ROW)
  canvas.style.height = `${canvas.height}px`
  context.clearRect(0, 0, wide, canvas.height)
  const first = firstShown(canvas, cells, tick)
  // Where the cells begin depends on the width that is there when they are drawn.
  canvas.dataset.from = String(first)
  const [ghost, present] = exchangesOf(cells).slice(-2)
  context.font = '600 9px ui-monospace, monospace'
  context.textAlign = 'right'
  seats.forEach((seat, row) => {
    const y = row * ROW
    for (const { phase, move, from, to, isCancel } of runsOf(cells, seat)) {
      context.fillStyle = PHASE_COLOURS[phase]
      for (let at = Math.max(from, first); at < to; at++) context.fillRect((at - first) * CELL, y, CELL - 1, BAR)
      // How long it lasted, in its last cell.
      if (phase !== 'idle' && to - from > 1 && to > first) {
        context.fillStyle = phase === 'out' ? '#8f98ae' : '#0a0c13'
        context.fillText(String(to - from), (to - first) * CELL - 2, y + BAR - 2.5)
      }
      if (isCancel) notch(context, (from - first) * CELL, y)
      if (move !== '' && phase === 'startup' && from >= first && (to - from) * CELL > 40) {
        context.textAlign = 'left'
        context.fillText(move, (from - first) * CELL + 2, y + BAR - 2.5)
        context.textAlign = 'right'
      }
    }
    if (ghost === undefined || present === undefined) return
    // The exchange before, from the beginning of this one, thin and faint.
    context.globalAlpha = 0.55
    for (const { phase, from, to } of runsOf(cells, seat)) {
      context.fillStyle = PHASE_COLOURS[phase]
      for (let at = Math.max(from, ghost.from); at < Math.min(to, ghost.to + 1); at++) {
        const x = (at - ghost.from + present.from - first) * CELL
        if (phase !== 'idle' && x >= 0) context.fillRect(x, y + BAR + 2, CELL - 1, 3)
      }
    }
    context.globalAlpha = 1
  })
  context.strokeStyle = '#ffffff'
  context.strokeRect((tick - first) * CELL - 0.5, 0.5, CELL, canvas.height - 1)
}

/** A cancel: a corner cut off the first cell. */
function notch(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.fillStyle = '#ffffff'
  context.beginPath()
  context.moveTo(x, y)
  context.lineTo(x + 6, y)
  context.lineTo(x, y + 6)
  context.fill()
}
