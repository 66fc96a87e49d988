/** Sparks and dust: points that fly, fall and fade. One draw call, whatever happens. */

import type { Target } from '@hurtbox/view'
import { AdditiveBlending, BufferAttribute, BufferGeometry, CanvasTexture, Color, Points, PointsMaterial } from 'three'
import { type Chance, chance } from '../../view/chance.ts'

export type Sparks = Chance & {
  readonly points: Points
  readonly places: Float32Array
  readonly colours: Float32Array
  readonly speeds: Float32Array
  readonly ageMs: Float32Array
  readonly tints: Float32Array
  next: number
  /** Whether any was seen in the last frame. */
  isLit: boolean
  /** The part of the sparks that is made: fewer on a machine that cannot keep up. */
  density: number
}

const LIFE_MS = 650
const GRAVITY = 12

export function createSparks(target: Target, count: number): Sparks {
  const geometry = new BufferGeometry()
  const places = new Float32Array(count * 3).fill(0)
  const colours = new Float32Array(count * 3)
  geometry.setAttribute('position', new BufferAttribute(places, 3))
  geometry.setAttribute('color', new BufferAttribute(colours, 3))
  const material = new PointsMaterial({
    size: 0.42,
    map: paintSpark(target),
    vertexColors: true,
    transparent: true,
    blending: AdditiveBlending,
    depthWrite: false,
  })
  const points = new Points(geometry, material)
  // They are everywhere; whether one of them is in sight is not worth finding out.
  points.frustumCulled = false
  return {
    points,
    places,
    colours,
    speeds: new Float32Array(count * 3),
    ageMs: new Float32Array(count).fill(LIFE_MS),
    tints: new Float32Array(count * 3),
    next: 0,
    isLit: false,
    density: 1,
    chance: 1,
  }
}

/** A soft round dot; without a picture points are squares. */
function paintSpark(target: Target): CanvasTexture {
  const canvas = target.canvas.ownerDocument.createElement('canvas')
  canvas.width = 32
  canvas.height = 32
  const context = canvas.getContext('2d')
  if (context !== null) {
    const gradient = context.createRadialGradient(16, 16, 1, 16, 16, 16)
    gradient.addColorStop(0, '#ffffff')
    gradient.addColorStop(0.35, 'rgba(255, 255, 255, 0.8)')
    gradient.addColorStop(1, 'rgba(255, 255, 255, 0)')
    context.fillStyle = gradient
    context.fillRect(0, 0, 32, 32)
  }
  return new CanvasTexture(canvas)
}

export function clearSparks(sparks: Sparks): void {
  sparks.ageMs.fill(LIFE_MS)
  sparks.colours.fill(0)
  // What is on the graphics card is not empty yet.
  sparks.isLit = true
}

/** Scratch: written before it is read. */
const tint = new Color()

/** Sparks in all directions, more of them upwards. */
export function burst(
  sparks: Sparks,
  x: number,
  y: number,
  z: number,
  count: number,
  speed: number,
  colour: string,
): void {
  tint.set(colour)
  for (let i = 0; i < Math.ceil(count * sparks.density); i++) {
    const at = sparks.next
    sparks.next = (at + 1) % sparks.ageMs.length
    const angle = chance(sparks) * 2 * Math.PI
    const fast = speed * (0.3 + 0.7 * chance(sparks))
    const rise = chance(sparks) * 1.5 - 0.4
    sparks.places.set([x, y, z], at * 3)
    sparks.speeds.set([Math.cos(angle) * fast, Math.sin(angle) * fast, rise * fast], at * 3)
    sparks.tints.set([tint.r, tint.g, tint.b], at * 3)
    sparks.ageMs[at] = chance(sparks) * 200
  }
}

export function advanceSparks(sparks: Sparks, elapsedMs: number): void {
  const { places, colours, speeds, ageMs, tints, points } = sparks
  const seconds = elapsedMs / 1000
  const wasLit = sparks.isLit
  sparks.isLit = false
  for (let i = 0; i < ageMs.length; i++) {
    if (ageMs[i] >= LIFE_MS) continue
    sparks.isLit = true
    ageMs[i] += elapsedMs
    const left = Math.max(0, 1 - ageMs[i] / LIFE_MS)
    speeds[i * 3 + 2] -= GRAVITY * seconds
    for (let axis = 0; axis < 3; axis++) {
      places[i * 3 + axis] += speeds[i * 3 + axis] * seconds
      // Added to what is behind it, black is nothing: fading is darkening.
      colours[i * 3 + axis] = tints[i * 3 + axis] * left * 1.6
    }
  }
  if (!sparks.isLit && !wasLit) return
  points.geometry.attributes.position.needsUpdate = true
  points.geometry.attributes.color.needsUpdate = true
}
