import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'
import { afterAll, expect, test } from 'vitest'
import { describeBuild } from './fixtures/build-entry.ts'

const folder = mkdtempSync(join(tmpdir(), 'hurtbox-builds-'))
const entry = fileURLToPath(new URL('fixtures/build-entry.ts', import.meta.url))

afterAll(() => rmSync(folder, { recursive: true }))

test('[FP12] source, tsc and minified Vite build have one fingerprint, one replay and one end state', async () => {
  const byTsc = emitByTsc()
  const byVite = await bundleByVite()
  // The names are gone, so a fingerprint of source text would differ.
  expect(readFileSync(byTsc, 'utf8')).toContain('playArena')
  expect(readFileSync(byVite, 'utf8')).not.toContain('playArena')

  const fromSource = describeBuild()
  expect(JSON.parse(fromSource).ok).toBe(true)
  expect(runBuild(byTsc)).toBe(fromSource)
  expect(runBuild(byVite)).toBe(fromSource)
})

function emitByTsc(): string {
  const outDir = join(folder, 'tsc')
  const tsc = fileURLToPath(new URL('../../../../../node_modules/typescript/bin/tsc', import.meta.url))
  const flags = ['--outDir', outDir, '--rootDir', join(entry, '../../../..'), '--noCheck', '--ignoreConfig']
  const how = ['--target', 'es2023', '--module', 'nodenext', '--rewriteRelativeImportExtensions']
  execFileSync(process.execPath, [tsc, ...flags, ...how, entry])
  writeFileSync(join(outDir, 'package.json'), '{ "type": "module" }')
  return join(outDir, 'record/replay/fixtures/build-entry.js')
}

async function bundleByVite(): Promise<string> {
  const outDir = join(folder, 'vite')
  await build({
    configFile: false,
    logLevel: 'silent',
    build: { outDir, minify: true, lib: { entry, formats: ['es'], fileName: () => 'arena.mjs' } },
  })
  return join(outDir, 'arena.mjs')
}

/** In a process of its own, so that nothing but the built file is loaded. */
function runBuild(file: string): string {
  const code = `import(${JSON.stringify(pathToFileURL(file).href)}).then((m) => process.stdout.write(m.describeBuild()))`
  return execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
}
