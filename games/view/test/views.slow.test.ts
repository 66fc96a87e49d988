import type { Frame, InputBinding } from '@hurtbox/view'
import { snapshot } from 'hurtbox'
import { type LoadedModule, readModule } from 'hurtbox/module'
import type { AnyWorld, InputSpec } from 'hurtbox/tools'
import { describe, expect, test } from 'vitest'
import jetRaidersModule from '../../jet-raiders/index.ts'
import { view as jetRaidersView } from '../../jet-raiders/view/index.ts'
import nightfallModule from '../../nightfall/index.ts'
import { UPGRADES } from '../../nightfall/rules/content/upgrades.ts'
import { view as nightfallView } from '../../nightfall/view/index.ts'
import siegeModule from '../../siege/index.ts'
import { view as siegeView } from '../../siege/view/index.ts'
import vinylFrontierModule from '../../vinyl-frontier/index.ts'
import { view as vinylFrontierView } from '../../vinyl-frontier/view/index.ts'
import { type AnyView, createDrawing, frameOf, type Moment, nonsense, play, record } from './stage.ts'

const jetRaiders = readModule({ default: jetRaidersModule }, 'jet-raiders')
const nightfall = readModule({ default: nightfallModule }, 'nightfall')
const siege = readModule({ default: siegeModule }, 'siege')
const vinylFrontier = readModule({ default: vinylFrontierModule }, 'vinyl-frontier')

const GAMES: readonly (readonly [name: string, module: LoadedModule, view: AnyView])[] = [
  ['jet-raiders', jetRaiders, jetRaidersView],
  ['nightfall', nightfall, nightfallView],
  ['siege', siege, siegeView],
  ['vinyl-frontier', vinylFrontier, vinylFrontierView],
]
const TICKS = process.env.HURTBOX_LONG ? 2000 : 120

const bytesOf = (world: AnyWorld) => Buffer.from(snapshot(world).bytes).toString('latin1')

describe.each(GAMES)('the view of %s', (_, module, view) => {
  test.each(module.scenes.map((scene) => [scene.name, scene] as const))(
    '[VW1] draws scene %s without throwing, coordinates that are not finite, or changes to the world',
    (_name, scene) => {
      const { target, calls } = record()
      const drawing = createDrawing(view, target)
      play(module, scene, TICKS, (moment) => {
        const { tick } = moment.after
        const worlds = [moment.before, moment.after]
        // Bytes now and then: a copy of every state of every scene would take minutes.
        const before = tick % 16 === 0 ? worlds.map(bytesOf) : undefined
        calls.length = 0
        drawing.draw(frameOf(view, moment, { alpha: (tick % 5) / 4, jumped: tick === 40, seat: (tick % 4) - 1 }))
        view.hud?.(moment.after as never, tick % 3)
        view.focus?.(moment.after as never, tick % 3)
        expect(nonsense(calls), `tick ${tick}`).toEqual([])
        if (before !== undefined) expect(worlds.map(bytesOf).join() === before.join(), `tick ${tick}`).toBe(true)
      })
      expect(calls.length).toBeGreaterThan(20)
    },
  )

  test('[VW2] two drawings that are shown the same match draw the same', () => {
    const [first, second] = [record(), record()]
    const drawings = [first, second].map(({ target }) => createDrawing(view, target))
    play(module, module.scenes[0], 60, (moment) => {
      for (const drawing of drawings) drawing.draw(frameOf(view, moment))
    })
    const text = ({ calls }: typeof first) => calls.map(({ name, values }) => `${name} ${values.join()}`)
    expect(text(second)).toEqual(text(first))
  })

  test('[VW3] pictures among others draw less, and no text', () => {
    const [large, small] = [record(), record(true)]
    const drawings = [large, small].map(({ target }) => createDrawing(view, target))
    play(module, module.scenes[0], 60, (moment) => {
      for (const drawing of drawings) drawing.draw(frameOf(view, moment))
    })
    expect(small.calls.length).toBeLessThan(large.calls.length)
  })

  test('[VW4] every frame gives the context back as it got it: saves and restores are even, nothing stays set', () => {
    const { target, calls } = record()
    const drawing = createDrawing(view, target)
    play(module, module.scenes[0], 30, (moment) => drawing.draw(frameOf(view, moment)))
    const depth = calls.reduce((sum, { name }) => sum + (name === 'save' ? 1 : name === 'restore' ? -1 : 0), 0)
    expect(depth).toBe(0)
    const last = (name: string) => calls.findLast((call) => call.name === name)?.values[0]
    expect(last('globalAlpha') ?? 1).toBe(1)
    expect(last('globalCompositeOperation') ?? 'source-over').toBe('source-over')
    expect(last('setLineDash') ?? []).toEqual([])
  })

  test('[VW5] controls bind fields of the input, each in its own kind, and no key is bound twice', () => {
    const specs = (module.scenes[0].game.declaration.input ?? {}) as Readonly<Record<string, InputSpec>>
    const taken = new Map<string, string>()
    for (const [field, binding] of Object.entries(view.controls.fields as Readonly<Record<string, InputBinding>>)) {
      expect(specs[field]?.kind, field).toBe(binding.kind)
      for (const code of codesOf(binding)) {
        expect(taken.get(code), `${code} is bound to ${taken.get(code)} and ${field}`).toBeUndefined()
        taken.set(code, field)
      }
      if (binding.kind === 'choice') {
        const names = (specs[field] as Extract<InputSpec, { kind: 'choice' }>).names
        for (const name of Object.keys({ ...binding.keys, ...binding.touch })) expect(names, field).toContain(name)
      }
    }
    expect(taken.size).toBeGreaterThan(3)
  })

  test('[VW6] says how to play, and shows figures to players only', () => {
    expect(view.help.length).toBeGreaterThan(1)
    let last: AnyWorld | undefined
    play(module, module.scenes[0], 40, (moment) => {
      last = moment.after
    })
    const lines = view.hud?.(last as never, 0) ?? []
    expect(lines.length).toBeGreaterThan(1)
    for (const { label, value, max } of lines) {
      expect(label.length).toBeGreaterThan(0)
      if (typeof value === 'number') expect(Number.isFinite(value), label).toBe(true)
      if (max !== undefined) expect(max, label).toBeGreaterThan(0)
    }
    expect(view.hud?.(last as never, 99) ?? []).toEqual([])
  })

  test('[VW7] after a jump in time nothing from before is drawn', () => {
    const [played, fresh] = [record(), record()]
    const drawing = createDrawing(view, played.target)
    const late: { moment: Moment | undefined } = { moment: undefined }
    play(module, module.scenes[0], 120, (moment) => {
      drawing.draw(frameOf(view, moment))
      late.moment = moment
    })
    const jump = frameOf(view, late.moment as Moment, { jumped: true, events: [] })
    played.calls.length = 0
    drawing.draw(jump)
    createDrawing(view, fresh.target).draw(jump)
    // Sparks of an engine are thrown by chance, so not to the bit; but as many, and no numbers from before.
    const count = ({ calls }: typeof played, name: string) => calls.filter((call) => call.name === name).length
    for (const name of ['fillText', 'fillRect', 'drawImage', 'stroke']) {
      expect(count(played, name), name).toBe(count(fresh, name))
    }
  })
})

function codesOf(binding: InputBinding): readonly string[] {
  if (binding.kind === 'axis') return [...(binding.less ?? []), ...(binding.more ?? [])]
  if (binding.kind === 'choice') return Object.values(binding.keys ?? {}).flat()
  return binding.kind === 'button' || binding.kind === 'press' ? (binding.keys ?? []) : []
}

/** The texts that one more frame draws, of a moment with a damage, with and without that damage taken back. */
function textsAfterDamage(module: LoadedModule, view: AnyView, kind: string): Record<'kept' | 'withdrawn', string> {
  const texts = { kept: '', withdrawn: '' }
  for (const fate of ['kept', 'withdrawn'] as const) {
    const { target, calls } = record()
    const drawing = createDrawing(view, target)
    let isDone = false
    play(module, module.scenes[0], 3000, (moment) => {
      if (isDone || !moment.events.some((event) => event.kind === kind)) return
      isDone = true
      drawing.draw(frameOf(view, moment, { jumped: true }))
      calls.length = 0
      const withdrawn = fate === 'kept' ? [] : moment.events
      drawing.draw(frameOf(view, { ...moment, events: [] }, { withdrawn }))
      texts[fate] = calls.flatMap(({ name, values }) => (name === 'fillText' ? [values[0]] : [])).join()
    })
  }
  return texts
}

test.each([
  ['jet-raiders', jetRaiders, jetRaidersView, 'damage', /−\d/],
  ['vinyl-frontier', vinylFrontier, vinylFrontierView, 'hurt', /−\d/],
] as const)('[VW17] %s: the number of a damage that is withdrawn disappears', (_name, module, view, kind, number) => {
  const { kept, withdrawn } = textsAfterDamage(module, view, kind)
  expect(kept).toMatch(number)
  expect(withdrawn).not.toMatch(number)
})

describe('what the seeds ask for', () => {
  test('[VW10] Nightfall: hp and maximum on the canvas; brighter and with a white ring of radius r + 4 + 2 sin(10 t) while invulnerable', () => {
    const { target, calls } = record()
    const drawing = createDrawing(nightfallView, target)
    const scene = nightfall.scenes.find(({ name }) => name === 'scenario-2')
    let frame: Frame | undefined
    play(nightfall, scene as never, 2, (moment) => {
      calls.length = 0
      frame = frameOf(nightfallView, moment)
      drawing.draw(frame)
    })
    const { things, players } = (frame as Frame).after.tables as AnyWorld['tables']
    const survivor = things.id.indexOf(players.thing[0])
    expect(calls.filter(({ name }) => name === 'fillText').map(({ values }) => values[0])).toContain('85/100')
    const seconds = (frame as Frame).after.clock / 60
    const radius = things.radius[survivor] + 4 + 2 * Math.sin(10 * seconds)
    const rings = calls.filter(({ name, values }) => name === 'arc' && Math.abs((values[2] as number) - radius) < 1e-9)
    expect(rings).toHaveLength(1)
    const stroke = calls.indexOf(rings[0])
    expect(calls.slice(0, stroke).findLast(({ name }) => name === 'strokeStyle')?.values).toEqual(['#ffffff'])
    expect((nightfallView.hud?.((frame as Frame).after as never, 0) ?? [])[0]).toMatchObject({ value: 85, max: 100 })
    // Brighter: its picture once more, its light added.
    const lighter = calls
      .slice(0, stroke)
      .findLastIndex(({ name, values }) => name === 'globalCompositeOperation' && values[0] === 'lighter')
    const pictures = (part: typeof calls) => part.filter(({ name }) => name === 'drawImage').map(({ values }) => values)
    const added = pictures(calls.slice(lighter, stroke))
    expect(added).toHaveLength(1)
    expect(pictures(calls.slice(0, lighter)).at(-1)).toEqual(added[0])
  })

  test('[VW15] Nightfall: each player is shown its own draft, a spectator the draft of a player', () => {
    const scene = nightfall.scenes.find(({ name }) => name === 'horde')
    const titles = (player: number, seat: number): readonly string[] => {
      let found: readonly string[] = []
      play(nightfall, scene as never, 2, ({ after }) => {
        const { offer } = after.tables.players
        if (player >= 0) offer.set([1, 2, 3], player * 3)
        found = nightfallView.choices!(after as never, seat).map(({ control, title }) => `${control} ${title}`)
        offer.fill(0)
      })
      return found
    }
    const offered = ['first', 'second', 'third'].map((control, i) => `${control} ${UPGRADES[i].name}`)
    expect(titles(-1, -1)).toEqual([])
    for (const player of [0, 1, 3]) {
      expect(titles(player, -1), `player ${player}`).toEqual(offered)
      expect(titles(player, player)).toEqual(offered)
      expect(titles(player, 2)).toEqual([])
    }
  })

  test('[VW11] Siege: what a side does not see is not drawn for it; without fog everything is', () => {
    // The first waves have left home and have not met.
    const scene = siege.scenes.find(({ name }) => name === 'lanes')
    const drawn = (seat: number, showFog: boolean): number => {
      const { target, calls } = record()
      const drawing = createDrawing(siegeView, target)
      play(siege, scene as never, 240, (moment) => {
        calls.length = 0
        drawing.draw(frameOf(siegeView, moment, { seat, showFog, events: [] }))
      })
      return calls.filter(({ name }) => name === 'drawImage').length
    }
    const all = drawn(-1, true)
    expect(drawn(0, false)).toBe(all)
    // The other side's champion and its minions are hidden; a picture of the fog lies over the map instead.
    expect(drawn(0, true)).toBeLessThan(all - 8)
    expect(drawn(0, true)).toBeGreaterThan(all / 3)
  })

  test('[SG62] a dash is drawn while it can hit: its reach around the champion, and where it came from', () => {
    const { target, calls } = record()
    const drawing = createDrawing(siegeView, target)
    const scene = siege.scenes.find(({ name }) => name === 'skirmish')
    let dashes = 0
    play(siege, scene as never, 400, (moment) => {
      const { things } = moment.after.tables
      calls.length = 0
      drawing.draw(frameOf(siegeView, moment, { seat: -1, events: [], alpha: 1 }))
      const dashing = [...Array(things.count).keys()].filter((row) => things.busyWith[row] !== 0 && things.hp[row] > 0)
      const reaches = calls.filter(({ name, values }) => name === 'arc' && values[2] === 60)
      expect(
        reaches.map(({ values: [x, y] }) => [x, y]),
        `tick ${moment.after.tick}`,
      ).toEqual(expect.arrayContaining(dashing.map((row) => [things.x[row], things.y[row]])))
      if (dashing.length === 0) expect(reaches, `tick ${moment.after.tick}`).toEqual([])
      dashes += dashing.length
    })
    expect(dashes).toBeGreaterThan(3)
  })

  test('[VW12] 5,000 minions take at most five plain calls each and no transform of their own', () => {
    const scene = siege.scenes.find(({ name }) => name === 'crowd')
    const { target, calls } = record()
    const drawing = createDrawing(siegeView, target)
    play(siege, { ...(scene as never as object), options: { crowd: 5000 } } as never, 2, (moment) => {
      calls.length = 0
      drawing.draw(frameOf(siegeView, moment, { seat: -1 }))
    })
    expect(calls.length).toBeGreaterThan(10_000)
    expect(calls.length).toBeLessThan(25_000)
    const heavy = calls.filter(({ name }) =>
      ['save', 'restore', 'translate', 'rotate', 'shadowBlur', 'filter'].includes(name),
    )
    expect(heavy.length).toBeLessThan(100)
  })
})
