import { players } from 'hurtbox'
import { expect, test } from 'vitest'
import pit from '../../../../create-hurtbox/template/game/index.ts'
import { openStudio } from '../../../test/studio.ts'
import { refreshVerdict } from '../../model/ask.ts'
import { worldOf } from '../../model/studio.ts'
import { columnWords, tellChange, tellTrace, tellValue } from '../../model/words.ts'
import { changedColumns, columnRows } from './data.ts'

test('[LB3] columns come in groups, with what changed in front, timers as time left, and what is at rest apart', async () => {
  const { studio } = await openStudio(pit, 3, 400)
  const world = worldOf(studio)
  const knight = [...players(world)][0].thing!
  const rows = columnRows(world, knight.id, new Set(['x', 'armour[1]']))!
  const groupOf = (name: string) => rows.find((row) => row.name === name)?.group
  expect(groupOf('x')).toBe('changed')
  expect(groupOf('armour'), 'of a wide column each place counts').toBe('changed')
  expect(groupOf('y')).toBe('place')
  expect(groupOf('vx')).toBe('motion')
  expect(groupOf('hp')).toBe('health')
  expect(groupOf('swingEndsAt')).toBe('timers')
  expect(groupOf('swing')).toBe('other')
  // Every column of the thing is somewhere, and a timer that has run out is at rest.
  expect(rows.map(({ name }) => name)).toEqual(world.tables.things.columns.map(({ name }: { name: string }) => name))
  expect(rows.find(({ name }) => name === 'endsAt')?.isDefault).toBe(true)
  expect(rows.find(({ name }) => name === 'hp')?.isDefault).toBe(false)
  expect(columnRows(world, 999_999, new Set())).toBeUndefined()

  expect(columnWords('hp')).toBe('health')
  expect(columnWords('invulnerableUntil')).toBe('invulnerable')
  expect(columnWords('readyAt[2]')).toBe('ready 3')
  expect(tellValue(studio, 'invulnerableUntil', world.clock + 30)).toBe('0.5 s (30 ticks)')
  expect(tellValue(studio, 'invulnerableUntil', world.clock)).toBe('over')
  expect(tellValue(studio, 'layer', knight.layer === 'knight' ? 2 : 0)).toBe('knight')
  expect(tellValue(studio, 'owner', knight.id)).toContain('knight')
})

test('[LB3] what changed between two states is found by column', async () => {
  const { studio, goTo } = await openStudio(pit, 3, 400)
  await goTo(399)
  const { before, after } = studio.show.states
  const [knight] = [...players(after)].map((player) => player.thing!)
  expect(changedColumns(after, after, knight.id).size).toBe(0)
  before.tables.things.x[0] += 1
  expect([...changedColumns(before, after, after.tables.things.id[0])]).toEqual(['x'])
})

test('[LB3] what why says of two things is said with their names, and what a hit changed in words', async () => {
  const { studio, goTo, settled } = await openStudio(pit, 3, 600)
  const { show } = studio
  const hit = await settled(show.client.ask(show.sim, { ask: 'hit', from: 0, direction: 1 }))
  await goTo(hit)
  const { records } = await settled(show.client.ask(show.sim, { ask: 'events', from: hit - 1 }))
  const event = records.find(({ kind, tick }) => kind === 'damage' && tick === hit - 1) as unknown as Record<
    string,
    number
  >
  studio.selected.value = [event.attacker, event.victim]
  await settled(refreshVerdict(studio))
  const accepted = studio.verdicts.value!.list.find(({ verdict }) => verdict === 'accepted')!
  const parts = tellTrace(studio, accepted)
  expect(
    parts
      .filter((part) => typeof part !== 'string')
      .map((part) => (part as { id: number }).id)
      .sort(),
  ).toEqual([event.attacker, event.victim].sort())
  const said = (each: readonly (string | { name: string })[]) =>
    each.map((part) => (typeof part === 'string' ? part : part.name)).join('')
  expect(said(parts)).not.toMatch(new RegExp(`\\b${event.victim} (and|:)`))
  const health = accepted.changes
    .map((change) => said(tellChange(studio, change)))
    .find((text) => text.includes('health'))
  expect(health).toMatch(/^(knight|slime) \d+: health [\d.]+ → [\d.]+$/)
})
