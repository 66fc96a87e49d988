/** Whoever shows a match, its view is given the same frame: a page of one's own, the studio, a replay. */

import { type Frame, playOffline, type View } from '@hurtbox/view'
import { createStage, drawStage } from '@hurtbox/view/stage'
import { createPlace, pictureOf } from 'hurtbox/picture'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import jetRaiders from '../../../games/jet-raiders/index.ts'
import { createStudioStage, drawStudioStage } from '../src/draw/stage.ts'

/** An element without pixels. */
function element(): HTMLElement {
  return { clientWidth: 800, clientHeight: 600, append() {}, replaceChildren() {} } as unknown as HTMLElement
}

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  const context: object = new Proxy({}, { get: (_, name) => (name === 'canvas' ? canvas : () => {}), set: () => true })
  const canvas = { style: {}, getContext: () => context }
  vi.stubGlobal('document', { createElement: () => ({ ...canvas }) })
})
afterEach(() => vi.unstubAllGlobals())

/** A view that keeps its frames, as text that can be compared. */
function recorded(frames: string[]): View {
  const place = createPlace()
  const draw = (frame: Frame) => {
    const { before, after, place: placeOf, key, camera, events, alpha, jumped, seat, isSlow } = frame
    const ids = [...after.tables.things.id.slice(0, after.tables.things.count)]
    const places = ids.map((id) => [id, key(id), placeOf(id, place), place.x, place.y, place.facingX])
    frames.push(JSON.stringify([before.tick, after.tick, alpha, jumped, seat, isSlow, camera, events, places]))
  }
  return {
    help: [],
    target: 'canvas',
    controls: { fields: {} },
    bounds: () => ({ minX: -900, minY: -600, maxX: 900, maxY: 600 }),
    create: () => ({ draw }),
  }
}

test('[VW40] a view is given the same frame on a page of one’s own and in the studio, once and with what came before it was ready', async () => {
  const frames: Record<'own' | 'studio', string[]> = { own: [], studio: [] }
  const own = createStage(element(), jetRaiders, recorded(frames.own))
  const studio = createStudioStage(element(), jetRaiders, recorded(frames.studio))
  const match = playOffline(jetRaiders, { seed: 3 })
  let happened = 0
  let early = 0
  for (let now = 10; now < 12_000; now += 11) {
    const picture = match.update(now, () => ({}))!
    for (const stage of [own, studio]) stage.seat = 0
    drawStage(own, picture, now)
    // As the studio has it: two states that a worker has sent.
    const { before, after, alpha, events, jumped } = picture
    drawStudioStage(studio, { ...pictureOf({ before, after, alpha, events, jumped }), isSlow: false }, now)
    // A view may load what it needs first; until then nothing is drawn and no event is lost.
    if (now > 9000) await Promise.resolve()
    happened += events.length
    if (own.drawing === undefined) early += events.length
  }
  expect(frames.own.length).toBeGreaterThan(200)
  expect(frames.studio).toEqual(frames.own)
  const told = frames.own.flatMap(
    (frame) => (JSON.parse(frame) as [unknown, unknown, unknown, unknown, unknown, unknown, unknown, object[]])[7],
  )
  expect(early).toBeGreaterThan(0)
  expect(told).toHaveLength(happened)
  const jumps = frames.own.map((frame) => JSON.parse(frame)[3])
  expect(jumps).toEqual([true, ...jumps.slice(1).fill(false)])
})
