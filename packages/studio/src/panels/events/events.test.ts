import { thing } from 'hurtbox'
import { expect, test } from 'vitest'
import pit from '../../../../create-hurtbox/template/game/index.ts'
import { openStudio } from '../../../test/studio.ts'
import { refreshEvents } from '../../model/ask.ts'
import { worldOf } from '../../model/studio.ts'
import { splitNames, tellEvent } from '../../model/words.ts'

test('[LB3] an event is told by names, also of things that are gone, and each name knows what it names', async () => {
  const { studio, settled } = await openStudio(pit, 3, 900)
  await settled(refreshEvents(studio))
  const kills = studio.events.value.filter(({ kind }) => kind === 'kill')
  expect(kills.length).toBeGreaterThan(3)
  const world = worldOf(studio)
  for (const kill of kills) {
    const { victim, attacker } = kill as unknown as { victim: number; attacker: number }
    const parts = tellEvent(studio, kill)
    const named = parts.flatMap((part) => (typeof part === 'string' ? [] : [part]))
    expect(named.map(({ id }) => id)).toEqual([attacker, victim])
    expect(named[1].name).toBe(`slime ${victim}`)
    expect(thing(world, victim), 'killed slimes are gone').toBeUndefined()
  }
})

test('[LB3] an event without a sentence is told by its fields, with names for ids', async () => {
  const { studio } = await openStudio(pit, 3, 60)
  const id = worldOf(studio).tables.things.id[0] as number
  const event = { tick: 1, kind: 'kill', n: 0, victim: id, attacker: 0, source: 0, type: 1 }
  const mute = { ...studio, module: { ...studio.module, meaning: {} } }
  const parts = tellEvent(mute, event as never)
  expect(parts).toContainEqual({ id, name: expect.stringContaining(String(id)) })
  expect(parts.join(' ')).toContain('type 1')
})

test('[LB3] names are found again in a sentence that was turned to the person who reads it', () => {
  const named = [
    { id: 7, name: "You's bullet" },
    { id: 2, name: 'P3' },
  ]
  expect(splitNames('Your bullet hits P3, 40 hp left', named)).toEqual([
    { id: 7, name: 'Your bullet' },
    ' hits ',
    { id: 2, name: 'P3' },
    ', 40 hp left',
  ])
})
