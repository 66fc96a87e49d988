/** What the template's renderers draw of a map is what the rules keep to, whatever its pieces are. */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { declareGame, defineStatics, type StaticShape } from 'hurtbox'
import type { Shape } from 'hurtbox/shapes'
import { readTiled } from 'hurtbox/tiled'
import { expect, test } from 'vitest'
import { cornersOf } from '../shield-ball/client/court.ts'
import { court } from '../shield-ball/game/map.ts'

/** A tile that is whole, one that is a slope, and a one-way floor as a line. */
const LEVEL = {
  type: 'map',
  orientation: 'orthogonal',
  infinite: false,
  width: 3,
  height: 2,
  tilewidth: 20,
  tileheight: 20,
  tilesets: [
    {
      firstgid: 1,
      name: 'ground',
      tilewidth: 20,
      tileheight: 20,
      tiles: [
        {
          id: 1,
          objectgroup: {
            objects: [
              {
                id: 1,
                name: '',
                x: 0,
                y: 20,
                width: 0,
                height: 0,
                polygon: [
                  { x: 0, y: 0 },
                  { x: 20, y: -20 },
                  { x: 20, y: 0 },
                ],
              },
            ],
          },
        },
      ],
    },
  ],
  layers: [
    {
      type: 'tilelayer',
      name: 'ground',
      width: 3,
      height: 2,
      data: [0, 0, 0, 1, 1, 2],
      properties: [{ name: 'layer', type: 'string', value: 'wall' }],
    },
    {
      type: 'objectgroup',
      name: 'floors',
      properties: [{ name: 'layer', type: 'string', value: 'wall' }],
      objects: [
        {
          id: 2,
          name: '',
          x: 5,
          y: 8,
          width: 0,
          height: 0,
          polyline: [
            { x: 0, y: 0 },
            { x: 30, y: 0 },
          ],
        },
      ],
    },
  ],
}

const game = declareGame({ id: 'drawn', tickRate: 60, layers: { ball: ['wall', 'goal'], wall: [], goal: [] } })

/** The rectangle around each piece, as the engine keeps it. */
function boundsOf(map: readonly StaticShape[]): readonly number[][] {
  return defineStatics(game, map as never).pieces.map(({ shape, x, y }) => {
    const { corners, radius } = shape as Shape
    const xs = Array.from(corners).filter((_, i) => i % 2 === 0)
    const ys = Array.from(corners).filter((_, i) => i % 2 === 1)
    return [
      Math.min(...xs) + x - radius,
      Math.min(...ys) + y - radius,
      Math.max(...xs) + x + radius,
      Math.max(...ys) + y + radius,
    ]
  })
}

function drawnBounds(piece: StaticShape): number[] {
  if ('x' in piece)
    return [piece.x - piece.radius, piece.y - piece.radius, piece.x + piece.radius, piece.y + piece.radius]
  const corners = cornersOf(piece)
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

test('[TI7] the renderers of the template draw every piece of a map where it stands, also those of a level from Tiled', () => {
  const level = readTiled(LEVEL as never)
  expect(level.map.length).toBe(3)
  const kinds = level.map.map((piece) => Object.keys(piece).find((key) => /minX|points|from/.test(key)))
  expect(kinds.toSorted()).toEqual(['from', 'minX', 'points'])
  for (const map of [court, level.map] as (readonly StaticShape[])[]) {
    const bounds = boundsOf(map)
    for (const [i, piece] of map.entries()) {
      // A line is drawn four wide, so that it is seen.
      const margin = 'from' in piece ? 2 : 0
      for (const [k, side] of drawnBounds(piece).entries())
        expect(Math.abs(side - bounds[i][k]), `piece ${i}`).toBeLessThanOrEqual(margin + 1e-9)
    }
  }
  // Every renderer of the template draws by it.
  for (const view of ['view', 'view.pixi', 'view.phaser', 'view.three']) {
    const text = readFileSync(fileURLToPath(new URL(`../shield-ball/client/${view}.ts`, import.meta.url)), 'utf8')
    expect(text, view).toMatch(/cornersOf\(piece\)/)
  }
})
