/** The timeline on a canvas: lanes with their marks, what the phases cost, and what lies over all of them. */

import type { LoadedModule } from 'hurtbox/module'
import { colourOfSeries } from '../draw/chart.ts'
import type { Bookmark, Survey } from '../model/studio.ts'
import { isInLane, type Lane, marksIn, type Stretch, TONES, toneOf } from './data.ts'

export const LANE = 12
const COST = 28

export type TimelinePicture = {
  readonly module: LoadedModule
  readonly survey: Survey
  readonly stretch: Stretch
  readonly lanes: readonly Lane[]
  /** Mean ms by phase, bucket after bucket; empty while nobody has asked. */
  readonly costs: Float32Array
  readonly phaseCount: number
  readonly tick: number
  readonly bookmarks: readonly Bookmark[]
  readonly loop: Stretch | undefined
  /** The tick in which two futures part; −1 for none. */
  readonly parting: number
}

export function heightOf(lanes: number): number {
  return lanes * LANE + COST
}

export function drawTimeline(canvas: HTMLCanvasElement, picture: TimelinePicture): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  const { lanes, stretch, survey, tick, bookmarks, loop, parting } = picture
  const [width, height] = [canvas.clientWidth, heightOf(lanes.length)]
  const ratio = Math.min(2, globalThis.devicePixelRatio || 1)
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio)
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio)
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, width, height)
  const xOf = (at: number) => ((at - stretch.from) / Math.max(1, stretch.to - stretch.from)) * width
  lanes.forEach((_, i) => {
    context.fillStyle = i % 2 === 0 ? '#ffffff08' : '#ffffff03'
    context.fillRect(0, i * LANE, width, LANE)
  })
  if (loop !== undefined) {
    context.fillStyle = '#7fe3ff22'
    context.fillRect(xOf(loop.from), 0, Math.max(2, xOf(loop.to) - xOf(loop.from)), height)
  }
  drawMarks(context, picture, xOf)
  drawCosts(context, picture, width, lanes.length * LANE)
  // What has not been looked through yet.
  const seen = xOf(survey.indexed)
  if (seen < width) {
    context.fillStyle = '#00000066'
    context.fillRect(Math.max(0, seen), 0, width, height)
  }
  for (const { tick: at } of bookmarks) flag(context, xOf(at), '#ffd166', height)
  if (parting >= 0) {
    context.fillStyle = '#ff9f5a'
    context.fillRect(xOf(parting), 0, 2, height)
  }
  context.fillStyle = '#ffffff'
  context.fillRect(Math.round(xOf(tick)) - 0.5, 0, 1.5, height)
}

function drawMarks(context: CanvasRenderingContext2D, picture: TimelinePicture, xOf: (tick: number) => number): void {
  const { module, survey, stretch, lanes } = picture
  const { marks, kinds } = survey
  const tones = kinds.map((kind) => toneOf(module, kind))
  const [from, to] = marksIn(marks, stretch)
  const wide = Math.max(1, xOf(stretch.from + 1) - xOf(stretch.from) - 1)
  // What nobody cares about lies below what everybody looks for.
  for (const isQuiet of [true, false]) {
    for (let i = from; i < to; i += 3) {
      const tone = tones[marks[i + 1]]
      if ((tone === TONES.other) !== isQuiet) continue
      for (let lane = 0; lane < lanes.length; lane++) {
        if (!isInLane(lanes[lane], marks[i + 1], marks[i + 2])) continue
        context.fillStyle = tone
        context.fillRect(xOf(marks[i]), lane * LANE + 2, wide, LANE - 4)
      }
    }
  }
}

/** Stacked, the phase that runs first at the bottom. */
function drawCosts(context: CanvasRenderingContext2D, picture: TimelinePicture, width: number, top: number): void {
  const { costs, phaseCount, module } = picture
  const buckets = costs.length / Math.max(1, phaseCount)
  if (buckets === 0) return
  const budget = 1000 / module.game.declaration.tickRate
  let most = 0
  for (let bucket = 0; bucket < buckets; bucket++) most = Math.max(most, sumOf(costs, bucket, phaseCount))
  const scale = (COST - 4) / Math.max(most, budget / 50, 1e-6)
  for (let bucket = 0; bucket < buckets; bucket++) {
    let base = top + COST
    for (let phase = 0; phase < phaseCount; phase++) {
      const high = costs[bucket * phaseCount + phase] * scale
      context.fillStyle = colourOfSeries(phase)
      context.fillRect((bucket / buckets) * width, base - high, width / buckets + 0.5, high)
      base -= high
    }
  }
  const line = top + COST - budget * scale
  if (line > top) {
    context.fillStyle = '#ffffff55'
    context.fillRect(0, line, width, 1)
  }
  context.fillStyle = '#8f98ae'
  context.font = '9px ui-monospace, monospace'
  context.fillText(`up to ${most.toFixed(2)} ms a tick`, 4, top + 10)
}

function sumOf(costs: Float32Array, bucket: number, phaseCount: number): number {
  let sum = 0
  for (let phase = 0; phase < phaseCount; phase++) sum += costs[bucket * phaseCount + phase]
  return sum
}

function flag(context: CanvasRenderingContext2D, x: number, colour: string, height: number): void {
  context.fillStyle = colour
  context.fillRect(x - 0.5, 0, 1, height)
  context.beginPath()
  context.moveTo(x, 0)
  context.lineTo(x + 7, 4)
  context.lineTo(x, 8)
  context.fill()
}
