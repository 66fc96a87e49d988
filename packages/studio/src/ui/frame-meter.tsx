/**
 * The frame meter of fighting games: one cell per tick and player, coloured by the player's phase.
 *
 * It grows while the match plays. After a seek, the states of the ticks before are asked for, so that a paused moment
 * shows what led to it.
 */

import { players, restore } from 'hurtbox'
import type { FramePhase, LoadedModule } from 'hurtbox/module'
import { type AnyWorld, createEmptyWorld, snapshotFromBytes } from 'hurtbox/tools'
import { useEffect, useRef } from 'preact/hooks'
import { type Studio, worldOf } from '../model/studio.ts'

const COLOURS: Readonly<Record<FramePhase, string>> = {
  idle: '#2a3146',
  startup: '#3ddc84',
  active: '#ff5468',
  recovery: '#4d8dff',
  stun: '#ffd166',
  invulnerable: '#ffffff',
}

const CELL = 8
const ROW = 12
const MOST_SEATS = 4
const MOST_CELLS = 240
/** Ticks that are looked up after a seek. */
const LOOK_BACK = 90

type Cell = { readonly tick: number; readonly phases: readonly FramePhase[] }

export function FrameMeter({ studio }: { studio: Studio }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const cells = useRef<Cell[]>([])
  const { module, show } = studio
  const tick = show.tick.value

  useEffect(() => {
    if (module.meaning.phaseOf === undefined || !show.isReady.value) return
    const known = cells.current
    const last = known.at(-1)?.tick ?? -1
    if (tick === last) return
    if (tick > last && tick <= last + 8) {
      known.push(cellOf(module, worldOf(studio)))
      if (known.length > MOST_CELLS) known.shift()
      draw(canvas.current, known)
      return
    }
    cells.current = [cellOf(module, worldOf(studio))]
    draw(canvas.current, cells.current)
    if (show.playing.value) return
    void lookBack(studio).then((found) => {
      if (found.at(-1)?.tick !== show.tick.value) return
      cells.current = found
      draw(canvas.current, found)
    })
  }, [tick, show.isReady.value])

  if (module.meaning.phaseOf === undefined) return null
  return (
    <figure class="frame-meter" data-testid="frame-meter">
      <canvas ref={canvas} />
      <figcaption>
        {Object.entries(COLOURS).map(([phase, colour]) => (
          <span key={phase}>
            <i style={{ background: colour }} />
            {phase}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

async function lookBack(studio: Studio): Promise<Cell[]> {
  const { show, module } = studio
  try {
    const states = await show.client.ask(show.sim, { ask: 'states', count: LOOK_BACK })
    const world = createEmptyWorld(module.game, { options: worldOf(studio).options })
    return states.map((bytes) => {
      restore(world, snapshotFromBytes(module.game.layout, bytes))
      return cellOf(module, world)
    })
  } catch {
    // The match is just being replaced.
    return []
  }
}

function cellOf({ meaning }: LoadedModule, world: AnyWorld): Cell {
  const phases: FramePhase[] = []
  for (const player of players(world)) {
    if (phases.length < MOST_SEATS) phases.push(meaning.phaseOf!(player, world as never))
  }
  return { tick: world.tick, phases }
}

/** Newest at the right, under the playhead. */
function draw(canvas: HTMLCanvasElement | null, cells: readonly Cell[]): void {
  const context = canvas?.getContext('2d')
  if (canvas === null || !context) return
  const rows = cells.at(-1)?.phases.length ?? 0
  const wide = canvas.clientWidth
  if (canvas.width !== wide) canvas.width = wide
  if (canvas.height !== rows * ROW) canvas.height = Math.max(1, rows * ROW)
  context.clearRect(0, 0, canvas.width, canvas.height)
  const shown = cells.slice(-Math.floor(wide / CELL))
  shown.forEach(({ phases }, column) => {
    const x = wide - (shown.length - column) * CELL
    phases.forEach((phase, row) => {
      context.fillStyle = COLOURS[phase]
      context.fillRect(x, row * ROW, CELL - 1, ROW - 2)
    })
  })
}
