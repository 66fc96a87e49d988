/** From a match to objects on the screen, without a screen. */

import { each } from 'hurtbox'
import { createPlace, type Match, type Picture } from 'hurtbox/picture'
import { Container, Graphics, type Ticker } from 'pixi.js'
import { BufferGeometry, LineSegments, Object3D } from 'three'
import { expect, test, vi } from 'vitest'
import { type declaration, game, module } from '../test/support.ts'
import { bind, drawBoxes, playOffline } from './index.ts'
import { drawBoxesWith as drawPixiBoxes, MatchContainer } from './pixi.ts'
import { drawBoxesWith as drawThreeBoxes, MatchGroup } from './three.ts'

type Roll = typeof declaration
const right = () => ({ moveX: 1 })

/** A match whose pictures are made by hand. */
function still(picture: Picture<Roll>): Match<Roll> {
  return {
    game,
    seat: 0,
    update: () => picture,
    on: () => () => {},
    onGap: () => () => {},
    leave: async () => {},
  }
}

test('[VW30] every thing has one object: created once, updated in every frame where the thing is drawn, removed when it has gone', () => {
  const match = playOffline(game)
  const log: string[] = []
  const bound = bind(match, {
    create: (thing) => {
      log.push(`create ${thing.layer} ${thing.id}`)
      return { id: thing.id, x: Number.NaN }
    },
    update: (object, _thing, place) => void (object.x = place.x),
    remove: ({ id }) => void log.push(`remove ${id}`),
  })
  const place = createPlace()
  for (let now = 0; now <= 380; now += 10) {
    const picture = match.update(now, right)!
    bound.draw(picture)
    for (const thing of each(picture.after)) {
      picture.place(thing.id, place)
      expect(bound.get(thing.id)?.x).toBe(place.x)
    }
  }
  // Ticks 0 to 19: chips of ticks 0 and 10 have come and gone.
  expect(log).toEqual(['create ball 1', 'create chip 2', 'remove 2', 'create chip 3', 'remove 3'])
  bound.close()
  expect(log.at(-1)).toBe('remove 1')
})

test('[VW31] a thing keeps its object under its key when its id changes, and another thing under a key gets an object of its own', () => {
  const match = playOffline(game)
  const base = match.update(0, right)!
  let keys: Record<number, number> = {}
  let jumped = false
  const picture = () => ({ ...base, jumped, key: (id: number) => keys[id] ?? id })
  const made: object[] = []
  const removed: object[] = []
  const bound = bind(still(base), {
    create(thing) {
      const object = { layer: thing.layer }
      made.push(object)
      return object
    },
    remove: (object) => void removed.push(object),
  })
  bound.draw(picture())
  const [ball, chip] = made
  keys = { 1: 77 }
  bound.draw(picture())
  expect([made.length, removed]).toEqual([3, [ball]])
  // Now the ball has the key of the chip.
  keys = { 1: 2, 2: 99 }
  bound.draw(picture())
  expect(made.length).toBe(5)
  expect(removed).toContain(chip)
  jumped = true
  bound.draw(picture())
  expect(made.length).toBe(7)
})

test('[VW36] with `keepOverJumps` things keep their objects when the picture jumps; without a match there is nothing to listen to', () => {
  const match = playOffline(game)
  const base = match.update(0, right)!
  const made: number[] = []
  const removed: number[] = []
  const bound = bind<Roll, number>(undefined, {
    keepOverJumps: true,
    create: ({ id }) => made.push(id),
    remove: (object) => void removed.push(object),
  })
  bound.draw(base)
  bound.draw({ ...base, jumped: true })
  expect([made, removed, [...bound.objects()]]).toEqual([[1, 2], [], [1, 2]])
  bound.close()
  expect(removed).toEqual([1, 2])
})

test('[VW37] `bind` draws what the picture lists, where that is not all of its later state', () => {
  const match = playOffline(game)
  const base = match.update(0, right)!
  const bound = bind<Roll, string>(match, { create: ({ layer }) => layer })
  bound.draw(base)
  expect([...bound.objects()]).toEqual(['ball', 'chip'])
  bound.draw({ ...base, things: () => each(base.after, 'chip') })
  expect([...bound.objects()]).toEqual(['chip'])
})

test('[VW32] offline: ticks run at the game’s rate whatever the screen does, and a tab that was hidden goes on where it was', () => {
  for (const fps of [30, 60, 144]) {
    const match = playOffline(game)
    const steps: number[] = []
    let last: number | undefined
    const place = createPlace()
    for (let frame = 0; frame <= fps * 2; frame++) {
      const picture = match.update((frame * 1000) / fps, right)!
      picture.place(1, place)
      if (last !== undefined && frame > fps) steps.push(place.x - last)
      last = place.x
    }
    expect(match.world.tick).toBeGreaterThanOrEqual(100)
    expect(match.world.tick).toBeLessThanOrEqual(101)
    // 50 units a second, evenly.
    expect(Math.max(...steps)).toBeCloseTo(50 / fps, 6)
    expect(Math.min(...steps)).toBeCloseTo(50 / fps, 6)
    match.update(60_000, right)
    expect(match.world.tick).toBeLessThanOrEqual(101 + 13)
  }
})

test('[VW32] offline: a pause stops the clock, and the bots of the module have the other seats', () => {
  const match = playOffline(module, { seat: 1 })
  for (let now = 0; now <= 200; now += 20) match.update(now, right)
  const { players, things } = match.world.tables
  expect(players.count).toBe(3)
  // Seats 0 and 2 are played by bots that roll to the left.
  expect([...things.x.subarray(0, 2)]).toEqual([-10, 20])
  match.pause(true)
  for (let now = 220; now <= 400; now += 20) match.update(now, right)
  const { clock } = match.world
  for (let now = 420; now <= 600; now += 20) match.update(now, right)
  expect(match.world.clock).toBe(clock)
})

test('[EV9] offline every event is predicted and confirmed at once, with one serial; a function alone is called once', () => {
  const match = playOffline(module)
  const news: string[] = []
  const plain: string[] = []
  match.on('bounce', {
    predicted: ({ ball, tick }, serial) => void news.push(`${serial} predicted ${ball} at ${tick}`),
    confirmed: ({ ball, tick }, serial) => void news.push(`${serial} confirmed ${ball} at ${tick}`),
    withdrawn: () => void news.push('withdrawn'),
  })
  const end = match.on('goal', ({ team }) => void plain.push(`team ${team}`))
  const shown: string[] = []
  for (let now = 0; now <= 300; now += 20) {
    for (const event of match.update(now, right)!.events) shown.push(event.kind)
  }
  expect(news.slice(0, 4)).toEqual([
    '1 predicted 1 at 5',
    '1 confirmed 1 at 5',
    '2 predicted 2 at 5',
    '2 confirmed 2 at 5',
  ])
  expect(plain).toEqual(['team 1'])
  expect(shown.filter((kind) => kind === 'goal')).toHaveLength(1)
  end()
  expect(() => match.on('gaol' as 'goal', () => {})).toThrow('goal')
  expect(() => match.on('goal', { confrmed() {} } as never)).toThrow('confirmed')
})

test('[VW33] the boxes of the last tick are outlines; of things that meet in no rule their circles are', () => {
  const match = playOffline(game)
  const outlines: [string, number][] = []
  drawBoxes(match.update(0, right)!, (corners, layer) => {
    outlines.push([layer, Math.max(...corners.filter((_, i) => i % 2 === 0))])
  })
  expect(outlines).toEqual([
    ['ball', 2],
    ['chip', 1],
  ])
})

/** Frames by hand. */
function handTicker() {
  const frames = new Set<() => void>()
  const ticker = { add: (frame: () => void) => frames.add(frame), remove: (frame: () => void) => frames.delete(frame) }
  return { ticker: ticker as unknown as Ticker, frames }
}

test('[VW34] Pixi: things are children where they are drawn; destroying the container ends everything', () => {
  vi.spyOn(performance, 'now').mockReturnValue(0)
  const { ticker, frames } = handTicker()
  const match = playOffline(game)
  let bounces = 0
  const graphics = new Graphics()
  const container = new MatchContainer(match, {
    ticker,
    input: right,
    create: () => new Container(),
    frame: (picture) => drawPixiBoxes(graphics, picture),
    on: { bounce: () => void bounces++ },
  })
  for (let now = 0; now <= 100; now += 10) {
    vi.spyOn(performance, 'now').mockReturnValue(now)
    for (const frame of frames) frame()
  }
  const [ball] = container.children
  // Ticks 0 to 5 have run; the first brought the player in.
  expect(ball.position.x).toBe(4)
  expect(bounces).toBe(1)
  expect(graphics.bounds.maxX).toBeGreaterThan(4)
  const children = [...container.children]
  container.destroy()
  expect(frames.size).toBe(0)
  expect(children.every(({ destroyed }) => destroyed)).toBe(true)
  match.update(400, right)
  expect(bounces).toBe(1)
  vi.restoreAllMocks()
})

test('[VW34] three: the plane of the game is the floor, and closing the group takes everything out', () => {
  vi.spyOn(performance, 'now').mockReturnValue(0)
  const match = playOffline(game)
  const lines = new LineSegments(new BufferGeometry())
  let removed = 0
  const group = new MatchGroup(match, {
    input: right,
    create: ({ layer }) => (layer === 'ball' ? new Object3D() : undefined),
    update: (object, thing) => void (object.name = thing.layer),
    remove: () => void removed++,
    frame: (picture) => drawThreeBoxes(lines, picture),
  })
  for (let now = 0; now <= 100; now += 20) {
    vi.spyOn(performance, 'now').mockReturnValue(now)
    group.update()
  }
  expect(group.children.map(({ name, position }) => [name, position.x, position.y, position.z])).toEqual([
    ['ball', 4, 0, 3],
  ])
  expect(lines.geometry.getAttribute('position').count).toBeGreaterThan(40)
  group.close()
  expect([group.children.length, removed]).toEqual([0, 1])
  vi.restoreAllMocks()
})
