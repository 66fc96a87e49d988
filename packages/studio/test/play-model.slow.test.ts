/** What the page of a game works with, without a page: names, outcomes, hands, bots' strength, clocks. */

import { addressed, namesFor, outcomeOf, type View } from '@hurtbox/view'
import { createHand, createRemap, readHand, tapStage } from '@hurtbox/view/hand'
import type { Stage } from '@hurtbox/view/stage'
import { createWorld, declareGame, defineGame, players, spawn, step } from 'hurtbox'
import { defineCombat } from 'hurtbox/combat'
import { type LoadedModule, readModule } from 'hurtbox/module'
import { type AnyWorld, collisionsOf } from 'hurtbox/tools'
import { afterEach, expect, test, vi } from 'vitest'
import jetRaiders from '../../../games/jet-raiders/index.ts'
import siege from '../../../games/siege/index.ts'
import { view as siegeView } from '../../../games/siege/view/index.ts'
import sumo from '../../../games/sumo/index.ts'
import { STAGE } from '../../../games/sumo/rules/declaration.ts'
import { view as sumoView } from '../../../games/sumo/view/index.ts'
import { beginEffects, createEffects, shake } from '../../../games/view/effects.ts'
import { setupFor } from '../src/model/setup.ts'
import { botEvery, STRENGTHS } from '../src/model/strength.ts'
import { createClient } from '../src/show/client.ts'
import { createShow, tickShow } from '../src/show/show.ts'
import { createSimHost } from '../src/sim/host.ts'
import { playTick, startMatch } from '../src/sim/match.ts'
import { packOverlay } from '../src/sim/overlay.ts'
import { part } from '../src/sim/part.ts'
import { BOX, type HandInput, type Response, STATE } from '../src/sim/protocol.ts'
import { answer } from '../src/sim/questions.ts'

const jetModule = readModule({ default: jetRaiders }, 'jet-raiders')

afterEach(() => vi.unstubAllGlobals())

test('[PL6] the winner follows from the state alone, by name and colour, with a table', () => {
  const module = readModule({ default: sumo }, 'sumo')
  const world = createWorld(module.game, { seed: 1 }) as unknown as AnyWorld
  step(world, { controls: [0, 1, 2].map((seat) => ({ control: 'join', seat })) })
  const outcome = () => outcomeOf(module, sumoView as unknown as View, world, namesFor(0))
  expect(outcome()).toBeUndefined()
  world.globals.stage = STAGE.over
  for (const player of players(world)) player.wins = player.seat === 1 ? 3 : player.seat
  expect(outcome()).toMatchObject({
    headline: 'P2 wins',
    colour: '#ff5d73',
    columns: ['rounds won', 'thrown out', 'fallen'],
    rows: [
      { name: 'P2', hasWon: true, values: [3, 0, 0] },
      { name: 'P3', hasWon: false, values: [2, 0, 0] },
      { name: 'You', hasWon: false, values: [0, 0, 0] },
    ],
  })
  for (const player of players(world)) player.wins = player.seat === 0 ? 3 : 0
  expect(outcome()?.headline).toBe('You win')
  for (const player of players(world)) player.wins = 1
  expect(outcome()?.headline).toBe('A draw')
})

test('[PL7] a sentence about "You" is said as one says it', () => {
  expect(addressed("P3's bullet hits You, 70 hp left")).toBe("P3's bullet hits you, 70 hp left")
  expect(addressed('You kills P2')).toBe('You kill P2')
  expect(addressed('You misses with grab')).toBe('You miss with grab')
  expect(addressed("You's fireball hits P2")).toBe('Your fireball hits P2')
  expect(addressed('You is back')).toBe('You are back')
  expect(addressed('P2 throws You off the ring')).toBe('P2 throws you off the ring')
})

test('[PL8] the weaker the bots, the fewer of their shots hit', () => {
  const accuracy = (strength: (typeof STRENGTHS)[number]) => {
    let sum = 0
    for (const seed of [1, 2, 3]) {
      const setup = setupFor(jetModule, seed, -1)
      const match = startMatch(jetModule, { ...setup, botEvery: botEvery(jetModule, strength) })
      for (let tick = 0; tick < 60 * 30; tick++) playTick(match, undefined)
      sum += [...players(match.session.world)].reduce((total, { hits, shots }) => total + hits / Math.max(1, shots), 0)
    }
    return sum
  }
  const [easy, medium, hard] = STRENGTHS.map(accuracy)
  expect(easy).toBeLessThan(medium)
  expect(medium).toBeLessThan(hard)
})

test('[PL9] Siege is walked by a stick and by a tap, and a finger on the map casts nothing', () => {
  vi.stubGlobal('navigator', { getGamepads: () => [] })
  const module = readModule({ default: siege }, 'siege')
  const world = createWorld(module.game, { seed: 1 }) as unknown as AnyWorld
  step(world, { controls: [{ control: 'join', seat: 0, team: 1 }] })
  step(world)
  const [{ thing: champion }] = [...players(world)]
  const hand = createHand({ down: new Set(), takePresses: () => 0, close() {} })
  const read = () => readHand(hand, module.game, siegeView.controls as never, world, 0) as Record<string, unknown>
  Object.assign(hand.touch, { leftX: 1, leftY: 0 })
  expect(read()).toMatchObject({ order: 'move', go: { x: champion!.x + 250 }, first: 0 })
  Object.assign(hand.touch, { leftX: 0 })
  expect(read()).toMatchObject({ order: 'attackMove' })
  // A stage of 400 × 400 pixels, one for each unit, with the champion in the middle.
  const camera = { x: champion!.x, y: champion!.y, scale: 1, yUp: false }
  const element = { getBoundingClientRect: () => ({ left: 0, top: 0 }) }
  const stage = { view: siegeView, cameraControl: { camera }, width: 400, height: 400, element } as unknown as Stage
  tapStage(stage, hand.mouse, 320, 200)
  expect(read()).toMatchObject({ order: 'move', go: { x: champion!.x + 120, y: champion!.y }, first: 0, second: 0 })
  // The stick takes over, and when it is let go the tap is forgotten.
  Object.assign(hand.touch, { leftX: -1 })
  expect(read()).toMatchObject({ order: 'move', go: { x: champion!.x - 250 } })
  Object.assign(hand.touch, { leftX: 0 })
  expect(read()).toMatchObject({ order: 'attackMove' })
})

test('[ST46] what is out of the match shows no box', () => {
  const combat = defineCombat({ damageTypes: ['hit'] })
  const declaration = declareGame({ id: 'boxes', tickRate: 30, layers: { unit: [] }, things: combat.columns })
  const world = createWorld(defineGame(declaration, { phases: {} })) as unknown as AnyWorld
  const dead = spawn(world, 'unit', { maxHp: 10, hp: 0 })
  const alive = spawn(world, 'unit', { maxHp: 10, hp: 10 })
  const safe = spawn(world, 'unit', { maxHp: 10, hp: 10, invulnerableUntil: 100 })
  const { boxes } = packOverlay(world, [...collisionsOf(world).values()], world.tables.things.id)
  const states = [dead, alive, safe].map((_, i) => boxes[i * BOX.fields + BOX.state])
  expect(states).toEqual([STATE.out, STATE.exposed, STATE.safe])
})

test('[ST47] a machine that cannot keep up is told so, with how slow the match is', async () => {
  let respond: (response: Response) => void = () => {}
  const host = createSimHost({ load: async (): Promise<LoadedModule> => jetModule, reply: (each) => respond(each) })
  let isSlow = false
  const client = createClient({
    // A slow worker answers every other request.
    send: (request) => void (!isSlow || request.type !== 'advance' || request.to % 2 === 0 ? host.handle(request) : 0),
    listen: (take) => {
      respond = take
    },
    end() {},
  })
  const show = createShow(client, jetModule, setupFor(jetModule, 1, -1))
  const run = async (frames: number, answered: boolean) => {
    for (let frame = 0; frame < frames; frame++) {
      tickShow(show, 1000 / 60)
      if (answered) await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await vi.waitUntil(() => show.isReady.value)
  show.playing.value = true
  await run(200, true)
  expect(show.pace.value).toBe(1)
  isSlow = true
  await run(120, false)
  expect(show.pace.value).toBeLessThan(0.9)
})

test('[ST48] two keys change places, and the change is remembered', () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
  const remap = createRemap('arena')
  remap.change('Space', 'KeyV')
  expect([remap.acts('KeyV'), remap.acts('Space'), remap.keyFor('Space')]).toEqual(['Space', 'KeyV', 'KeyV'])
  // A key that was changed already: still one key for each.
  remap.change('Space', 'KeyJ')
  expect(['KeyJ', 'KeyV', 'Space'].map((key) => remap.acts(key)).sort()).toEqual(['KeyJ', 'KeyV', 'Space'])
  expect(remap.acts('KeyJ')).toBe('Space')
  expect(createRemap('arena').acts('KeyJ')).toBe('Space')
  remap.reset()
  expect(createRemap('arena').acts('KeyJ')).toBe('KeyJ')
  expect(remap.isChanged).toBe(false)
})

test('[ST49] a part that does not arrive is asked for until it can be had, then the page is loaded anew, once', async () => {
  let asked = 0
  let reloads = 0
  const kept = new Map<string, string>()
  vi.stubGlobal('document', { baseURI: 'http://here/' })
  vi.stubGlobal('location', { reload: () => reloads++ })
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
  vi.stubGlobal('fetch', async (url: string) => {
    expect(url).toBe('http://here/assets/part.js')
    if (++asked < 2) throw new TypeError('Failed to fetch')
    return { ok: true }
  })
  const missing = async () => {
    throw new TypeError('Failed to fetch dynamically imported module: http://here/assets/part.js')
  }
  void part(missing)
  await vi.waitUntil(() => reloads === 1)
  expect(asked).toBe(2)
  // It fails again at once: no circle.
  await expect(part(missing)).rejects.toThrow('Failed to fetch')
  // A mistake in the part is nobody's network.
  kept.clear()
  const broken = async () => {
    throw new ReferenceError('x is not defined')
  }
  await expect(part(broken)).rejects.toThrow('x is not defined')
  expect(reloads).toBe(1)
})

test('[ST50] where little motion is wanted nothing shakes', () => {
  const moves: number[] = []
  const context = { translate: (x: number) => void moves.push(x) } as unknown as CanvasRenderingContext2D
  const effects = createEffects(8)
  shake(effects, 9)
  beginEffects(effects, context, { jumped: false, elapsedMs: 1, isCalm: true })
  expect(moves).toEqual([])
  beginEffects(effects, context, { jumped: false, elapsedMs: 1, isCalm: false })
  expect(moves).toHaveLength(1)
})

test('[PL13] a training partner stands, does one thing, and repeats what was recorded; a scene is played by hand', () => {
  const sumoModule = readModule({ default: sumo }, 'sumo')
  const match = startMatch(sumoModule, { ...setupFor(sumoModule, 3, 0), options: { mode: 'practice' } })
  const { world } = match.session
  const partner = () => [...players(world)].find(({ seat }) => seat === 1)!
  const run = (ticks: number, input?: HandInput) => {
    const seen: string[] = []
    for (let i = 0; i < ticks; i++) for (const { kind } of playTick(match, input)) seen.push(kind)
    return seen
  }
  answer(match, { ask: 'dummy', does: 'stand', field: '' })
  run(120)
  const { x, y } = partner().thing!
  run(60)
  expect([partner().thing!.x, partner().thing!.y]).toEqual([x, y])
  expect(partner()).toMatchObject({ moveX: 0, moveY: 0 })
  // One thing, again and again: the barrier goes up whenever it can.
  answer(match, { ask: 'dummy', does: 'press', field: 'barrier' })
  run(40)
  expect(partner().thing!.shield).toBeGreaterThan(0)
  // What one has done, it does.
  answer(match, { ask: 'dummy', does: 'stand', field: '' })
  answer(match, { ask: 'record', isOn: true })
  run(30, { moveX: 1, moveY: 0 })
  expect(answer(match, { ask: 'record', isOn: false })).toBe(30)
  const before = partner().thing!.x
  answer(match, { ask: 'dummy', does: 'repeat', field: '' })
  run(30)
  expect(partner().thing!.x).toBeGreaterThan(before + 0.5)

  // In a scene the hand replaces its player, and nobody else's inputs change.
  const scene = { game: 'sumo', scene: 'bout', seed: 3, seats: [] }
  const [film, played] = [startMatch(sumoModule, scene), startMatch(sumoModule, scene)]
  answer(played, { ask: 'sit', seat: 0, bot: -1 })
  for (let i = 0; i < 90; i++) {
    playTick(film, undefined)
    playTick(played, { moveX: 0, moveY: 1 })
  }
  const ys = [film, played].map(({ session }) => [...players(session.world)][0].moveY)
  expect(ys[1]).toBe(1)
  expect(ys[0]).not.toBe(1)
})
