/** A crowd of bodies: each tick sets the velocity of every body that can walk, then the library moves them and keeps them apart. */

import type { Crowd } from '../contender.ts'
import { type CrowdScene, steer } from '../scenes/crowd.ts'

type Place = { x: number; y: number }

type Bodies = {
  /** Writes where `thing` is. */
  place(thing: number, out: Place): void
  /** Lets `thing` walk; the velocity is in px per tick. */
  walk(thing: number, velocity: Readonly<Place>): void
  step(): void
}

export function steeredCrowd(scene: CrowdScene, bodies: Bodies): Crowd {
  const at = { x: 0, y: 0 }
  const velocity = { x: 0, y: 0 }
  return {
    tick() {
      for (let thing = 0; thing < scene.count; thing++) {
        if (scene.mass[thing] === 0) continue
        bodies.place(thing, at)
        steer(scene, thing, at.x, at.y, velocity)
        bodies.walk(thing, velocity)
      }
      bodies.step()
    },
    read(x, y) {
      for (let thing = 0; thing < scene.count; thing++) {
        bodies.place(thing, at)
        x[thing] = at.x
        y[thing] = at.y
      }
    },
  }
}
