/** A page of the template whose rules throw, under development: what it says, in a browser. */

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'vite'
import { afterAll, expect, test } from 'vitest'
import { repositoryRoot } from '../../../scripts/engines/install-npm.ts'
import { startBrowser } from '../../studio/test/browser.ts'

// Inside the repository, so that its packages are found.
const project = join(repositoryRoot, '.cache/page-errors')
const RULES = 'game/rules.ts'
const DRAW = 'client/draw.ts'

rmSync(project, { recursive: true, force: true })
mkdirSync(project, { recursive: true })
cpSync(join(repositoryRoot, 'packages/create-hurtbox/template'), project, { recursive: true })
const browser = (await startBrowser())!
afterAll(async () => {
  await browser.close()
  rmSync(project, { recursive: true, force: true })
})

/** What the page says, with a mistake in a file; and the line of the mistake. */
async function pageWith(file: string, find: string, replace: string): Promise<{ told: string; line: number }> {
  const path = join(project, file)
  const before = readFileSync(path, 'utf8')
  expect(before).toContain(find)
  writeFileSync(path, before.replace(find, replace))
  const server = await createServer({ root: join(project, 'client'), logLevel: 'silent', server: { port: 0 } })
  try {
    await server.listen()
    const page = await browser.newPage()
    await page.goto(server.resolvedUrls!.local[0])
    await expect.poll(() => page.textContent('#status'), { timeout: 60_000 }).toContain('tried')
    const told = (await page.textContent('#status')) ?? ''
    await page.close()
    return { told, line: before.split(find)[0].split('\n').length }
  } finally {
    await server.close()
    writeFileSync(path, before)
  }
}

test('[EW8] a page under development tells function, tick, file and line of what its rules throw', async () => {
  const { told, line } = await pageWith(
    RULES,
    'face(knight, moveX, moveY)',
    "if (world.tick > 2) throw new Error('tried')",
  )
  expect(told).toMatch(new RegExp(`^phase steer failed in tick 3: tried \\(\\S*/game/rules\\.ts:${line}:\\d+\\)$`))
})

test('[EW8] and the line of what its own drawing throws', async () => {
  const { told, line } = await pageWith(DRAW, 'const { width, height } = context.canvas', "throw new Error('tried')")
  expect(told).toMatch(new RegExp(`^tried \\(\\S*/draw\\.ts:${line}:\\d+\\)$`))
})
