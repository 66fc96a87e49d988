/** A scene that plays in the page: steps it, and keeps hits and hitboxes for a moment, because one tick is too short to see. */

import { listEvents, type Scene, type Session, thing } from 'hurtbox'
import type { Shape } from 'hurtbox/shapes'
import { collisionsOf, playScene, roleOf, startScene } from 'hurtbox/tools'
import { footprintPath, isVolume, shapePath } from '../../../packages/studio/src/draw/outline.ts'
import { drawScene, HIT_TICKS, WINDOW_TICKS } from './draw-scene.ts'

/** What fades: from which tick on, and where. */
export type Hit = { readonly at: number; readonly thing: number; readonly text: string }
export type Window = { readonly at: number; readonly outline: Path2D }

export type LiveScene = {
  readonly scene: Scene
  readonly context: CanvasRenderingContext2D
  /** Half of the width that is shown, in px of the scene. */
  readonly reach: number
  session: Session
  /** Damage done. */
  hits: Hit[]
  /** Hitboxes as they were posed: blades, fists, the sweep of a bolt. */
  windows: Window[]
}

export function createLiveScene(scene: Scene, context: CanvasRenderingContext2D, reach: number): LiveScene {
  const live = { scene, context, reach, session: startScene(scene), hits: [], windows: [] }
  drawScene(live)
  return live
}

export function restart(live: LiveScene): void {
  live.session = startScene(live.scene)
  live.hits = []
  live.windows = []
  drawScene(live)
}

/** Steps one tick; starts again at the end. */
export function stepOn(live: LiveScene): void {
  const { scene, session } = live
  if (session.world.tick >= scene.ticks) {
    restart(live)
    return
  }
  playScene(scene, session, 1)
  const now = session.world.tick
  live.hits = [...live.hits, ...hitsOf(session)].filter(({ at }) => now - at < HIT_TICKS)
  live.windows = [...live.windows, ...windowsOf(session)].filter(({ at }) => now - at < WINDOW_TICKS)
  drawScene(live)
}

function hitsOf({ world }: Session): Hit[] {
  return listEvents(world)
    .filter(({ kind, victim }) => kind === 'damage' && thing(world, Number(victim)) !== undefined)
    .map(({ victim, taken, absorbed }) => ({
      at: world.tick,
      thing: Number(victim),
      text: Number(absorbed) > 0 ? `${taken} (${absorbed})` : String(taken),
    }))
}

/** Reads the engine's own list of boxes: what is drawn is what was tested. */
function windowsOf({ world }: Session): Window[] {
  const windows: Window[] = []
  for (const collision of collisionsOf(world).values()) {
    const { boxes } = collision
    // Plain boxes are the circles of their things, which are drawn anyway.
    if (boxes.isPlain) continue
    for (let box = 0; box < boxes.count; box++) {
      if (roleOf(collision, box) !== 'hit') continue
      const [x, y, shape] = [boxes.poseX[box], boxes.poseY[box], boxes.shape[box]]
      const outline = new Path2D()
      if (shape === undefined) stadiumPath(outline, x, y, boxes.sweepX[box], boxes.sweepY[box], boxes.size[box])
      // What is in space is seen from above.
      else if (isVolume(shape)) footprintPath(outline, shape, x, y, boxes.facingX[box], boxes.facingY[box])
      else shapePath(outline, shape as Shape, x, y, boxes.facingX[box], boxes.facingY[box])
      windows.push({ at: world.tick, outline })
    }
  }
  return windows
}

/** A circle, from where it was to where it is. */
function stadiumPath(path: Path2D, x: number, y: number, sweepX: number, sweepY: number, radius: number): void {
  const angle = Math.atan2(sweepY, sweepX)
  path.arc(x, y, radius, angle - Math.PI / 2, angle + Math.PI / 2)
  path.arc(x - sweepX, y - sweepY, radius, angle + Math.PI / 2, angle + (3 * Math.PI) / 2)
  path.closePath()
}
