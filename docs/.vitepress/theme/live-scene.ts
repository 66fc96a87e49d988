/** Plays a scene on a canvas: circles in the colour of their layer, health, protection, damage numbers. */

import { findRow, listEvents, playScene, type Scene, type Session, startScene } from 'hurtbox'

export type LiveScene = {
  readonly scene: Scene
  readonly context: CanvasRenderingContext2D
  /** Half of the width that is shown, in px of the scene. */
  readonly reach: number
  session: Session
  numbers: { readonly x: number; readonly y: number; readonly text: string; readonly at: number }[]
}

const COLOURS = ['#e4584d', '#3f9e6e', '#4f83e3', '#c98a2b', '#9a62d8']
const NUMBER_TICKS = 25
/** Length of the blade of the scene `melee`. */
const BLADE = 90

export function createLiveScene(scene: Scene, context: CanvasRenderingContext2D, reach: number): LiveScene {
  const live = { scene, context, reach, session: startScene(scene), numbers: [] }
  draw(live)
  return live
}

export function restart(live: LiveScene): void {
  live.session = startScene(live.scene)
  live.numbers = []
  draw(live)
}

/** One tick on; from the end back to the start. */
export function stepOn(live: LiveScene): void {
  const { scene, session } = live
  if (session.world.tick >= scene.ticks) {
    restart(live)
    return
  }
  playScene(scene, session, 1)
  noteDamage(live)
  draw(live)
}

function noteDamage(live: LiveScene): void {
  const { world } = live.session
  const { things } = world.tables
  for (const { kind, victim, taken, absorbed } of listEvents(world)) {
    const row = kind === 'damage' ? findRow(things, Number(victim)) : -1
    if (row < 0) continue
    const text = Number(absorbed) > 0 ? `${taken} (${absorbed})` : String(taken)
    live.numbers.push({ x: things.x[row], y: things.y[row] - things.radius[row], text, at: world.tick })
  }
  live.numbers = live.numbers.filter(({ at }) => world.tick - at < NUMBER_TICKS)
}

function draw({ context, reach, session, numbers }: LiveScene): void {
  const { width, height } = context.canvas
  const scale = width / (2 * reach)
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, width, height)
  context.setTransform(scale, 0, 0, scale, width / 2, height / 2)
  const { things } = session.world.tables
  for (let row = 0; row < things.count; row++) drawThing(context, session, row)
  context.font = '600 13px system-ui'
  context.textAlign = 'center'
  context.fillStyle = '#e0592a'
  for (const { x, y, text, at } of numbers) {
    const age = session.world.tick - at
    context.globalAlpha = 1 - age / NUMBER_TICKS
    context.fillText(text, x, y - age)
  }
  context.globalAlpha = 1
}

function drawThing(context: CanvasRenderingContext2D, session: Session, row: number): void {
  const { clock, tables } = session.world
  const { things } = tables
  const [x, y, radius] = [things.x[row], things.y[row], things.radius[row]]
  const colour = COLOURS[things.layer[row] % COLOURS.length]
  const hasHealth = things.maxHp?.[row] > 0
  context.globalAlpha = hasHealth && things.hp[row] <= 0 ? 0.2 : 0.85
  context.fillStyle = colour
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.fill()
  if (things.hittableFrom?.[row] > clock) {
    context.strokeStyle = '#fff'
    context.lineWidth = 3
    context.stroke()
  }
  if (things.turn?.[row] !== undefined && things.layer[row] === 0) {
    context.strokeStyle = colour
    context.lineWidth = 4
    context.beginPath()
    context.moveTo(x, y)
    context.lineTo(x + BLADE * Math.cos(things.turn[row]), y + BLADE * Math.sin(things.turn[row]))
    context.stroke()
  }
  if (!hasHealth) return
  const left = Math.max(0, things.hp[row]) / things.maxHp[row]
  context.fillStyle = '#8886'
  context.fillRect(x - radius, y + radius + 3, 2 * radius, 4)
  context.fillStyle = '#3fb27f'
  context.fillRect(x - radius, y + radius + 3, 2 * radius * left, 4)
}
