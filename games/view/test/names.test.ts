/** Names above Sumo's fighters, on screens of all shapes. */

import type { HudBox } from '@hurtbox/view'
import { PerspectiveCamera } from 'three'
import { expect, test } from 'vitest'
import { createFigure } from '../../sumo/view/figure.ts'
import { spreadNames } from '../../sumo/view/names.ts'
import { record } from './stage.ts'

const covers = (a: HudBox, b: HudBox) =>
  a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height

test('[PL17] the names of fighters never cover each other, in a row or in a heap, wide or upright', () => {
  const { target } = record()
  const figures = [0, 1, 2, 3].map((seat) => createFigure(target, '#4cc9ff', seat))
  // A fixed walk through places that are often in line with each other.
  let chance = 12345
  const next = () => {
    chance = (chance * 48271) % 2147483647
    return chance / 2147483647
  }
  let lifted = 0
  for (let round = 0; round < 300; round++) {
    const spread = round % 3 === 0 ? 1 : 9
    for (const { group } of figures) group.position.set((next() - 0.5) * spread, (next() - 0.5) * spread, 1.5)
    const [width, height] = round % 2 === 0 ? [1440, 850] : [390, 798]
    const camera = new PerspectiveCamera(34, width / height, 0.5, 400)
    camera.up.set(0, 0, 1)
    camera.position.set(0, -22, 16)
    camera.lookAt(0, 0, 0.9)
    camera.updateProjectionMatrix()
    camera.updateMatrixWorld()
    const boxes = spreadNames(figures, camera, { width, height })
    expect(boxes).toHaveLength(4)
    boxes.forEach((box, i) => {
      for (const other of boxes.slice(i + 1)) expect(covers(box, other), `round ${round}`).toBe(false)
    })
    lifted += figures.filter(({ label }) => label.sprite.position.z > 2.5).length
  }
  expect(lifted).toBeGreaterThan(50)
})
