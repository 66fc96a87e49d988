/**
 * The frame meter of fighting games: one cell per tick and player, coloured by what the player was in the middle of.
 *
 * It remembers what came by, so after a seek it begins anew.
 */

import { useEffect, useRef } from 'preact/hooks'
import type { FramePhase } from '../../../../games/view.ts'
import type { Studio } from './studio.ts'
import { worldOf } from './studio.ts'

const COLOURS: Readonly<Record<FramePhase, string>> = {
  idle: '#232838',
  startup: '#3ddc84',
  active: '#ff5468',
  recovery: '#4d8dff',
  stun: '#ffd166',
  invulnerable: '#ffffff',
}

const CELL = 7
const ROW = 14
const MOST_SEATS = 4

export function FrameMeter({ studio }: { studio: Studio }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const { view, show } = studio
  const phaseOf = view.phaseOf
  const cells = useRef<{ tick: number; phases: FramePhase[] }[]>([])
  const tick = show.tick.value

  useEffect(() => {
    if (phaseOf === undefined || !show.isReady.value) return
    const world = worldOf(studio)
    const { players } = world.tables
    const phases: FramePhase[] = []
    for (let row = 0; row < Math.min(players.count, MOST_SEATS); row++)
      phases.push(phaseOf(world as never, players.seat[row]))
    const last = cells.current.at(-1)
    if (last !== undefined && (tick < last.tick || tick > last.tick + 16)) cells.current = []
    if (last?.tick !== tick) cells.current.push({ tick, phases })
    if (cells.current.length > 400) cells.current.splice(0, 200)
    draw(canvas.current, cells.current)
  }, [tick, phaseOf])

  if (phaseOf === undefined) return null
  return <canvas ref={canvas} class="frame-meter" data-testid="frame-meter" aria-label="Frame meter" />
}

function draw(canvas: HTMLCanvasElement | null, cells: readonly { readonly phases: readonly FramePhase[] }[]): void {
  const context = canvas?.getContext('2d')
  if (canvas === null || !context) return
  const rows = cells.at(-1)?.phases.length ?? 0
  const wide = canvas.clientWidth
  if (canvas.width !== wide) canvas.width = wide
  if (canvas.height !== rows * ROW) canvas.height = Math.max(1, rows * ROW)
  context.clearRect(0, 0, canvas.width, canvas.height)
  const shown = cells.slice(-Math.floor(wide / CELL))
  shown.forEach(({ phases }, column) => {
    phases.forEach((phase, row) => {
      context.fillStyle = COLOURS[phase]
      context.fillRect(column * CELL, row * ROW, CELL - 1, ROW - 2)
    })
  })
}
