/**
 * All that is written around a game: its own files, and those of the page, the server and the tests beside it.
 *
 * A column may be read by a view only, so a finding that says "nowhere" has to look everywhere. Where that is too much to read, or a file is
 * of a language that is not parsed, what is asked for counts as used: better no finding than a false one.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join, sep } from 'node:path'
import { propertyName, type SyntaxNode, walk } from 'hurtbox/lint'
import { packageAround, resolveImport } from '../resolve.ts'
import { readSource, type Source } from '../source.ts'
import { keyOf } from './place.ts'

export type Project = {
  readonly files: readonly ProjectFile[]
  /** Whether there are more files than were read. */
  readonly isCut: boolean
}

export type ProjectFile = { readonly file: string; readonly text: string }

const MOST_FILES = 4000
const SOURCES = /^\.(?:[cm]?[jt]sx?|vue|svelte|astro|html|json)$/
const SKIPPED = /^(?:\..*|node_modules|dist|build|coverage|package-lock\.json|hurtbox\.lock\.json)$/

/** Each folder is read once, for however many games of it. */
const projects = new Map<string, Project>()

/** The files of the repository that the game is in; without one, of its package. */
export function readProject(entry: string): Project {
  const folder = repositoryAround(entry) ?? packageAround(entry)?.folder ?? dirname(entry)
  const known = projects.get(folder) ?? readFolder(folder)
  projects.set(folder, known)
  return known
}

function readFolder(root: string): Project {
  const files: ProjectFile[] = []
  const folders = [root]
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const item of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, item.name)
      if (SKIPPED.test(item.name)) continue
      if (item.isDirectory()) folders.push(path)
      else if (item.isFile() && SOURCES.test(extname(item.name))) {
        if (files.length === MOST_FILES) return { files, isCut: true }
        files.push({ file: path, text: readFileSync(path, 'utf8') })
      }
    }
  }
  return { files, isCut: false }
}

function repositoryAround(file: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (dirname(folder) === folder) return undefined
  }
}

export function hasWord(text: string, word: string): boolean {
  return new RegExp(`(?<![\\w$])${word.replaceAll('$', '\\$')}(?![\\w$])`).test(text)
}

/** The names that a program reads: properties, patterns, words in texts. What is only written or declared is not among them. */
function namesReadIn(program: SyntaxNode): Set<string> {
  const names = new Set<string>()
  const addWords = (text: string) => {
    for (const word of text.match(/[\w$]+/g) ?? []) names.add(word)
  }
  walk(program, (node, { parents }) => {
    const parent = parents.at(-1)
    if (node.type === 'MemberExpression') {
      const isSet = parent?.type === 'AssignmentExpression' && parent.operator === '=' && parent.left === node
      const name = propertyName(node)
      if (!isSet && name !== undefined) names.add(name)
    } else if (node.type === 'Property') {
      const name = keyOf(node)
      if (parent?.type === 'ObjectPattern' && name !== undefined) names.add(name)
    } else if (node.type === 'Literal' && typeof node.value === 'string') {
      // A key in quotes is a key.
      if (parent?.type !== 'Property' || parent.key !== node) addWords(node.value)
    } else if (node.type === 'TemplateElement') addWords(node.value.raw)
  })
  return names
}

/** Whether a file of the project reads a name; one that cannot be parsed does if it has the word. */
export function readsName({ file, text }: ProjectFile, name: string): boolean {
  if (!hasWord(text, name)) return false
  const source = /\.[cm]?[jt]s$/.test(file) ? parsed(file) : undefined
  return source === undefined || readIn(source).has(name)
}

const reads = new WeakMap<Source, Set<string>>()

export function readIn(source: Source): Set<string> {
  let known = reads.get(source)
  if (known === undefined) reads.set(source, (known = namesReadIn(source.program)))
  return known
}

const sources = new Map<string, Source | undefined>()

function parsed(file: string): Source | undefined {
  if (!sources.has(file)) sources.set(file, readOrNot(file))
  return sources.get(file)
}

function readOrNot(file: string): Source | undefined {
  try {
    return readSource(file)
  } catch {
    return undefined
  }
}

/** The sources of the engine as they are installed: a column by a name that it reads is read. */
export function engineText(entry: string): string {
  const engine = resolveImport('hurtbox', entry)
  if (engine.kind !== 'file') return ''
  const folder = dirname(engine.file)
  const known = engines.get(folder) ?? readEngine(folder)
  engines.set(folder, known)
  return known
}

const engines = new Map<string, string>()

function readEngine(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[cm]?[jt]s$/.test(name) && !/\.test\.ts$|\.d\.ts$/.test(name))
    .filter((name) => !name.split(sep).includes('fixtures'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
}
