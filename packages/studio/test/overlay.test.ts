import { collide, createWorld, declareGame, defineBlocks, defineGame, defineStatics, each, spawn, step } from 'hurtbox'
import { defineCombat } from 'hurtbox/combat'
import { ground, moveBodies, separate } from 'hurtbox/motion'
import { judgeAsSeen } from 'hurtbox/rewind'
import { circle } from 'hurtbox/shapes'
import { type AnyWorld, collisionsOf } from 'hurtbox/tools'
import { defineZones, hurtZone, poseZones } from 'hurtbox/zones'
import { expect, test } from 'vitest'
import { drawOverlay, listContacts } from '../src/draw/overlay.ts'
import { packOverlay } from '../src/sim/overlay.ts'
import { BOX } from '../src/sim/protocol.ts'

test("[SP17] the studio's contacts have the pushes of the tick: the pair, where they touch, in which direction, how deep", () => {
  const declaration = declareGame({ id: 'shove', tickRate: 30, layers: { unit: [] }, things: { invMass: 'f64' } })
  const game = defineGame(declaration, { phases: { room: separate() } })
  const world = createWorld(game)
  const a = spawn(world, 'unit', { radius: 25, invMass: 1 / 100 })
  const b = spawn(world, 'unit', { x: 30, radius: 20, invMass: 1 / 50 })
  const shown = () => {
    const any = world as unknown as AnyWorld
    return listContacts(packOverlay(any, [...collisionsOf(any).values()], any.tables.things.id))
  }
  // Before the first tick nothing was pushed.
  expect(shown()).toEqual([])
  step(world)
  expect(shown()).toEqual([
    { a: a.id, b: b.id, x: a.x + 25, y: 0, z: 0, normalX: 1, normalY: 0, depth: 15, isPush: true },
  ])
  step(world)
  expect(shown(), 'they are apart').toEqual([])
})

test('[SM7] every wall is packed once, near or not, with its shape; an open door as what cannot be met now', () => {
  const declaration = declareGame({
    id: 'map',
    tickRate: 30,
    layers: { ball: ['wall'], wall: [] },
    globals: { open: 'u8' },
  })
  const statics = defineStatics(declaration, [
    { layer: 'wall', minX: 10, minY: 0, maxX: 30, maxY: 40 },
    { layer: 'wall', x: 5000, y: 7, radius: 9 },
    { layer: 'wall', minX: 900, minY: 0, maxX: 910, maxY: 80, door: 'open' },
  ])
  const rules = { 'ball meets wall': { between: ['ball', 'wall'], decide: () => {} } } as const
  const phases = { near: collide(declaration, rules, { statics }), again: collide(declaration, rules, { statics }) }
  const world = createWorld(defineGame(declaration, { phases }))
  const walls = () => {
    const any = world as unknown as AnyWorld
    const { boxes, shapes } = packOverlay(any, [...collisionsOf(any).values()], any.tables.things.id)
    const packed = []
    for (let at = 0; at < boxes.length; at += BOX.fields) {
      const shape = shapes[boxes[at + BOX.shape]] as { kind: string } | undefined
      if (shape !== undefined) packed.push([shape.kind, boxes[at + BOX.x], boxes[at + BOX.y], boxes[at + BOX.state]])
    }
    return packed
  }
  step(world)
  const wanted = [
    ['box', 20, 20, 0],
    ['circle', 5000, 7, 0],
    ['box', 905, 40, 0],
  ]
  expect(walls(), 'without a thing').toEqual(wanted)
  spawn(world, 'ball', { radius: 3, y: -500 })
  world.globals.open = 1
  step(world)
  wanted[2][3] = 1
  expect(walls(), 'with a thing far away').toEqual(wanted)
})

test('[SM9] the map of a phase that moves bodies is packed too', () => {
  const declaration = declareGame({
    id: 'hall',
    tickRate: 30,
    layers: { body: ['floor'], floor: [] },
    things: { z: 'f64', vz: 'f64', halfLength: 'f64', invMass: 'f64', grounded: 'u8' },
  })
  const block = { layer: 'floor', minX: 10, minY: 0, minZ: 0, maxX: 30, maxY: 40, maxZ: 6 }
  const statics = defineBlocks(declaration, [block, { layer: 'floor', ...ground(0) }])
  const phases = { move: moveBodies({ statics, gravity: () => 10 }) }
  const world = createWorld(defineGame(declaration, { phases })) as unknown as AnyWorld
  const { boxes, shapes } = packOverlay(world, [], world.tables.things.id)
  expect(boxes.length / BOX.fields).toBe(2)
  expect([BOX.x, BOX.y, BOX.z].map((field) => boxes[field])).toEqual([20, 20, 3])
  expect(shapes[boxes[BOX.shape]]).toMatchObject({ kind: 'box', halfX: 10, halfY: 20, halfZ: 3 })
})

test('[JS17] the box of a victim that was judged where its attacker saw it is drawn there in yellow dashes, the present one as ever', () => {
  const declaration = declareGame({
    id: 'walk',
    tickRate: 50,
    seats: { min: 1, max: 1 },
    layers: { shot: ['runner'], runner: [] },
  })
  const rules = { 'shot hits runner': { between: ['shot', 'runner'], decide: () => {} } } as const
  const game = defineGame(declaration, {
    onJoin(world, player) {
      player.thing = spawn(world, 'shot', { radius: 2, y: 50 })
    },
    phases: {
      walk: (world) => {
        for (const runner of each(world, 'runner')) runner.x += 10
      },
      hits: collide(declaration, rules),
    },
  })
  const world = createWorld(judgeAsSeen(game, { ticks: 8, between: [['shot', 'runner']] }))
  const any = world as unknown as AnyWorld
  step(world, { controls: [{ control: 'join', seat: 0 }] })
  spawn(world, 'runner', { radius: 7 })
  for (let tick = 0; tick < 8; tick++) step(world)
  const drawn = (seenAgo: number) => {
    step(world, { players: [{ seat: 0, seenAgo }] } as never)
    const circles: [colour: string, dashes: number, x: number][] = []
    let [path, dashes]: [number[], number] = [[], 0]
    const context = {
      strokeStyle: '',
      beginPath: () => void (path = []),
      setLineDash: (dash: number[]) => void (dashes = dash.length),
      stroke: () => void circles.push(...path.map((x): [string, number, number] => [context.strokeStyle, dashes, x])),
      fill() {},
      moveTo() {},
      ellipse: (x: number) => void path.push(x),
      arc: (x: number) => void path.push(x),
    }
    const overlay = packOverlay(any, [...collisionsOf(any).values()], any.tables.things.id)
    const project = (x: number, y: number, _z: number, out: { x: number; y: number }) => Object.assign(out, { x, y })
    const visible = { minX: -1e3, minY: -1e3, maxX: 1e3, maxY: 1e3 }
    const target = { context, width: 100, height: 100, scale: 1, project, visible } as never
    const layers = { boxes: true, hiddenLayers: 0 } as never
    drawOverlay(target, overlay, any, layers, { selected: [], hovered: 0 })
    return circles.filter(([, , x]) => x !== 0)
  }
  expect(drawn(0)).toEqual([['#5ef08c', 0, 90]])
  // Before this tick it was at 90.
  expect(drawn(2.5)).toEqual([
    ['#5ef08c', 0, 100],
    ['#ffc857', 2, 90 - 25],
  ])
})

test('[HZ11] the names of zones are written on their boxes, turned as the thing faces', () => {
  const combat = defineCombat({ damageTypes: ['blow'] })
  const zones = defineZones({
    head: { shape: circle(4, { offsetX: 30, offsetY: 10 }), breaksAt: 5, broken: 'gone' },
    body: { shape: circle(20) },
  })
  const declaration = declareGame({
    id: 'zones',
    tickRate: 30,
    layers: { boss: ['bolt'], bolt: [] },
    things: { ...combat.columns, ...zones.columns, facingX: 'f64', facingY: 'f64' },
    events: { ...combat.events, ...zones.events },
  })
  const rules = { hit: { between: ['bolt', 'boss'], decide: () => {} } } as const
  const world = createWorld(
    defineGame(declaration, { phases: { hits: collide(declaration, rules, { pose: { boss: poseZones(zones) } }) } }),
  )
  const boss = spawn(world, 'boss', { x: 100, y: 50, hp: 9, facingX: 0, facingY: 1 })
  spawn(world, 'bolt', { x: 500, radius: 3 })
  const written = () => {
    step(world)
    const any = world as unknown as AnyWorld
    const texts: unknown[] = []
    const context = new Proxy(
      {},
      { get: (_, name) => (name === 'fillText' ? (...what: unknown[]) => texts.push(what) : () => {}) },
    )
    const target = {
      ...{ context: context as CanvasRenderingContext2D, width: 800, height: 600, scale: 1 },
      project: (x: number, y: number, _z: number, out: { x: number; y: number }) => void Object.assign(out, { x, y }),
      visible: { minX: 0, minY: 0, maxX: 800, maxY: 600 },
    }
    const layers = {
      boxes: true,
      grid: false,
      bounds: false,
      contacts: false,
      velocities: false,
      fog: false,
      hiddenLayers: 0,
    }
    const overlay = packOverlay(any, [...collisionsOf(any).values()], any.tables.things.id)
    drawOverlay(target, overlay, any, layers, { selected: [], hovered: 0 })
    return texts
  }
  expect(written()).toEqual([
    ['head', 90, 80],
    ['body', 100, 50],
  ])
  hurtZone(zones, boss, 0, { amount: 5 })
  expect(written()[0]).toEqual(['head, gone', 90, 80])
})
