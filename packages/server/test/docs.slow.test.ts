/** The server that docs/server.md shows is compiled and played. */

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { freePort } from './free-port.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

test("[RM30] the server for a game of one's own has less than 30 lines, compiles, and is played", async () => {
  const page = readFileSync(`${root}docs/server.md`, 'utf8')
  const snippets = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code)
  expect(snippets.length).toBeGreaterThanOrEqual(2)
  expect(snippets[0]).toContain('serve(')
  expect(snippets[0].trim().split('\n').length).toBeLessThan(30)

  // What the page leaves to the reader: to look whether it worked, and to stop.
  const ending = `
gameRoom({ game: duel })
const end = Date.now() + 60_000
while (!((match.mirror?.confirmed.tables.things.x[0] ?? 0) > 40) && Date.now() < end) await new Promise((go) => setTimeout(go, 20))
console.log('radius', match.mirror?.world.tables.things.radius[0])
console.log('moved', (match.mirror?.confirmed.tables.things.x[0] ?? 0) > 40, match.desyncs.length)
process.exit(0)
`
  const folder = `${root}.cache/server-page`
  mkdirSync(folder, { recursive: true })
  const program = `${folder}/program.ts`
  writeFileSync(program, [...snippets, ending].join('\n'))
  writeFileSync(
    `${folder}/tsconfig.json`,
    JSON.stringify({
      extends: '../../tsconfig.base.json',
      compilerOptions: { types: ['node'], lib: ['es2023', 'dom'] },
      files: [program],
    }),
  )
  execFileSync('tsc', ['-p', folder], { encoding: 'utf8' })
  const env = { ...process.env, PORT: String(await freePort()) }
  const { stdout, stderr } = spawnSync(process.execPath, [program], {
    encoding: 'utf8',
    cwd: folder,
    env,
    timeout: 100_000,
  })
  expect(stdout + stderr).toMatch(/radius 9\nmoved true 0/)
}, 180_000)
