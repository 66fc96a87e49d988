/** The packages as others would install them. */

import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { publicPackages, publishedManifest } from '../pack.ts'
import { packedOnce } from './packages/packed.ts'

describe.each(publicPackages)('package %s', (folder) => {
  test('[PK1] packs, and publint and attw have nothing to say', { timeout: 120_000 }, async () => {
    const tarball = await packedOnce(folder)
    const run = (command: string, ...args: string[]) => execFileSync(command, [tarball, ...args], { encoding: 'utf8' })
    expect(run('publint', '--strict')).toMatch(/All good/)
    // Exits with 1 on a problem; what it says about CommonJS and Node 10 is ignored by the profile.
    if (folder !== 'create-hurtbox')
      expect(run('attw', '--profile', 'esm-only', '--no-emoji', '--no-color')).toMatch(/OK \(ESM\)/)
    const files = execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' }).split('\n')
    expect(files).toContain('package/LICENSE')
    expect(
      files.filter(
        (file) =>
          /^package\/(?!template|shield-ball|shared)(.*\/)?((test|fixtures)\/|[^/]*\.test\.)/.test(file) ||
          file.endsWith('.tsbuildinfo'),
      ),
    ).toEqual([])
  })
})

test('[PK2] the published manifest points at dist and brings no development dependencies', () => {
  const published = publishedManifest({
    name: 'x',
    version: '1.0.0',
    files: ['dist'],
    exports: { '.': './src/index.ts', './shapes': './src/shapes/index.ts', './package.json': './package.json' },
    devDependencies: { planck: '1.5.0' },
  })
  expect(published.exports).toEqual({
    '.': { types: './dist/index.d.ts', default: './dist/index.js' },
    './shapes': { types: './dist/shapes/index.d.ts', default: './dist/shapes/index.js' },
    './package.json': './package.json',
  })
  expect(published).not.toHaveProperty('devDependencies')
})
