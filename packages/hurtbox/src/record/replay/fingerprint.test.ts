import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Declaration } from '../../host/tools/index.ts'
import {
  axis,
  collide,
  declareGame,
  defineGame,
  defineStatics,
  flag,
  HurtboxError,
  rememberHits,
  seconds,
  spawn,
  tune,
  whole,
  wide,
} from '../../index.ts'
import { ENGINE_VERSION } from './fingerprint.ts'
import { createArena, declaration } from './fixtures/arena.ts'
import { compareFingerprints, fingerprint, unprobedRules } from './index.ts'
import { canonicalJson } from './json.ts'

describe('fingerprint', () => {
  test('[FP1] the engine version is that of the package', () => {
    const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
    expect(ENGINE_VERSION).toBe(manifest.version)
    expect(fingerprint(createArena()).parts.engine).toBe(`"${manifest.version}"`)
  })

  test('[FP2] the same rules have the same fingerprint, every time and in every game object', () => {
    const game = createArena()
    expect(fingerprint(game)).toBe(fingerprint(game))
    expect(fingerprint(createArena())).toEqual(fingerprint(game))
  })

  test('[FP3] a changed constant in a rule changes the probe and nothing else', () => {
    const differences = changedParts(fingerprint(createArena()), fingerprint(createArena({ speed: 2.5000001 })))
    expect(differences).toEqual(['probe', 'contacts'])
  })

  const far = declareGame({
    id: 'far',
    tickRate: 60,
    layers: { sword: ['slime', 'wall'], slime: [], wall: [], ghost: ['slime'] },
    things: { hp: 'f64', armed: 'u8' },
  })
  const walls = defineStatics(far, [{ layer: 'wall', minX: 9000, minY: 0, maxX: 9010, maxY: 10 }])
  /** A sword and a slime that no scene brings together, a wall far from both, and a layer that has no thing. */
  const farGame = (damage: { sword?: number; wall?: number; ghost?: number; never?: number }) =>
    defineGame(far, {
      setup(world) {
        spawn(world, 'sword', { radius: 3, hp: 100 })
        spawn(world, 'slime', { x: 5000, radius: 3, hp: 100 })
      },
      phases: {
        hits: collide(
          far,
          {
            sword: { between: ['sword', 'slime'], decide: (_, slime) => void (slime.hp -= damage.sword ?? 1) },
            wall: { between: ['sword', 'wall'], decide: (sword) => void (sword.hp -= damage.wall ?? 1) },
            ghost: { between: ['ghost', 'slime'], decide: (_, slime) => void (slime.hp -= damage.ghost ?? 1) },
            never: {
              between: ['sword', 'slime'],
              gates: [{ name: 'armed', refuses: ({ armed }) => armed !== 77 }],
              decide: (_, slime) => void (slime.hp -= damage.never ?? 1),
            },
          },
          { statics: walls },
        ),
      },
    })

  test.each(['sword', 'wall', 'ghost'])(
    '[FP3] a rule that no scene comes to is in it, because things are brought together: %s',
    (rule) => {
      const differences = changedParts(fingerprint(farGame({})), fingerprint(farGame({ [rule]: 2 })))
      expect(differences).toEqual(['contacts'])
    },
  )

  test('[FP3] what a rule does at a wall of the map is in it, though no thing is near one: things are brought to the walls', () => {
    const game = (damage: number) =>
      defineGame(far, {
        setup: (world) => void spawn(world, 'sword', { radius: 3, hp: 100 }),
        phases: {
          hits: collide(
            far,
            {
              wall: {
                between: ['sword', 'wall'],
                // A thing of that layer would not do.
                decide(sword, _wall, hit) {
                  if (hit.wall >= 0) sword.hp -= damage
                },
              },
            },
            { statics: walls },
          ),
        },
      })
    expect(unprobedRules(game(1))).toEqual([])
    expect(changedParts(fingerprint(game(1)), fingerprint(game(2)))).toEqual(['contacts'])
  })

  test('[FP13] a rule that no probe comes to is not in it, and is named', () => {
    expect(fingerprint(farGame({ never: 2 }))).toEqual(fingerprint(farGame({})))
    expect(unprobedRules(farGame({}))).toEqual(['never'])
    expect(unprobedRules(createArena())).toEqual([])
  })

  test('[FP9] a rule that fails where things were brought together is in it with the tick, and the others too', () => {
    const failing = (damage: number) =>
      defineGame(far, {
        phases: {
          hits: collide(far, {
            ghost: {
              between: ['ghost', 'slime'],
              decide(_, slime) {
                slime.hp -= damage
                if (slime.hp < 0) throw new Error('oops')
              },
            },
          }),
        },
      })
    expect(changedParts(fingerprint(failing(1)), fingerprint(failing(1000)))).toEqual(['contacts'])
    expect(unprobedRules(failing(1))).toEqual([])
  })

  const { marks } = declaration.tables
  const changes: [part: string, change: Partial<Declaration>][] = [
    ['game', { id: 'arena-two' }],
    ['rulesVersion', { rulesVersion: 2 }],
    ['tickRate', { tickRate: 31 }],
    ['seats', { seats: { min: 1, max: 5 } }],
    ['layout', { capacity: 65 }],
    ['layout', { hits: rememberHits(8) }],
    ['layout', { players: { ...declaration.players, deaths: 'u8' } }],
    ['layout', { tables: { marks: { ...marks, capacity: 17 } } }],
    ['layout', { tables: { marks: { ...marks, columns: { ...marks.columns, age: 'u8' } } } }],
    ['layout', { tables: { marks: { ...marks, columns: { y: 'f64', x: 'f64', size: 'u8' } } } }],
    ['layout', { things: { ...declaration.things, slots: wide('u16', 4) } }],
    ['layout', { arrays: { visits: { type: 'u16', length: 9 } } }],
    ['layout', { globals: { ...declaration.globals, more: 'u8' } }],
    ['layers', { layers: { walker: ['shot', 'walker'], shot: [], coin: [] } }],
    ['streams', { streams: ['coins', 'wind', 'loot'] }],
    ['input', { input: { ...declaration.input, lean: axis() } }],
    ['events', { events: { hurt: { victim: 'id', hpAfter: 'f64', by: 'id' } } }],
    ['events', { eventCapacity: 7 }],
    ['options', { options: { ...declaration.options, coins: whole(3, { min: 0, max: 21 }) } }],
    ['tuning', { tuning: { ...declaration.tuning, damage: tune(10, { unit: 'hp', min: 0, max: 101 }) } }],
    ['content', { content: { ...declaration.content, names: { low: 'tief', high: 'hoch' } } }],
  ]
  test.each(changes)('[FP4] a change of %s is reported by its name: %j', (part, change) => {
    const before = fingerprint(createArena())
    const after = fingerprint(createArena({ change: change as never }))
    expect(changedParts(before, after)).toContain(part)
    expect(after.hash).not.toBe(before.hash)
  })

  test('[FP5] texts for people are no part of it', () => {
    const change = {
      options: { ...declaration.options, bouncy: flag(false, 'whether walls bounce') },
      tuning: { ...declaration.tuning, shotLife: seconds(0.5, { help: 'how long shots fly' }) },
    }
    expect(fingerprint(createArena({ change }))).toEqual(fingerprint(createArena()))
  })

  test('[FP6] content: the order of keys does not count, a typed array is an array, -0 is not 0', () => {
    const print = (content: Record<string, unknown>) => fingerprint(withContent(content)).parts.content
    expect(print({ a: 1, b: { d: [1, 2], c: 'x' } })).toBe(print({ b: { c: 'x', d: new Uint8Array([1, 2]) }, a: 1 }))
    expect(print({ a: 0 })).not.toBe(print({ a: -0 }))
    expect(print({ a: [1, 2] })).not.toBe(print({ a: [2, 1] }))
    expect(print({ a: 'ü' })).not.toBe(print({ a: 'ö' }))
  })

  const itself: Record<string, unknown> = {}
  itself.again = itself
  const notData: [content: Record<string, unknown>, path: string][] = [
    [{ onHit: () => 1 }, 'content.onHit is a function'],
    [{ map: { walls: [1, undefined] } }, 'content.map.walls[1] is undefined'],
    [{ holes: new Array(1) }, 'content.holes[0] is undefined'],
    [{ speed: Number.NaN }, 'content.speed is NaN'],
    [{ list: new Float64Array([1, Number.POSITIVE_INFINITY]) }, 'content.list[1] is Infinity'],
    [{ big: 1n }, 'content.big is a bigint'],
    [{ names: new Map() }, 'content.names is an object of a class (Map)'],
    [{ a: { b: new DataView(new ArrayBuffer(8)) } }, 'content.a.b is an object of a class (DataView)'],
    [{ itself }, 'is nested deeper than 64 levels'],
  ]
  test.each(notData)('[FP7] content that is not plain data is refused with its path (%#)', (content, path) => {
    const attempt = () => fingerprint(withContent(content))
    expect(attempt).toThrow(HurtboxError)
    expect(attempt).toThrow(path)
  })

  test('[FP8] differences are described in words, with values where they are short', () => {
    const here = fingerprint(createArena())
    const there = fingerprint(createArena({ speed: 9, change: { rulesVersion: 4, eventCapacity: 12 } as never }))
    expect(compareFingerprints(here, there)).toEqual([
      'rulesVersion is 1 here and 4 there',
      'events differs',
      'probe differs (the rules behave differently)',
      'contacts differs (the rules behave differently)',
    ])
    expect(compareFingerprints(here, here)).toEqual([])
    const { probe: _, ...older } = here.parts
    expect(compareFingerprints(here, { hash: '', parts: older })).toEqual([
      'probe differs (the rules behave differently)',
    ])
  })

  test('[FP9] a game whose rules throw has a fingerprint all the same', () => {
    const failing = createArena({
      extra: (world) => {
        if (world.tick === 17) throw new Error('oops')
      },
    })
    expect(fingerprint(failing).parts.probe).toBe('fails in tick 17')
    const stillborn = createArena({
      extraSetup: () => {
        throw new Error('oops')
      },
    })
    expect(fingerprint(stillborn).parts.probe).toBe('fails in setup')
  })

  test('[FP10] the probe moves things: every part of the state has changed by its end', () => {
    // A probe in which nothing happens would let any rules pass.
    const changes = ['walk', 'fire', 'orders', 'leave', 'pause', 'entropy']
    const blind = changes.filter((what) => {
      const change = createArena({
        extra: (world) => {
          const { players, things, marks } = world.tables
          if (what === 'walk' && players.count > 0 && players.walk[0] > 0.5) world.globals.hits++
          if (what === 'fire' && things.count > 8) world.globals.hits++
          if (what === 'orders' && marks.count > 3) world.globals.hits++
          if (what === 'leave' && world.tick > 0 && players.count === 3) world.globals.hits++
          if (what === 'pause' && world.tick !== world.clock) world.globals.hits++
          if (what === 'entropy' && world.entropy === 0x1234567) world.globals.hits++
        },
      })
      return fingerprint(change).parts.probe === fingerprint(createArena()).parts.probe
    })
    expect(blind).toEqual([])
  })

  test('[FP11] canonical JSON is ASCII and one text for one value', () => {
    expect(canonicalJson({ b: [1.5, -0, 'é\n\u2028'], a: null, c: true }, 'x')).toBe(
      '{"a":null,"b":[1.5,-0,"\\u00e9\\n\\u2028"],"c":true}',
    )
  })
})

function changedParts(a: ReturnType<typeof fingerprint>, b: ReturnType<typeof fingerprint>): string[] {
  return compareFingerprints(a, b).map((difference) => difference.split(' ')[0])
}

function withContent(content: Record<string, unknown>) {
  return defineGame(declareGame({ id: 'empty', tickRate: 60, content }), { phases: {} })
}
