/**
 * Packs the public packages as they would be published, into `.cache/pack/`.
 *
 * In the repository `exports` point at the TypeScript sources, so that no build stands between an edit and a test. A
 * published package points at `dist`. npm has no way to say both in one package.json, so the published one is derived
 * here: built by tsc into a staging folder, exports rewritten, then `npm pack`.
 */

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const packedFolder: string = join(root, '.cache/pack')

export type Manifest = {
  name: string
  version: string
  files: string[]
  exports?: Record<string, string>
  devDependencies?: unknown
  [field: string]: unknown
}

/** Folders under packages/ that are published. */
export const publicPackages: readonly string[] = [
  'hurtbox',
  'datagrams',
  'netcode',
  'colyseus',
  'view',
  'server',
  'studio',
  'cli',
  'create-hurtbox',
]

/** Builds and packs one package into a folder; returns the path of the tarball. */
export function pack(folder: string, into: string = packedFolder): string {
  const source = join(root, 'packages', folder)
  const staging = join(into, folder)
  rmSync(staging, { recursive: true, force: true })
  mkdirSync(staging, { recursive: true })

  const build = join(source, 'tsconfig.build.json')
  if (existsSync(build)) {
    run('tsc', ['-p', build, '--outDir', join(staging, 'dist')], source)
    pointMapsAt(join(staging, 'src'), join(source, 'src'), join(staging, 'dist'))
    for (const style of globSync('**/*.css', { cwd: join(source, 'src') })) {
      cpSync(join(source, 'src', style), join(staging, 'dist', style))
    }
    writeStylesInto(join(staging, 'dist'))
  }
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as Manifest
  for (const extra of [
    'src',
    'bin',
    'home',
    'index.html',
    'icon.svg',
    'lint',
    'monitor',
    'online',
    'shared',
    'template',
    'shield-ball',
    'README.md',
    'LICENSE',
  ]) {
    const from = existsSync(join(source, extra)) ? join(source, extra) : join(root, extra)
    if (existsSync(from) && (extra === 'LICENSE' || manifest.files.includes(extra) || extra === 'README.md')) {
      cpSync(from, join(staging, extra), {
        recursive: true,
        filter: (path) => extra !== 'src' || !/\.test\.ts$|[\\/]fixtures$/.test(path),
      })
    }
  }
  writeFileSync(join(staging, 'package.json'), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`)
  const [report] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', into], staging)) as [
    { filename: string },
  ]
  return join(into, report.filename)
}

/** Styles that a module takes as text (`x.css?inline`, which is Vite's) are written into it, for any bundler. */
function writeStylesInto(dist: string): void {
  for (const name of globSync('**/*.js', { cwd: dist })) {
    const file = join(dist, name)
    const text = readFileSync(file, 'utf8')
    const inlined = text.replace(
      /^import (\w+) from '(\.[^']+\.css)\?inline';$/gm,
      (_, local: string, path: string) => {
        return `const ${local} = ${JSON.stringify(readFileSync(resolve(dirname(file), path), 'utf8'))};`
      },
    )
    if (inlined !== text) writeFileSync(file, inlined)
  }
}

/** tsc writes into maps the way to where the sources were; installed, they lie beside `dist`. */
function pointMapsAt(shipped: string, sources: string, dist: string): void {
  for (const name of globSync('**/*.map', { cwd: dist })) {
    const file = join(dist, name)
    const map = JSON.parse(readFileSync(file, 'utf8')) as { sources: string[] }
    map.sources = map.sources.map((path) => {
      const source = relative(sources, resolve(dirname(file), path))
      return relative(dirname(file), join(shipped, source)).replaceAll('\\', '/')
    })
    writeFileSync(file, JSON.stringify(map))
  }
}

/** The same manifest with every `./src/x.ts` in its exports replaced by types and code in `dist`. */
export function publishedManifest(manifest: Manifest): Manifest {
  const { devDependencies: _unpublished, ...published } = manifest
  const built = (path: string) => path.replace('./src/', './dist/').replace(/\.ts$/, '')
  const exports = Object.fromEntries(
    Object.entries(manifest.exports ?? {}).map(([subpath, target]) =>
      target.endsWith('.ts')
        ? [subpath, { types: `${built(target)}.d.ts`, default: `${built(target)}.js` }]
        : [subpath, target],
    ),
  )
  return { ...published, ...(manifest.exports && { exports }) } as Manifest
}

/** Runs a tool of the repository, also where `npm run` has not put them on the PATH. */
function run(command: string, args: readonly string[], cwd: string): string {
  const env = { ...process.env, PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter) }
  try {
    return execFileSync(command, args, { cwd, env, encoding: 'utf8', shell: process.platform === 'win32' })
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT') throw error
    throw new Error(
      `packing needs ${command}, which is not on the PATH; ${command === 'npm' ? 'install npm' : 'run npm ci'} first.`,
    )
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const folder of publicPackages) {
    const tarball = pack(folder)
    console.log(tarball)
    run('publint', [tarball], root)
    // What is only a command has no types to be wrong.
    const { exports } = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')) as Manifest
    if (exports !== undefined) run('attw', [tarball, '--profile', 'esm-only'], root)
    console.log('publint and attw have nothing to say')
  }
}
