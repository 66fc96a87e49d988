/**
 * Reads the sources of a game, without running them, for what is not the same everywhere.
 *
 * Rules are the files that declare or define the game and everything they import; bots, scenes, views and servers may use
 * what they like, so a file that only they import is left out. Installed packages are left out too: what a rule really calls
 * in them the poisoned run sees.
 */

import { dirname, sep } from 'node:path'
import { findTraps, nameOfFunction, type SyntaxNode, startOf, walk } from 'hurtbox/lint'
import type { Finding } from './finding.ts'
import { resolveImport } from './resolve.ts'
import { isAllowedLine, lineOf, placeAt, readSource, type Source } from './source.ts'

export type Scan = {
  /** The files with rules. */
  readonly rules: readonly Source[]
  /** All files of one's own that the entry leads to. */
  readonly files: readonly Source[]
  readonly findings: readonly Finding[]
}

/** Functions of the engine whose callers hold rules. */
const MAKERS = /^(?:defineGame|declareGame|collide)$/

export function scan(entry: string): Scan {
  const files = follow([entry])
  const roots = files.filter(({ program }) => calls(program, MAKERS)).map(({ file }) => file)
  const ofRules = new Set(follow(roots.length === 0 ? [entry] : roots).map(({ file }) => file))
  const rules = files.filter(({ file }) => ofRules.has(file))
  return { rules, files, findings: rules.flatMap((source) => [...nodeOnlyIn(source), ...trapsIn(source)]) }
}

/** Modules of Node that rules import: a browser cannot even load them. */
function nodeOnlyIn(source: Source): Finding[] {
  return source.imports.flatMap(({ specifier, isDynamic, start }): Finding[] => {
    if (isDynamic || resolveImport(specifier, source.file).kind !== 'builtin') return []
    const place = textAt(source, start)
    if (isAllowedLine(source, place.line)) return []
    const finding: Finding = {
      check: 'sources',
      rule: 'outside',
      name: specifier,
      message: `${specifier} is a part of Node: a browser cannot load these rules.`,
      instead: 'Load files in the server or the view, and give rules data: content or options of the declaration.',
      file: source.file,
      ...place,
    }
    return [finding]
  })
}

function trapsIn(source: Source): Finding[] {
  return findTraps(source.program, source.text).flatMap(({ rule, name, node, message, instead, within }): Finding[] => {
    const { line, column } = placeAt(source, startOf(node))
    if (isAllowedLine(source, line)) return []
    const finding: Finding = {
      check: 'sources',
      rule,
      name,
      message,
      instead,
      file: source.file,
      line,
      column,
      text: lineOf(source, line),
      within,
    }
    return [finding]
  })
}

/** Files of one's own, from some on, over static imports. */
function follow(entries: readonly string[]): Source[] {
  const found = new Map<string, Source>()
  const queue = [...entries]
  const hurtbox = resolveImport('hurtbox', entries[0])
  const engine = hurtbox.kind === 'file' ? dirname(hurtbox.file) + sep : '\0'
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    if (found.has(file)) continue
    const source = sources.get(file) ?? readSource(file)
    sources.set(file, source)
    found.set(file, source)
    for (const { specifier, isDynamic } of source.imports) {
      if (isDynamic || /^@?hurtbox(?:\/|$)/.test(specifier)) continue
      const target = resolveImport(specifier, file)
      if (target.kind === 'file' && isOwn(target.file) && !target.file.startsWith(engine)) queue.push(target.file)
    }
  }
  return [...found.values()]
}

/** Each file is parsed once, however often it is reached. */
const sources = new Map<string, Source>()

function isOwn(file: string): boolean {
  return /\.[cm]?[jt]s$/.test(file) && !file.includes(`${sep}node_modules${sep}`)
}

function calls(program: SyntaxNode, names: RegExp): boolean {
  let found = false
  walk(program, ({ type, callee }) => {
    found ||= type === 'CallExpression' && callee.type === 'Identifier' && names.test(callee.name)
  })
  return found
}

export type Located = Pick<Finding, 'file' | 'line' | 'column' | 'text'>

/** Where a phase is written: in the list of phases, or the function that the list names. */
export function locatePhase(rules: readonly Source[], phase: string): Located {
  const listed: Place[] = []
  const functions = new Map<string, Place[]>()
  for (const source of rules) {
    walk(source.program, (node, { parents }) => {
      const name = /Function/.test(node.type) ? nameOfFunction(node, parents.at(-1)) : undefined
      if (name !== undefined) functions.set(name, [...(functions.get(name) ?? []), { source, node }])
      const isOfPhase = node.type === 'Property' && !node.computed && (node.key.name ?? node.key.value) === phase
      const isInPhases = parents.some((around) => (around.key?.name ?? around.id?.name) === 'phases')
      if (isOfPhase && isInPhases) listed.push({ source, node })
    })
  }
  const [property] = listed
  const named = functions.get(property?.node.value.type === 'Identifier' ? property.node.value.name : phase) ?? []
  const place = named.length === 1 ? named[0] : property
  return place === undefined ? {} : { file: place.source.file, ...textAt(place.source, startOf(place.node)) }
}

/** Where a rule is written: its name in a list of rules. */
export function locateRule(rules: readonly Source[], rule: string): Located {
  for (const source of rules) {
    let at: number | undefined
    walk(source.program, ({ type, key, value, ...node }) => {
      const isRule = type === 'Property' && (key.name ?? key.value) === rule && value.type === 'ObjectExpression'
      if (isRule) at ??= startOf({ ...node, type })
    })
    if (at !== undefined) return { file: source.file, ...textAt(source, at) }
  }
  return {}
}

/** Where a function of the engine is first called. */
export function locateCall(files: readonly Source[], name: RegExp): Located {
  for (const source of files) {
    let at: number | undefined
    walk(source.program, ({ type, callee, ...node }) => {
      if (type === 'CallExpression' && callee.type === 'Identifier' && name.test(callee.name))
        at ??= startOf({ ...node, type })
    })
    if (at !== undefined) return { file: source.file, ...textAt(source, at) }
  }
  return {}
}

type Place = { readonly source: Source; readonly node: SyntaxNode }

function textAt(source: Source, at: number) {
  const place = placeAt(source, at)
  return { ...place, text: lineOf(source, place.line) }
}

/** The line that says `rulesVersion`, or where the game is declared without one. */
export function locateRulesVersion(
  rules: readonly Source[],
  id: string,
): Pick<Finding, 'file' | 'line' | 'column' | 'text'> {
  for (const source of rules) {
    let at: number | undefined
    walk(source.program, ({ type, callee, arguments: given, ...node }) => {
      if (type !== 'CallExpression' || callee.name !== 'declareGame') return
      const properties: readonly SyntaxNode[] = given[0]?.properties ?? []
      const propertyOf = (name: string) => properties.find(({ key }) => key?.name === name)
      const declared = propertyOf('id')?.value.value
      if (declared !== undefined && declared !== id) return
      at = startOf(propertyOf('rulesVersion') ?? ({ ...node, type } as SyntaxNode))
    })
    if (at !== undefined) return { file: source.file, ...textAt(source, at) }
  }
  return {}
}
