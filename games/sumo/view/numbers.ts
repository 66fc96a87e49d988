/** Numbers in space: the damage of a blow, rising from its victim and fading. A few labels that are reused. */

import type { Target } from '@hurtbox/view'
import type { Scene } from 'three'
import { createLabel, type Label, setLabel } from './labels.ts'

const COUNT = 16
const LIFE_MS = 900
const COLOUR = '#ffd27a'
/** m per second. */
const RISE = 1.8

export type Numbers = {
  readonly labels: readonly Label[]
  readonly ageMs: Float32Array
  /** What each of them tells of. */
  readonly events: (object | undefined)[]
  next: number
}

export function createNumbers(scene: Scene, target: Target): Numbers {
  const labels = Array.from({ length: COUNT }, () => createLabel(target, 128, 64, 1.8, 0.9))
  for (const { sprite } of labels) {
    sprite.visible = false
    sprite.renderOrder = 9
    scene.add(sprite)
  }
  return { labels, ageMs: new Float32Array(COUNT).fill(LIFE_MS), events: [], next: 0 }
}

type Spot = { readonly x: number; readonly y: number; readonly z: number }

export function showNumber(numbers: Numbers, { x, y, z }: Spot, text: string, event: object): void {
  const at = numbers.next
  numbers.next = (at + 1) % COUNT
  numbers.ageMs[at] = 0
  numbers.events[at] = event
  setLabel(numbers.labels[at], text, COLOUR, undefined)
  numbers.labels[at].sprite.position.set(x, y, z)
}

/** Removes the numbers of events that did not happen. */
export function takeBackNumbers({ events, ageMs }: Numbers, withdrawn: readonly object[]): void {
  for (const event of withdrawn) if (events.includes(event)) ageMs[events.indexOf(event)] = LIFE_MS
}

export function advanceNumbers({ labels, ageMs }: Numbers, elapsedMs: number): void {
  labels.forEach(({ sprite }, i) => {
    ageMs[i] = Math.min(ageMs[i] + elapsedMs, LIFE_MS)
    sprite.visible = ageMs[i] < LIFE_MS
    sprite.position.z += (RISE * elapsedMs) / 1000
    sprite.material.opacity = Math.min(1, 2 - (2 * ageMs[i]) / LIFE_MS)
  })
}

export function clearNumbers({ ageMs }: Numbers): void {
  ageMs.fill(LIFE_MS)
}
