import { thing } from 'hurtbox'
import { expect, test } from 'vitest'
import pit from '../../../../create-hurtbox/template/game/index.ts'
import { chance, openStudio } from '../../../test/studio.ts'
import { compareWorlds } from '../../model/compare.ts'
import { worldOf } from '../../model/studio.ts'
import { columnPaths, phaseRows } from './data.ts'

test('[LB4] a hit is found in the phase that made it, with its rule, and the values after every phase', async () => {
  const { studio, settled } = await openStudio(pit, 3, 600)
  const { show } = studio
  const hit = await settled(show.client.ask(show.sim, { ask: 'hit', from: 0, direction: 1 }))
  const { records } = await settled(show.client.ask(show.sim, { ask: 'events', from: hit - 1 }))
  const { victim, hpAfter, taken } = records.find(
    ({ kind, tick }) => kind === 'damage' && tick === hit - 1,
  ) as unknown as Record<string, number>
  const answer = await settled(show.client.ask(show.sim, { ask: 'changes', tick: hit - 1, id: victim }))
  const row = phaseRows(answer).find(({ phase }) => phase === 'hits')!
  expect(row.changes).toContainEqual({ column: 'hp', before: hpAfter + taken, after: hpAfter })
  expect(row.rules.map(({ rule }) => rule)).toContain(
    ['sword hits slime', 'slime hurts knight'].find((rule) => row.rules.some((each) => each.rule === rule)),
  )
  const path = columnPaths(answer).find(({ column }) => column === 'hp')!
  expect(path.before).toBe(hpAfter + taken)
  expect(path.after.at(-1)).toBe(hpAfter)
})

test('[LB4] after the last phase every column has the value of the next tick: random ticks and things', async () => {
  const { studio, settled, goTo } = await openStudio(pit, 5, 400)
  const { show } = studio
  const roll = chance(11)
  let changed = 0
  for (let i = 0; i < 12; i++) {
    const tick = 20 + roll(370)
    await goTo(tick + 1)
    const { things } = worldOf(studio).tables
    const row = roll(things.count)
    const answer = await settled(show.client.ask(show.sim, { ask: 'changes', tick, id: things.id[row] }))
    for (const { column, after } of columnPaths(answer)) {
      const [, name, place] = /^(\w+)(?:\[(\d+)\])?$/.exec(column)!
      const { array, width } = things.columns.find((each: { name: string }) => each.name === name)
      expect(after.at(-1), `tick ${tick}, thing ${things.id[row]}, ${column}`).toBe(
        array[row * width + Number(place ?? 0)],
      )
      changed++
    }
  }
  expect(changed).toBeGreaterThan(10)
})

test('[LB4] two ticks are compared thing by thing: what changed, what is new, what is gone', async () => {
  const early = await openStudio(pit, 5, 120)
  const late = await openStudio(pit, 5, 400)
  const [here, there] = [worldOf(early.studio), worldOf(late.studio)]
  const { things, others, left } = compareWorlds(here, there)
  expect(left).toBe(0)
  const of = (is: string) => things.filter((each) => each.is === is).map(({ id }) => id)
  for (const id of of('only here')) expect([thing(here, id)?.id, thing(there, id)]).toEqual([id, undefined])
  for (const id of of('only there')) expect([thing(here, id), thing(there, id)?.id]).toEqual([undefined, id])
  const idsOf = ({ tables }: typeof here) => [...tables.things.id.subarray(0, tables.things.count)]
  const isMissing = (id: number) => thing(here, id) === undefined
  expect(of('only there').sort((a, b) => a - b)).toEqual(idsOf(there).filter(isMissing))
  expect(idsOf(there).some(isMissing)).toBe(true)
  // Players come first.
  const knights = [...there.tables.players.thing.subarray(0, there.tables.players.count)]
  expect(
    things
      .slice(0, knights.length)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(knights.sort())
  expect(others.some(({ table, column }) => table === 'players' && column === 'score')).toBe(true)
  expect(compareWorlds(here, here)).toEqual({ things: [], others: [], left: 0 })
})
