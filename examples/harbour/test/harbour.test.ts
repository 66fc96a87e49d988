import { readFileSync } from 'node:fs'
import { createWorld, each, listEvents, moveTo, step, syncTest } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { PLATE } from '../game/map.ts'
import { game } from '../game/rules.ts'
import { playMatch } from './match.ts'
import { playOnline } from './online.ts'

describe('Harbour Brawl', () => {
  test('[EX1] its rules are at most 230 lines of code', () => {
    const text = readFileSync(new URL('../game/rules.ts', import.meta.url), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
    const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//'))
    expect(lines.length).toBeLessThanOrEqual(230)
  })

  test('[EX2] in a match of bots there are darts, holds, throws, deaths, lifts that carry; rolled back on every tick it ends with the same bits', () => {
    const { seen, count, session } = playMatch(600)
    for (const kind of ['damage', 'kill', 'thrown', 'status 2']) expect(seen, kind).toContain(kind)
    expect(count.carried).toBeGreaterThan(20)
    for (const depth of [1, 12]) expect(syncTest(session, depth).mismatch).toBeUndefined()
  })

  test('[EX2] who stands on the plate opens the gate, and who takes the loot behind it is faster or has a shield', () => {
    const world = createWorld(game)
    step(world, { controls: [0, 1].map((seat) => ({ control: 'join', seat }) as const) })
    while ([...each(world, 'loot')].length === 0) step(world)
    const [opener, taker] = each(world, 'fighter')
    moveTo(taker, 640, 200)
    moveTo(opener, (PLATE.minX + PLATE.maxX) / 2, PLATE.y - 18)
    step(world)
    expect(world.globals.gateOpen).toBe(1)
    for (let tick = 0; tick < 20 && [...each(world, 'loot')].length > 0; tick++) step(world)
    expect(listEvents(world).map(({ kind }) => kind)).toContain('looted')
    expect(taker.shield > 0 || taker.statusCount > 0).toBe(true)
    moveTo(opener, 300, 400)
    step(world)
    expect(world.globals.gateOpen).toBe(0)
  })

  test('[EX3] at a round trip of 200 ms and 5 percent loss every picture is finite, every event is heard once, and nothing is out of sync', () => {
    const { lists, happened, pictures, notFinite, mismatches } = playOnline(2, 300, 3)
    expect([notFinite, mismatches]).toEqual([0, 0])
    expect(pictures).toBeGreaterThan(3600)
    expect(happened.length).toBeGreaterThan(5)
    expect(lists.length).toBe(2)
    for (const { heard, due } of lists) expect(heard).toEqual(due)
  })
})
