/** The site: what its live scenes show, and that every page is in the navigation. */

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Scene, why } from 'hurtbox'
import { playScene, startScene } from 'hurtbox/tools'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import config from '../.vitepress/config.ts'
import { createLiveScene, type LiveScene, stepOn } from '../.vitepress/theme/live-scene.ts'
import { scene as brawler } from '../scenes/brawler.ts'
import { scene as combos } from '../scenes/combos.ts'
import { scene as iFrames } from '../scenes/i-frames.ts'
import { scene as melee } from '../scenes/melee.ts'
import { scene as projectiles } from '../scenes/projectiles.ts'

/** Accepts every call and ignores it; drawings are reviewed by people. */
const canvas = new Proxy({ canvas: { width: 880, height: 520 } } as Record<string, unknown>, {
  get: (target, name: string) => target[name] ?? (() => {}),
}) as unknown as CanvasRenderingContext2D

describe('a scene in a page', () => {
  beforeAll(() => {
    vi.stubGlobal(
      'Path2D',
      class {
        moveTo() {}
        lineTo() {}
        arc() {}
        closePath() {}
      },
    )
  })
  afterAll(() => vi.unstubAllGlobals())

  const play = (scene: Scene): { windows: number; hits: number; live: LiveScene } => {
    const live = createLiveScene(scene, canvas, 200)
    let [windows, hits] = [0, 0]
    for (let tick = 0; tick < scene.ticks; tick++) {
      stepOn(live)
      windows += live.windows.filter(({ at }) => at === live.session.world.tick).length
      hits += live.hits.filter(({ at }) => at === live.session.world.tick).length
    }
    return { windows, hits, live }
  }

  test('[DC3] shows every hitbox that was posed and every hit', () => {
    // Four rounds of three blows, each active for three ticks.
    expect(play(combos)).toMatchObject({ windows: 36, hits: 12 })
    // Ten swings of eight ticks.
    expect(play(melee).windows).toBe(80)
    expect(play(projectiles)).toMatchObject({ hits: 20 })
    expect(play(projectiles).windows).toBeGreaterThan(10)
    expect(play(iFrames)).toMatchObject({ windows: 0, hits: 10 })
  })

  test('[DC3] shows scenes in space, too', () => {
    const { windows, hits } = play({ ...brawler, ticks: 400 })
    expect([windows > 20, hits > 3]).toEqual([true, true])
  })

  test('[DC3] begins again at its end', () => {
    const { live } = play(combos)
    expect(live.session.world.tick).toBe(combos.ticks)
    stepOn(live)
    expect(live.session.world.tick).toBe(0)
    expect([live.hits, live.windows]).toEqual([[], []])
  })
})

test('[DC4] every page of the docs is in the navigation of the site', () => {
  type Item = { readonly link?: string; readonly items?: readonly Item[] }
  const linksOf = ({ link, items = [] }: Item): string[] => [...(link ? [link] : []), ...items.flatMap(linksOf)]
  const linked = linksOf({ items: config.themeConfig?.sidebar as Item[] })
  const docs = fileURLToPath(new URL('..', import.meta.url))
  const pages = globSync(['*.md', 'guide/*.md', 'genres/*.md', 'decisions/*.md'], { cwd: docs })
  const links = pages.filter((page) => page !== 'index.md').map((page) => `/${page.replace(/(\bindex)?\.md$/, '')}`)
  expect(links.filter((link) => !linked.includes(link))).toEqual([])
  expect(linked.filter((link) => !link.startsWith('/api/') && !links.includes(link))).toEqual([])
})

test('[TG6] llms.txt names every page but the decisions by its place on the site, and nothing else', () => {
  const docs = fileURLToPath(new URL('..', import.meta.url))
  const text = readFileSync(`${docs}public/llms.txt`, 'utf8')
  const named = [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, link]) => link)
  const pages = globSync(['*.md', 'guide/*.md', 'genres/*.md'], { cwd: docs }).filter((page) => page !== 'index.md')
  // As plain files are called: every host has them, also one that does not know addresses without an ending.
  const files = pages.map((page) => page.replaceAll('\\', '/').replace(/\.md$/, '.html'))
  expect(named.toSorted()).toEqual(files.toSorted())
})

test('[DI31] every replay in a page is of a scene, and its question has an answer', async () => {
  const docs = fileURLToPath(new URL('..', import.meta.url))
  let replays = 0
  for (const page of globSync('guide/*.md', { cwd: docs })) {
    // Without code, which shows elements of others.
    const text = readFileSync(`${docs}${page}`, 'utf8')
      .replace(/```[\s\S]*?```/g, '')
      .replace(/`[^`\n]*`/g, '')
    for (const [element] of text.matchAll(/<hurtbox-replay[^>]*>/g)) {
      const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(element)?.[1]
      const [, name] = /^\/replays\/([\w-]+)\.hbr$/.exec(attribute('src') ?? '') ?? []
      const { scene } = (await import(`../scenes/${name}.ts`)) as { scene: Scene }
      // The page finds the game by the id that the replay has.
      expect(scene.game.declaration.id, element).toBe(name)
      const session = startScene(scene)
      playScene(scene, session, scene.ticks)
      const tick = Number(attribute('tick'))
      expect(tick, element).toBeLessThan(scene.ticks)
      const [a, b] = (attribute('ask') ?? '').split(',').map(Number)
      if (b !== undefined)
        expect(
          why(session, tick, a, b).some(({ rule }) => rule !== ''),
          element,
        ).toBe(true)
      replays++
    }
  }
  expect(replays).toBeGreaterThan(2)
})
