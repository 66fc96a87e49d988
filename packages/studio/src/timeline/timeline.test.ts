import { players } from 'hurtbox'
import { expect, test, vi } from 'vitest'
import pit from '../../../create-hurtbox/template/game/index.ts'
import { chance, openStudio } from '../../test/studio.ts'
import { bookmark, markLoop, readBookmarks, tendLoop, writeBookmarks } from '../model/bookmarks.ts'
import { openBytes, saveReplay } from '../model/proof.ts'
import { setupFor } from '../model/setup.ts'
import { worldOf } from '../model/studio.ts'
import { refreshSurvey, surveyedPart } from '../model/survey.ts'
import { playOn } from '../model/time.ts'
import { tickShow } from '../show/show.ts'
import { createSimHost } from '../sim/host.ts'
import type { Response } from '../sim/protocol.ts'
import { isInLane, lanesOf, marksIn, pan, zoom } from './data.ts'

test('[LB5] zooming keeps the tick under the pointer where it is, and neither zoom nor pan leaves the match: random hands', () => {
  const roll = chance(5)
  const whole = { from: 0, to: 36_000 }
  let stretch: { readonly from: number; readonly to: number } = whole
  for (let i = 0; i < 2000; i++) {
    const at = stretch.from + roll(1000) * ((stretch.to - stretch.from) / 1000)
    const part = (at - stretch.from) / (stretch.to - stretch.from)
    const before = stretch
    const factor = [0.5, 0.8, 1.25, 2][roll(4)]
    const isPan = roll(3) === 0
    stretch = isPan ? pan(stretch, roll(8000) - 4000, whole) : zoom(stretch, at, factor, whole)
    expect(stretch.from, `step ${i}`).toBeGreaterThanOrEqual(0)
    expect(stretch.to, `step ${i}`).toBeLessThanOrEqual(36_000 + 1e-6)
    expect(stretch.to - stretch.from, `step ${i}`).toBeGreaterThanOrEqual(20 - 1e-6)
    if (isPan) expect(stretch.to - stretch.from).toBeCloseTo(before.to - before.from, 6)
    // Where an edge of the match was not in the way.
    else if (stretch.from > 0 && stretch.to < 36_000)
      expect((at - stretch.from) / (stretch.to - stretch.from), `step ${i}`).toBeCloseTo(part, 6)
  }
})

test('[LB5] the marks of a whole match are those of its events, by kind and player, as they are found one after another', async () => {
  const { studio, settled, module } = await openStudio(pit, 3, 900)
  await settled(refreshSurvey(studio))
  const { marks, kinds, indexed } = studio.survey.value
  expect(indexed).toBe(900)
  const { records } = await settled(studio.show.client.ask(studio.show.sim, { ask: 'events', from: 0 }))
  const seatOf = new Map([...players(worldOf(studio))].map(({ seat, thing }) => [thing?.id, seat]))
  // Slimes are nobody's, knights are a player's; each tick, kind and player once.
  const wanted = new Set<string>()
  for (const record of records) {
    const ids = Object.entries(module.game.declaration.events?.[record.kind] ?? {}).filter(([, spec]) => spec === 'id')
    const seats = ids.flatMap(([field]) => seatOf.get((record as unknown as Record<string, number>)[field]) ?? [])
    for (const seat of seats.length === 0 ? [-1] : seats) wanted.add(`${record.tick} ${record.kind} ${seat}`)
  }
  const found: string[] = []
  for (let i = 0; i < marks.length; i += 3) found.push(`${marks[i]} ${kinds[marks[i + 1]]} ${marks[i + 2]}`)
  expect(new Set(found)).toEqual(wanted)
  expect(found.length).toBe(wanted.size)
  expect(found.length).toBeGreaterThan(50)
  const [from, to] = marksIn(marks, { from: 300, to: 500 })
  expect(marks.filter((tick, i) => i % 3 === 0 && tick >= 300 && tick <= 500).length).toBe((to - from) / 3)
  const lanes = lanesOf(module, studio.survey.value, [0, 1], (seat) => `P${seat + 1}`)
  expect(lanes.map(({ label }) => label)).toEqual(['P1', 'P2', 'kill', 'damage'])
  expect(lanes.map((lane) => isInLane(lane, kinds.indexOf('kill'), 1))).toEqual([false, true, true, false])
})

test('[LB5] of a file that was just opened the rest is looked through little by little, and seeking does not wait for it', async () => {
  const first = await openStudio(pit, 3, 900)
  const bytes = await first.settled(saveReplay(first.studio))
  await first.settled(refreshSurvey(first.studio))
  const { studio, settled, goTo } = await openStudio(pit, 4, 10)
  await settled(openBytes(studio, bytes, 700))
  await goTo(700)
  expect(studio.show.tick.value).toBe(700)
  for (let i = 0; i < 200 && surveyedPart(studio) < 1; i++) await settled(refreshSurvey(studio))
  expect(studio.survey.value.indexed).toBe(900)
  expect(studio.survey.value.marks).toEqual(first.studio.survey.value.marks)
  expect(studio.show.tick.value, 'looking moves nothing').toBe(700)
  // Going on differently forgets the rest.
  await settled(playOn(studio))
  await goTo(701)
  await settled(refreshSurvey(studio))
  expect(studio.survey.value.indexed).toBeLessThan(720)
  expect(studio.survey.value.marks.filter((tick, i) => i % 3 === 0 && tick > 720)).toEqual([])
})

test('[LB5] a match that begins at a late tick says how far it has come', async () => {
  const { module } = await openStudio(pit, 3, 1)
  const told: Response[] = []
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1))
  const host = createSimHost({ load: async () => module, reply: (response) => told.push(response) })
  host.handle({ type: 'start', sim: 1, epoch: 0, setup: setupFor(module, 3, -1), tick: 1500 })
  while (!told.some(({ type }) => type === 'frame')) await new Promise((resolve) => setImmediate(resolve))
  vi.restoreAllMocks()
  const progress = told.flatMap((each) => (each.type === 'progress' ? [each] : []))
  expect(progress.length).toBeGreaterThan(2)
  for (const [i, { tick, of }] of progress.entries()) {
    expect(of).toBe(1500)
    expect(tick).toBeGreaterThan(i === 0 ? 0 : progress[i - 1].tick)
  }
  expect(told.at(-1)).toMatchObject({ type: 'frame', tick: 1500 })
})

test('[LB5] bookmarks travel as text, and a loop goes back to its beginning', async () => {
  const kept = [
    { tick: 300, note: '' },
    { tick: 12, note: 'first hit: why?' },
  ]
  expect(readBookmarks(writeBookmarks(kept))).toEqual([kept[1], kept[0]])
  expect(readBookmarks('x;-3;5:a;;12e3')).toEqual([{ tick: 5, note: 'a' }])
  expect(readBookmarks(`7:${'n'.repeat(500)}`)[0].note.length).toBe(80)

  globalThis.window ??= globalThis as never
  const { studio, goTo, deliver } = await openStudio(pit, 3, 200)
  const { show } = studio
  await goTo(100)
  bookmark(studio)
  markLoop(studio)
  await goTo(110)
  markLoop(studio)
  expect(studio.bookmarks.value).toEqual([{ tick: 100, note: '' }])
  expect(studio.loop.value).toEqual({ from: 100, to: 110 })
  const seen: number[] = []
  for (let i = 0; i < 80; i++) {
    tendLoop(studio)
    tickShow(show, 16)
    await deliver()
    seen.push(show.tick.value)
  }
  expect(Math.max(...seen)).toBeLessThan(116)
  expect(seen.filter((tick, i) => i > 0 && tick < seen[i - 1]).length, 'times around').toBeGreaterThan(2)
})
