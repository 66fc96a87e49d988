/** What README and guides claim is what was measured, and what can be measured again in seconds still comes out the same. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { runInThisContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { pairsPlot } from '../../bench/plot.ts'
import type { Line } from '../../bench/results.ts'
import { bundleProbe } from '../engines/bundle.ts'
import type { ProbeReport } from '../engines/report.ts'
import { bench } from '../figures/bench.ts'
import { compare } from '../figures/compare.ts'
import { engines } from '../figures/engines.ts'
import { staleExamples, staleSpeeds } from '../figures/examples.ts'
import { apart, unequal } from '../figures/figure.ts'
import { games, playMatch } from '../figures/games.ts'
import { load } from '../figures/load.ts'
import { main } from '../figures/main.ts'
import { pagesWithFigures, renderPage } from '../figures/pages.ts'
import { renderAll } from '../figures/render.ts'
import { loadSaved, root } from '../figures/saved.ts'
import type { Step } from '../figures/steps.ts'
import { benchTable } from '../figures/tables.ts'

const read = (page: string) => readFileSync(root + page, 'utf8')

describe('pages', () => {
  test.each(pagesWithFigures())('[FG1] %s shows what was measured', (page) => {
    expect(renderPage(page, read(page), renderAll()), 'npm run measure -- figures --pages writes it').toBe(read(page))
  })

  test('[FG1] every table that is rendered stands on a page', () => {
    const pages = pagesWithFigures().map(read).join('\n')
    for (const name of Object.keys(renderAll().blocks)) expect(pages).toContain(`<!-- figures: ${name} -->`)
  })

  test('[FG1] the table of the benchmark has ours, the best of the others and the fastest engine', () => {
    const line = (workload: string, contender: string, family: 'ours' | 'index' | 'engine', ms: number) => {
      return { workload, n: 1000, contender, family, ms, verdict: 'exact', meanPenetration: ms / 10 } as const
    }
    const lines = [
      ...[
        line('pairs', 'hurtbox', 'ours', 0.5),
        line('pairs', 'kdbush', 'index', 4),
        line('pairs', 'rbush', 'index', 6),
      ],
      ...[line('pairs', 'planck', 'engine', 50), line('pairs', 'p2-es', 'engine', 40)],
      ...[line('crowd', 'hurtbox', 'ours', 1), line('crowd', 'p2-es', 'engine', 3)],
    ]
    const table = benchTable({ command: '', machine: 'a machine', date: '2026-11-15', result: { seconds: 1, lines } })
    expect(table).toContain('| all overlapping pairs of 1,000 circles | 4.00 kdbush | 40.0 p2-es | 0.500 | 8.0 | 80 |')
    expect(table).toContain('| a crowd of 1,000 kept apart | 3.00 p2-es | 3.00 p2-es | 1.00 | 3.0 | 3.0 |')
    expect(table).toContain('mean overlap of 0.100 radii, not 0.300 (p2-es). Measured 2026-11-15 on a machine.')
  })

  const rendered = { blocks: { times: '| 1 |' }, values: { 'a.b': '42' } }
  const render = (text: string) => renderPage('page.md', text, rendered)

  test('[FG1] a block is replaced as a whole; a figure in a sentence keeps the sentence and its marks', () => {
    expect(render('a\n<!-- figures: times -->\nold\n\nolder\n<!-- /figures -->\nb')).toBe(
      'a\n<!-- figures: times -->\n\n| 1 |\n\n<!-- /figures -->\nb',
    )
    expect(render('ends in `7`<!-- = a.b -->, (3<!-- = a.b --> or **0.5**<!-- = a.b -->)')).toBe(
      'ends in `42`<!-- = a.b -->, (42<!-- = a.b --> or **42**<!-- = a.b -->)',
    )
  })

  test.each([
    ['<!-- figures: nothing -->\n<!-- /figures -->', 'page.md: there is no figure "nothing". There are: times.'],
    ['7<!-- = a.c -->', 'page.md: there is no figure "a.c". There are: a.b.'],
    ['<!-- figures: times -->\n| 1 |', 'page.md: 1 marks of figures belong to no block and no figure.'],
    ['<!-- /figures -->', 'page.md: 1 marks of figures belong to no block and no figure.'],
    ['of <!-- = a.b -->', 'page.md: 1 marks of figures belong to no block and no figure.'],
  ])('[FG2] %j is refused', (text, message) => {
    expect(() => render(text)).toThrow(message)
  })

  test('[FG7] the README is read in three minutes, and what it points to is there', () => {
    const visible = read('README.md')
      .replace(/```[\s\S]*?```/g, '')
      .replace(/^\|.*$/gm, '')
      .replace(/<!--.*?-->|<[^>]+>|\]\([^)]*\)/g, ' ')
    const words = visible.match(/[\p{L}\p{N}][^\s|]*/gu) ?? []
    // People read 238 words a minute silently (Brysbaert 2019); the rest of the time is for code and tables.
    expect(words.length).toBeLessThanOrEqual(600)
    const targets = [...read('README.md').matchAll(/\]\(([^)#]+)|src="([^"]+)"/g)].map(([, link, src]) => link ?? src)
    expect(targets.length).toBeGreaterThan(20)
    expect(targets.filter((target) => !existsSync(root + target))).toEqual([])
  })
})

/** Seconds where there is nothing else to do; whole matches on a machine that is busy take longer. */
describe('measured again', { timeout: 240_000 }, () => {
  test('[FG4] the saved hashes of the matrix are those of this engine', async () => {
    const script = await bundleProbe({ control: false })
    const { scenes } = JSON.parse(runInThisContext(`${script}\nhurtboxReport`)) as ProbeReport
    const hashes = Object.fromEntries(scenes.map(({ scene, hash }) => [scene, hash]))
    expect(hashes, 'npm run measure -- figures --only engines writes them').toEqual(loadSaved(engines).result.scenes)
  })

  const matches = Object.entries(loadSaved(games).result)

  test.each(matches)('[FG5] the card of %s shows the match of its own page', async (game, saved) => {
    // The tests of the games run the examples of their pages; a game without one is played here.
    const [, example] = read(`games/${game}/README.md`).split(`$ ${saved.command}\n`)
    if (example !== undefined) expect(example.split('```')[0]).toContain(`hash    ${saved.hash}\n`)
    else expect(await playMatch(saved.command), 'npm run measure -- figures --only games writes it').toEqual(saved)
  })

  test('[FG5] the two engines of seed 003 count as the card says', async () => {
    expect(await compare.measure(() => {})).toEqual(loadSaved(compare).result)
  })

  test('[FG6] the plot is that of saved results', () => {
    const folder = `${root}bench/results/`
    const plots = readdirSync(folder).map((name) => {
      const lines = JSON.parse(readFileSync(folder + name, 'utf8')) as Line[]
      return pairsPlot(lines.filter(({ workload }) => workload === 'pairs'))
    })
    expect(plots, 'npm run bench -- --plot draws it').toContain(read('docs/images/bench-pairs.svg'))
  })
})

describe('comparing', () => {
  test('[FG8] what is exact differs by path, what is a time by a factor', () => {
    expect(unequal('match', { a: { hash: 'f0', n: 1 } }, { a: { hash: 'f1', n: 1 }, b: 2 })).toEqual([
      'match a hash: "f1" now, "f0" saved',
      'match b: 2 now, undefined saved',
    ])
    expect(unequal('match', { a: [1, 2] }, { a: [1, 2] })).toEqual([])
    expect(apart('ms', 1, 1.9)).toEqual([])
    expect(apart('ms', 1, 0.51)).toEqual([])
    expect(apart('ms', 1, 2.1)).toEqual(['ms: 2.1 now, 1 saved, more than a factor of 2 apart'])
    expect(apart('ms', 1, 0.4)).toEqual(['ms: 0.4 now, 1 saved, more than a factor of 2 apart'])
  })

  test('[FG8] a benchmark is judged by its ratios: a slower machine is no difference, a slower engine is', () => {
    const saved = loadSaved(bench).result
    const slower = (factor: number, who: (name: string) => boolean) => ({
      ...saved,
      lines: saved.lines.map((line) => (who(line.contender) ? { ...line, ms: line.ms * factor } : line)),
    })
    expect(
      bench.differences(
        saved,
        slower(5, () => true),
      ),
    ).toEqual([])
    const found = bench.differences(
      saved,
      slower(5, (name) => name === 'hurtbox'),
    )
    expect(found.length).toBe(new Set(saved.lines.map(({ workload, n }) => `${workload} ${n}`)).size)
    expect(found[0]).toMatch(/^times faster, pairs 10000: /)
    const without = { ...saved, lines: saved.lines.filter(({ workload }) => workload !== 'rays') }
    expect(bench.differences(saved, without)).toEqual(['rays 10000: not measured now'])
  })

  test('[FG8] the matrix is judged by its hashes, whichever runtimes are there', () => {
    const saved = loadSaved(engines).result
    expect(engines.differences(saved, { ...saved, runtimes: saved.runtimes.slice(0, 2) })).toEqual([])
    expect(engines.differences(saved, { ...saved, scenes: { ...saved.scenes, 'skirmish-plain': '0' } })).toEqual([
      `scene skirmish-plain: "0" now, "${saved.scenes['skirmish-plain']}" saved`,
    ])
  })

  test('[FG8] a server that needs much more of a core, or sends more, differs', () => {
    const saved = loadSaved(load).result
    const busy = { ...saved, printed: saved.printed.map((line) => line.replace(/server +[\d.]+/, 'server 900')) }
    expect(load.differences(saved, busy)).toHaveLength(1)
    expect(load.differences(saved, { ...saved, mirror: { down: saved.mirror.down * 2, up: 0 } })).toHaveLength(1)
    expect(load.differences(saved, saved)).toEqual([])
  })

  test('[FG8] an example is compared to the last digit, but for its speed', () => {
    const shown = '  speed   1,000 ticks a second, 9 × real time\n  hash    ff\n'
    const example = (printed: string) => [{ command: 'run', shown, printed }]
    const faster = shown.replace('1,000', '1,900')
    expect(staleExamples('page.md', example(faster))).toEqual([])
    expect(staleSpeeds('page.md', example(faster))).toEqual([])
    expect(staleSpeeds('page.md', example(shown.replace('1,000', '3,000')))).toHaveLength(1)
    expect(staleExamples('page.md', example(shown.replace('ff', 'fe')))[0]).toContain('page.md: `run` prints')
  })
})

describe('the command', () => {
  const step = (name: string, isLong: boolean, problem?: string): Step => {
    const run = async () => {
      calls.push(name)
      if (problem === 'throws') throw new Error('no such command')
    }
    return {
      name,
      isLong,
      update: () => run().then(() => []),
      check: () => run().then(() => (problem === undefined ? [] : [problem])),
    }
  }
  const calls: string[] = []

  /** Runs the command with steps and a page that are not real, so that nothing is written. */
  const run = async (args: readonly string[], steps: readonly Step[], stale: string[] = []) => {
    calls.length = 0
    let text = ''
    const print = (line: string) => void (text += `${line}\n`)
    const pages = { stale: () => stale, update: () => stale }
    const code = await main(args, { print, log: print }, steps, pages)
    return { code, text, calls: [...calls] }
  }

  test('[FG9] what takes long runs only by name', async () => {
    const steps = [step('a', false), step('b', true)]
    expect(await run([], steps)).toMatchObject({ code: 0, calls: ['a'] })
    expect(await run(['--check'], steps)).toMatchObject({ code: 0, calls: ['a'] })
    expect(await run(['--check', '--only', 'b'], steps)).toMatchObject({ code: 0, calls: ['b'] })
    expect(await run(['--only', 'b,a'], steps)).toMatchObject({ code: 0, calls: ['a', 'b'] })
    expect(await run(['--check', '--pages'], steps)).toMatchObject({ code: 0, calls: [] })
  })

  test('[FG9] a difference and a failure are reported, and the rest still runs', async () => {
    const steps = [step('a', false, 'throws'), step('b', false, 'it is 7'), step('c', false)]
    const { code, text, calls } = await run(['--check'], steps)
    expect({ code, calls }).toEqual({ code: 1, calls: ['a', 'b', 'c'] })
    expect(text).toContain('DIFFERS  a: no such command\nDIFFERS  b: it is 7\n')
    expect((await run([], steps)).code, 'what failed is not written').toBe(1)
  })

  test('[FG9] a page that is not what was saved is a difference, or is written', async () => {
    const checked = await run(['--check', '--pages'], [], ['page.md'])
    expect(checked).toMatchObject({ code: 1, text: 'DIFFERS  page.md is not what docs/figures says.\n' })
    const written = await run(['--pages'], [], ['page.md'])
    expect(written).toMatchObject({ code: 0, text: 'wrote page.md\nAll figures are written.\n' })
  })

  test('[FG9] unknown names and options are refused', async () => {
    expect(await run(['--only', 'a,x'], [step('a', false)])).toMatchObject({
      code: 2,
      text: 'figures: there is no figure "x". There are: a.\n',
      calls: [],
    })
    expect((await run(['--fast'], [])).code).toBe(2)
  })
})
