import { advance, createSession, listEvents, thing } from 'hurtbox'
import { meaningOfEvent, nameOfThing, readModule } from 'hurtbox/module'
import { type AnyWorld, botInput, type Control } from 'hurtbox/tools'
import { describe, expect, test } from 'vitest'
import jetRaiders from '../../jet-raiders/index.ts'
import nightfall from '../../nightfall/index.ts'
import siege from '../../siege/index.ts'
import sumo from '../../sumo/index.ts'
import vinylFrontier from '../../vinyl-frontier/index.ts'

const MODULES = Object.entries({ jetRaiders, nightfall, siege, sumo, vinylFrontier })

describe.each(MODULES)('the module of %s', (name, exported) => {
  const module = readModule({ default: exported }, name)

  test('[MD5] has a title, what it is and what to do, a bot for every seat, and a sentence for every event of a match', () => {
    expect(module.title).toMatch(/^[A-Z]/)
    for (const text of [module.about, module.goal]) expect(text).toMatch(/^[A-Z].*\.$/)
    expect(module.probes.length).toBeGreaterThan(0)

    const seats = Array.from({ length: module.seats }, (_, seat) => seat)
    const session = createSession(module.game, { seed: 3 })
    const world = session.world as unknown as AnyWorld
    const kinds = new Set<string>()
    const joins = seats.map((seat): Control => ({ control: 'join', seat, team: module.teamOf(seat) }))
    advance(session, { controls: joins })
    for (let tick = 1; tick < 600; tick++) {
      advance(session, {
        players: seats.map((seat) => ({ ...botInput(module.botOf(seat)!, world, seat, 3), seat })),
      })
      for (const event of listEvents(world)) {
        kinds.add(event.kind)
        const meaning = meaningOfEvent(module, event.kind)
        if (meaning === undefined) continue
        const sentence = meaning.sentence?.(event, (id) => {
          const named = thing(world, id)
          return named === undefined ? `#${id}` : nameOfThing(module, world, named)
        })
        expect(sentence, event.kind).toMatch(/\w.* .*\w/)
        expect(sentence, event.kind).not.toMatch(/undefined|NaN/)
      }
    }
    expect(kinds.size).toBeGreaterThan(1)
  })

  test('[MD5] every kind of event that it gives a meaning is declared', () => {
    const declared = Object.keys(module.game.declaration.events)
    expect(declared).toEqual(expect.arrayContaining(Object.keys(module.meaning.events ?? {})))
  })
})

test('[MD5] the opponent in Vinyl Frontier is the raider in every seat, each seat a team of its own', () => {
  const module = readModule({ default: vinylFrontier }, 'vinyl')
  expect([0, 1, 2, 3].map((seat) => [module.botOf(seat)?.name, module.teamOf(seat)])).toEqual(
    [0, 1, 2, 3].map((team) => ['raider', team]),
  )
})
