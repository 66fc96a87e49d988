import { describe, expect, test } from 'vitest'
import { randomOf } from '../../../test/random.ts'
import { declareGame, defineStatics } from '../../index.ts'
import type { TiledFile, TiledLayer } from './format.ts'
import { readTiled } from './index.ts'

const property = (name: string, value: unknown) => ({ name, type: 'string', value })
const level = (layers: readonly TiledLayer[], more: Partial<TiledFile> = {}): TiledFile => ({
  type: 'map',
  orientation: 'orthogonal',
  infinite: false,
  width: 4,
  height: 3,
  tilewidth: 16,
  tileheight: 16,
  layers,
  ...more,
})
const tileLayer = (data: readonly number[], ...properties: { name: string; value: unknown }[]): TiledLayer => ({
  type: 'tilelayer',
  name: 'Ground',
  width: 4,
  height: 3,
  data,
  properties,
})
const objects = (...given: NonNullable<TiledLayer['objects']>): TiledLayer => ({
  type: 'objectgroup',
  name: 'Things',
  objects: given,
})
const wall = property('layer', 'wall')

describe('readTiled', () => {
  test('[TI1] solid tiles become rectangles that cover exactly them, merged by layer and door', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = randomOf(seed)
      const [width, height] = [1 + Math.floor(random() * 12), 1 + Math.floor(random() * 12)]
      const sorts = [undefined, ['wall', undefined], ['ledge', undefined], ['wall', 'gate']] as const
      const cells = Array.from({ length: width * height }, () => Math.floor(random() * 4))
      const tiles = [1, 2, 3].map((id) => ({
        id,
        properties: [
          property('layer', sorts[id]![0]),
          ...(sorts[id]![1] === undefined ? [] : [property('door', 'gate')]),
        ],
      }))
      const layer = { ...tileLayer(cells.map((sort) => (sort === 0 ? 0 : 10 + sort))), width, height, offsetx: 5 }
      const { map } = readTiled(level([layer], { width, height, tileheight: 8, tilesets: [{ firstgid: 10, tiles }] }))
      const covered = cells.map(() => 0)
      for (const piece of map) {
        if (!('minX' in piece)) throw new Error('a tile is no rectangle')
        const sort = piece.door === 'gate' ? 3 : piece.layer === 'wall' ? 1 : 2
        for (let row = piece.minY / 8; row < piece.maxY / 8; row++)
          for (let col = (piece.minX - 5) / 16; col < (piece.maxX - 5) / 16; col++) {
            expect(cells[row * width + col], `seed ${seed}`).toBe(sort)
            covered[row * width + col]++
          }
      }
      expect(covered, `seed ${seed}`).toEqual(cells.map((sort) => Number(sort > 0)))
      expect(map.length).toBeLessThanOrEqual(cells.filter((sort) => sort > 0).length)
    }
    const full = readTiled(level([tileLayer(Array(12).fill(1), wall)]))
    expect(full.map).toEqual([{ layer: 'wall', minX: 0, minY: 0, maxX: 64, maxY: 48 }])
    expect([full.width, full.height]).toEqual([64, 48])
    // The door of a layer is that of its tiles, also of those that say their layer themselves.
    const tiles = [{ id: 0, properties: [property('layer', 'ledge')] }]
    const gated = [tileLayer(Array(12).fill(1), wall, property('door', 'gate'))]
    expect(readTiled(level(gated, { tilesets: [{ firstgid: 1, tiles }] })).map).toEqual([
      { layer: 'ledge', door: 'gate', minX: 0, minY: 0, maxX: 64, maxY: 48 },
    ])
  })

  test('[TI2] shapes of tiles become pieces, turned as the tile is', () => {
    // A slope: its right angle is below on the right.
    const tiles = [
      {
        id: 0,
        objectgroup: {
          objects: [
            {
              x: 0,
              y: 16,
              polygon: [
                { x: 0, y: 0 },
                { x: 16, y: -12 },
                { x: 16, y: 0 },
              ],
            },
          ],
        },
      },
    ]
    const pointsOf = (flags: number) => {
      const { map } = readTiled(
        level([tileLayer([0, 1 + flags, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], wall)], { tilesets: [{ firstgid: 1, tiles }] }),
      )
      return map.map((piece) => ('points' in piece ? piece.points.map(([x, y]) => `${x - 16},${y}`).join(' ') : 'none'))
    }
    const [X, Y, D] = [0x80000000, 0x40000000, 0x20000000]
    expect(pointsOf(0)).toEqual(['0,16 16,4 16,16'])
    expect(pointsOf(X)).toEqual(['16,16 0,4 0,16'])
    expect(pointsOf(Y)).toEqual(['0,0 16,12 16,0'])
    expect(pointsOf(X + Y)).toEqual(['16,0 0,12 0,0'])
    expect(pointsOf(D)).toEqual(['16,0 4,16 16,16'])
    // A quarter turn clockwise, as Tiled writes it.
    expect(pointsOf(D + X)).toEqual(['0,0 12,16 0,16'])
    expect(pointsOf(D + Y)).toEqual(['16,16 4,0 16,0'])
    expect(pointsOf(D + X + Y)).toEqual(['0,16 12,0 0,0'])
  })

  test('[TI3] objects on a layer of the game are pieces, the others are objects of the game by their middle', () => {
    const { map, objects: found } = readTiled(
      level([
        {
          type: 'group',
          name: 'All',
          offsetx: 100,
          layers: [
            {
              ...objects(
                { id: 1, x: 10, y: 20, width: 30, height: 8 },
                {
                  id: 2,
                  x: 0,
                  y: 0,
                  polyline: [
                    { x: 0, y: 0 },
                    { x: 9, y: 3 },
                  ],
                  properties: [property('layer', 'ledge')],
                },
                { id: 3, x: 4, y: 4, width: 6, height: 6, ellipse: true, properties: [property('door', 'gate')] },
                { id: 4, x: 10, y: 0, width: 20, height: 4, rotation: 90 },
                {
                  id: 5,
                  x: 1,
                  y: 2,
                  width: 8,
                  height: 8,
                  type: 'chest',
                  properties: [property('layer', ''), { name: 'gold', value: 12 }],
                },
                { id: 6, x: 7, y: 9, point: true, name: 'start', class: 'spawn' },
              ),
              properties: [wall],
            },
            objects({ id: 7, x: 32, y: 48, width: 16, height: 16, gid: 3, type: 'slime' }),
          ],
        },
      ]),
    )
    expect(map).toEqual([
      { layer: 'wall', minX: 110, minY: 20, maxX: 140, maxY: 28 },
      { layer: 'ledge', from: [100, 0], to: [109, 3] },
      { layer: 'wall', door: 'gate', x: 107, y: 7, radius: 3 },
      { layer: 'wall', minX: 106, minY: 0, maxX: 110, maxY: 20 },
    ])
    expect(
      found.map(({ id, name, kind, x, y, width, height, properties }) => ({
        id,
        name,
        kind,
        x,
        y,
        width,
        height,
        gold: properties.gold,
      })),
    ).toEqual([
      { id: 5, name: '', kind: 'chest', x: 105, y: 6, width: 8, height: 8, gold: 12 },
      { id: 6, name: 'start', kind: 'spawn', x: 107, y: 9, width: 0, height: 0, gold: undefined },
      { id: 7, name: '', kind: 'slime', x: 140, y: 40, width: 16, height: 16, gold: undefined },
    ])
  })

  test('[TI3] a rectangle that is turned is a polygon, and the map is one that defineStatics takes', () => {
    const { map } = readTiled(
      level([
        { ...objects({ id: 1, x: 0, y: 0, width: 10, height: 10, rotation: 45 }), properties: [wall] },
        tileLayer(Array(12).fill(1), wall),
      ]),
    )
    const corners = 'points' in map[0] ? map[0].points : []
    const wanted = [
      [0, 0],
      [7.0711, 7.0711],
      [0, 14.1421],
      [-7.0711, 7.0711],
    ]
    for (const [i, [x, y]] of corners.entries()) {
      expect(x).toBeCloseTo(wanted[i][0], 3)
      expect(y).toBeCloseTo(wanted[i][1], 3)
    }
    const game = declareGame({ id: 'level', tickRate: 60, layers: { hero: ['wall'], wall: [] }, content: { map } })
    expect(defineStatics(game, map).pieces.length).toBe(2)
  })

  test('[TI4] what cannot be read is refused with the layer and the tile or object it is in', () => {
    const refused =
      (file: unknown, sets = {}) =>
      () =>
        readTiled(file as TiledFile, sets)
    expect(refused({})).toThrow('this is no map of Tiled')
    expect(refused(level([], { orientation: 'isometric' }))).toThrow('the map is isometric')
    expect(refused(level([], { infinite: true }))).toThrow('Map, Map Properties, Infinite')
    expect(refused(level([{ ...tileLayer([]), data: 'eJxjZ', encoding: 'base64', compression: 'zlib' }]))).toThrow(
      'layer "Ground": its tiles are encoded (base64, zlib). Choose CSV',
    )
    expect(refused(level([], { tilesets: [{ firstgid: 1, source: 'walls.tsj' }] }))).toThrow('"walls.tsj"')
    expect(
      readTiled(level([tileLayer([1, ...Array(11).fill(0)])], { tilesets: [{ firstgid: 1, source: 'walls.tsj' }] }), {
        'walls.tsj': { tiles: [{ id: 0, properties: [wall] }] },
      }).map.length,
    ).toBe(1)
    const shaped = (object: object) =>
      refused(level([{ ...objects({ id: 9, name: 'rock', x: 0, y: 0, ...object }), properties: [wall] }]))
    expect(shaped({ ellipse: true, width: 4, height: 6 })).toThrow(
      'layer "Things", object 9 "rock": an ellipse must be a circle, got 4 by 6.',
    )
    expect(shaped({ gid: 4 })).toThrow('a tile as an object has no shape')
    expect(shaped({ text: {} })).toThrow('a text as an object has no shape')
    expect(shaped({ polyline: [{ x: 0, y: 0 }] })).toThrow('a line must have two ends, got 1.')
    const tiles = [{ id: 0, objectgroup: { objects: [{ x: 0, y: 0, ellipse: true, width: 1, height: 2 }] } }]
    expect(
      refused(level([tileLayer([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0], wall)], { tilesets: [{ firstgid: 1, tiles }] })),
    ).toThrow('layer "Ground", tile 1, 1: an ellipse')
    expect(refused(level([{ ...objects(), properties: [property('layer', 3)] }]))).toThrow(
      'layer "Things": its property layer must be a text, got 3.',
    )
  })
})
