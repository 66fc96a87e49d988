/** The pages about genres: what their scenes show, and that each page has all its parts. */

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type EventRecord, listEvents, type Scene, type Session, syncTest } from 'hurtbox'
import { type AnyWorld, playScene, requireInSync, startScene } from 'hurtbox/tools'
import { describe, expect, test } from 'vitest'
import { withPoisonedGlobals } from '../../scripts/engines/poison.ts'
import { scene as ballGame } from '../scenes/ball-game.ts'
import { scene as brawler } from '../scenes/brawler.ts'
import { scene as fighter } from '../scenes/fighter.ts'
import { scene as moba } from '../scenes/moba.ts'
import { scene as platforms } from '../scenes/platforms.ts'
import { scene as ships } from '../scenes/ships.ts'
import { scene as shooter } from '../scenes/shooter.ts'
import { scene as survivors } from '../scenes/survivors.ts'

const scenes = [ballGame, brawler, fighter, moba, platforms, ships, shooter, survivors]

/** Plays a scene and returns its events; `afterTick` sees the world after each tick. */
function play(scene: Scene, afterTick: (world: AnyWorld) => void = () => {}): { session: Session; all: EventRecord[] } {
  const session = startScene(scene)
  const all: EventRecord[] = []
  for (let tick = 0; tick < scene.ticks; tick++) {
    playScene(scene, session, 1)
    all.push(...listEvents(session.world))
    afterTick(session.world)
  }
  return { session, all }
}

const count = (all: readonly EventRecord[], kind: string) => all.filter((event) => event.kind === kind).length

describe('[DC7] the scenes of the pages about genres', () => {
  test.each(scenes.map((scene) => [scene.name, scene] as const))('%s can be rolled back anywhere', (_, scene) => {
    withPoisonedGlobals(() => {
      const session = startScene(scene)
      playScene(scene, session, 400)
      requireInSync(syncTest(session, 6))
    })
  })

  test('shooter: both sides fall to bullets, nobody stands in a pillar, and who fell comes back whole', () => {
    let returns = 0
    let lowest = new Map<number, number>()
    const { all } = play(shooter, ({ tables: { things } }) => {
      const now = new Map<number, number>()
      for (let row = 0; row < things.count; row++) {
        const { layer, hp, maxHp, x, y, radius } = things
        if (maxHp[row] === 0) continue
        now.set(things.id[row], hp[row])
        if (lowest.get(things.id[row])! <= 0 && hp[row] === maxHp[row]) returns++
        for (const [px, py] of PILLARS)
          expect(Math.hypot(x[row] - px, y[row] - py), `${layer[row]}`).toBeGreaterThan(20 + radius[row] - 0.01)
      }
      lowest = now
    })
    expect(
      new Set(all.filter(({ kind }) => kind === 'kill').map(({ victim }) => (Number(victim) <= 3 ? 1 : 2))).size,
    ).toBe(2)
    expect(returns).toBeGreaterThan(3)
  })

  test('survivors: bites are half a second apart, crystals are taken, and the horde stands in no one place', () => {
    const { all, session } = play(survivors)
    const bites = all.filter(({ kind, victim }) => kind === 'damage' && victim === 1).map(({ tick }) => Number(tick))
    expect(bites.length).toBeGreaterThan(3)
    for (let i = 1; i < bites.length; i++) expect(bites[i] - bites[i - 1]).toBeGreaterThanOrEqual(30)
    expect(session.world.globals.xp).toBeGreaterThan(20)
    const { things } = session.world.tables
    const places = new Set<string>()
    for (let row = 0; row < things.count; row++) {
      if (things.maxHp[row] === 12) places.add(`${Math.round(things.x[row] / 6)} ${Math.round(things.y[row] / 6)}`)
    }
    expect(places.size).toBeGreaterThan(20)
  })

  test('moba: shots hurt nobody but their target, a blast hurts each once and slows it', () => {
    const targets = new Map<number, number>()
    const { all } = play(moba, ({ tables: { things } }) => {
      for (let row = 0; row < things.count; row++)
        if (things.target[row] !== 0) targets.set(things.id[row], things.target[row])
    })
    const hurts = all.filter(({ kind }) => kind === 'damage')
    const blows = hurts.filter(({ type }) => type === 0)
    const blasts = hurts.filter(({ type }) => type === 1)
    for (const { source, victim } of blows) expect(targets.get(Number(source))).toBe(victim)
    expect(blasts.length).toBeGreaterThan(5)
    expect(new Set(blasts.map(({ source, victim }) => `${source} ${victim}`)).size).toBe(blasts.length)
    expect(count(all, 'statusBegan')).toBeGreaterThan(5)
  })

  test('brawler: punches throw up, and some fall off the platform', () => {
    let [highest, lowest] = [0, 0]
    const { all } = play(brawler, ({ tables: { things } }) => {
      for (let row = 0; row < things.count; row++) {
        highest = Math.max(highest, things.z[row])
        lowest = Math.min(lowest, things.z[row])
      }
    })
    expect(count(all, 'damage')).toBeGreaterThan(20)
    expect(highest).toBeGreaterThan(50)
    expect(lowest).toBeLessThan(-20)
  })

  test('fighter: jabs link into uppercuts that throw up and ahead', () => {
    let highest = 64
    const { all } = play(fighter, ({ tables: { things } }) => {
      for (let row = 0; row < things.count; row++) highest = Math.min(highest, things.y[row])
    })
    const amounts = all.filter(({ kind }) => kind === 'damage').map(({ taken }) => Number(taken))
    expect(new Set(amounts)).toEqual(new Set([4, 10]))
    expect(highest).toBeLessThan(0)
  })

  test('platforms: coins are taken, foes are jumped on, and one of them hurts', () => {
    const { session, all } = play(platforms)
    const { coins, beaten } = session.world.globals as unknown as Record<string, number>
    expect(coins).toBeGreaterThan(8)
    expect(beaten).toBeGreaterThan(2)
    expect(count(all, 'damage')).toBeGreaterThan(0)
  })

  test('ball game: goals for both sides, and the ball never leaves the court but through them', () => {
    const { all, session } = play(ballGame, ({ tables: { things } }) => {
      for (let row = 0; row < things.count; row++) expect(Math.abs(things.y[row])).toBeLessThan(106)
    })
    expect(new Set(all.filter(({ kind }) => kind === 'goal').map(({ team }) => team))).toEqual(new Set([1, 2]))
    const { left, right } = session.world.globals as unknown as Record<string, number>
    expect(left + right).toBe(count(all, 'goal'))
  })

  test('ships: kills and returns, and some are hit across the seam', () => {
    let isAcross = false
    const { all } = play(ships, (world) => {
      const { things } = world.tables
      for (const { kind, victim, attacker } of listEvents(world)) {
        if (kind !== 'damage') continue
        const [a, b] = [things.id.indexOf(Number(victim)), things.id.indexOf(Number(attacker))]
        isAcross ||= Math.abs(things.x[a] - things.x[b]) > 220 || Math.abs(things.y[a] - things.y[b]) > 130
      }
    })
    expect(count(all, 'kill')).toBeGreaterThan(3)
    expect(isAcross).toBe(true)
  })
})

const PILLARS = [-110, 0, 110].flatMap((x) => [-55, 55].map((y) => [x, y]))

describe('[DC8] the pages about genres', () => {
  const docs = fileURLToPath(new URL('..', import.meta.url))
  const pages = globSync('genres/*.md', { cwd: docs }).filter((page) => !page.endsWith('index.md'))

  test('there are eight, and their first page lists them', () => {
    const first = readFileSync(`${docs}genres/index.md`, 'utf8')
    const listed = [...first.matchAll(/\]\(\.\/([\w-]+\.md)\)/g)].map(([, page]) => `genres/${page}`)
    expect(pages.length).toBe(8)
    expect(listed.toSorted()).toEqual(pages.map((page) => page.replaceAll('\\', '/')).toSorted())
  })

  test.each(pages)('%s has scene, lines, parts and template', (page) => {
    const text = readFileSync(docs + page, 'utf8')
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(700)
    const name = /<LiveScene name="([\w-]+)"/.exec(text)?.[1]
    expect(scenes.map((scene) => scene.name)).toContain(name)
    expect(text).toContain(`<<< ../scenes/${name}.ts#recipe{ts}`)
    expect(text).toMatch(/\n\| part \| for \|\n/)
    expect(text).toMatch(/\nTemplate: /)
    const source = readFileSync(`${docs}scenes/${name}.ts`, 'utf8')
    const [, recipe] = /\/\/ #region recipe\n([\s\S]*?)\n *\/\/ #endregion recipe/.exec(source) ?? []
    const lines = recipe.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//'))
    expect(lines.length).toBeGreaterThan(5)
    expect(lines.length).toBeLessThanOrEqual(24)
  })
})
