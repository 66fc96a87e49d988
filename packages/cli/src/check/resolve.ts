/**
 * Where an import leads, without running anything.
 *
 * Node tells only by importing (or by the rules of `require`, which are others), so the part of its algorithm that games
 * need is here: files, packages with `exports`, `imports` of a package, packages of a workspace.
 */

import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, resolve as resolvePath, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Target =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'builtin' }
  | { readonly kind: 'missing' }

const CONDITIONS = ['node', 'import', 'module-sync', 'default']

export function resolveImport(specifier: string, from: string): Target {
  if (isBuiltin(specifier)) return { kind: 'builtin' }
  if (specifier.startsWith('file:')) return fileAt(fileURLToPath(specifier))
  if (/^\.{0,2}\//.test(specifier)) return fileAt(resolvePath(dirname(from), specifier.replace(/[?#].*$/, '')))
  if (specifier.startsWith('#')) {
    const own = packageAround(from)
    return own === undefined ? MISSING : targetIn(own.folder, own.manifest.imports, specifier)
  }
  const [, name, rest] = /^(@[^/]+\/[^/]+|[^/]+)(.*)$/.exec(specifier) ?? ['', specifier, '']
  const found = findPackage(name, from)
  if (found === undefined) return MISSING
  const { folder, manifest } = found
  if (manifest.exports !== undefined) return targetIn(folder, manifest.exports, `.${rest}`)
  return fileAt(join(folder, rest || manifest.main || 'index.js'))
}

/** Whether a file of code is an ES module; the others (CommonJS) cannot be loaded by a browser. */
export function isEsModule(file: string): boolean {
  if (/\.(?:mjs|mts)$/.test(file)) return true
  if (/\.(?:cjs|cts)$/.test(file)) return false
  // TypeScript without a package.json that says so is a module where it has imports; all games do.
  return packageAround(file)?.manifest.type === 'module' || /\.ts$/.test(file)
}

/** The nearest package.json around a file. */
export function packageAround(file: string): { readonly folder: string; readonly manifest: Manifest } | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const manifest = readManifest(folder)
    if (manifest !== undefined) return { folder, manifest }
    if (dirname(folder) === folder) return undefined
  }
}

type Manifest = {
  readonly name?: string
  readonly type?: string
  readonly main?: string
  readonly exports?: unknown
  readonly imports?: unknown
}

const MISSING: Target = { kind: 'missing' }

function fileAt(path: string): Target {
  // Packages of a workspace are links; a module is its real file.
  return existsSync(path) ? { kind: 'file', file: realpathSync(path) } : MISSING
}

function findPackage(name: string, from: string) {
  const own = packageAround(from)
  if (own?.manifest.name === name && own.manifest.exports !== undefined) return own
  for (let folder = dirname(from); ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', ...name.split('/'))
    const manifest = folder.endsWith(`${sep}node_modules`) ? undefined : readManifest(candidate)
    if (manifest !== undefined) return { folder: candidate, manifest }
    if (dirname(folder) === folder) return undefined
  }
}

function readManifest(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch {
    return undefined
  }
}

function targetIn(folder: string, map: unknown, key: string): Target {
  const isBySubpath = isRecord(map) && Object.keys(map).some((name) => /^[.#]/.test(name))
  const bySubpath: Readonly<Record<string, unknown>> = isBySubpath ? map : { '.': map }
  const exact = Object.hasOwn(bySubpath, key) ? pickCondition(bySubpath[key]) : undefined
  if (exact !== undefined) return fileAt(join(folder, exact))
  for (const [pattern, target] of Object.entries(bySubpath)) {
    const [start, end, more] = pattern.split('*')
    if (end === undefined || more !== undefined || !key.startsWith(start) || !key.endsWith(end)) continue
    const path = pickCondition(target)
    if (path !== undefined) {
      return fileAt(join(folder, path.replaceAll('*', key.slice(start.length, key.length - end.length))))
    }
  }
  return MISSING
}

function pickCondition(target: unknown): string | undefined {
  if (typeof target === 'string') return target
  if (Array.isArray(target)) return target.map(pickCondition).find((path) => path !== undefined)
  if (!isRecord(target)) return undefined
  for (const [condition, inner] of Object.entries(target)) {
    const path = CONDITIONS.includes(condition) ? pickCondition(inner) : undefined
    if (path !== undefined) return path
  }
  return undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
