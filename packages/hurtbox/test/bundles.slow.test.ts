/** Bundlers compile the engine for the browsers that a page is made for: every such build plays the same match. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'hurtbox-bundles-'))
afterAll(() => rmSync(folder, { recursive: true }))

const engine = fileURLToPath(new URL('..', import.meta.url))
const PROGRAM = `
  import { hashWorld } from './src/index.ts'
  import { playScene, startScene } from './src/host/tools/index.ts'
  import { scenes } from './scenes/index.ts'
  const [scene] = scenes
  const session = startScene(scene)
  playScene(scene, session, 240)
  export const hash = hashWorld(session.world)
`

async function hashOf(target: string, useDefineForClassFields: boolean): Promise<string> {
  const outfile = join(folder, `${target}-${useDefineForClassFields}.mjs`)
  await build({
    stdin: { contents: PROGRAM, resolveDir: engine, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    minify: true,
    // What browsers of 2018 have not, but the language has since 2020: the engine asks for it.
    supported: { bigint: true },
    target,
    tsconfigRaw: { compilerOptions: { useDefineForClassFields } },
    outfile,
  })
  return ((await import(pathToFileURL(outfile).href)) as { hash: string }).hash
}

test('[NT6] compiled for older browsers, by either reading of class fields, the engine plays the same match', async () => {
  const now = await hashOf('esnext', true)
  expect(now).toMatch(/^[0-9a-f]+$/)
  expect(await hashOf('es2018', true)).toBe(now)
  expect(await hashOf('es2020', true)).toBe(now)
  expect(await hashOf('es2022', false)).toBe(now)
})
