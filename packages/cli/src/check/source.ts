/**
 * A file of code as a syntax tree.
 *
 * Node itself takes the types out of TypeScript and leaves blanks in their place, so lines and columns stay those of the file;
 * acorn parses the rest.
 */

import { readFileSync } from 'node:fs'
import module from 'node:module'
import { parse } from 'acorn'
import { isIgnoredLine, type SyntaxNode } from 'hurtbox/lint'
import { messageOf, UsageError } from '../errors.ts'

export type Source = {
  readonly file: string
  /** As it is written. */
  readonly text: string
  /** Without types; every character where it was. */
  readonly code: string
  readonly program: SyntaxNode
  readonly imports: readonly Import[]
}

type Import = {
  readonly specifier: string
  /** `import()`: loaded when asked for, or never. */
  readonly isDynamic: boolean
  /** Where the specifier stands in the code, quotes included. */
  readonly start: number
  readonly end: number
}

/** Throws a sentence when the file is no JavaScript or TypeScript. */
export function readSource(file: string): Source {
  const text = readFileSync(file, 'utf8')
  const code = /ts$/.test(file) ? withoutTypes(text, file) : text
  const program = parseCode(code, file)
  return { file, text, code, program, imports: importsOf(program) }
}

/** Throws a sentence when the text is no JavaScript. `file` is how people call it. */
export function parseCode(code: string, file: string): SyntaxNode {
  try {
    return parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true }) as unknown as SyntaxNode
  } catch (error) {
    throw new Error(`${file} cannot be read as a module: ${messageOf(error)}`, { cause: error })
  }
}

/** Line and column, both from 1 on. */
export function placeAt({ text }: Source, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at)
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') }
}

export function lineOf({ text }: Source, line: number): string {
  return text.split('\n')[line - 1]?.trim() ?? ''
}

/** Whether a comment allows what stands in a line (from 1 on): ours, or what Biome and ESLint take for the same list. */
export function isAllowedLine({ text }: Source, line: number): boolean {
  const lines = text.split('\n')
  const [own, before] = [lines[line - 1] ?? '', lines[line - 2] ?? '']
  return (
    isIgnoredLine(lines, line - 1) ||
    /\/[/*]\s*eslint-disable-line\s.*hurtbox\/determinism/.test(own) ||
    /^\s*\/[/*]\s*(?:biome-ignore lint\/plugin|eslint-disable-next-line\s.*hurtbox\/determinism)/.test(before)
  )
}

function withoutTypes(text: string, file: string): string {
  if (module.stripTypeScriptTypes === undefined) {
    throw new UsageError(`Node ${process.versions.node} cannot read TypeScript. Use Node 22.18 or newer.`)
  }
  const { emitWarning } = process
  // Node calls it experimental, once. The same Node loads TypeScript by it without a word.
  process.emitWarning = () => {}
  try {
    return module.stripTypeScriptTypes(text)
  } catch (error) {
    throw new Error(`${file} has types that Node cannot take out: ${messageOf(error)}`, { cause: error })
  } finally {
    process.emitWarning = emitWarning
  }
}

function importsOf(program: SyntaxNode): Import[] {
  const imports: Import[] = []
  const add = (source: SyntaxNode | null | undefined, isDynamic: boolean) => {
    if (source?.type !== 'Literal' || typeof source.value !== 'string') return
    imports.push({ specifier: source.value, isDynamic, start: source.start, end: source.end })
  }
  const visit = (node: SyntaxNode) => {
    if (/^(?:Import|ExportNamed|ExportAll)Declaration$/.test(node.type)) add(node.source, false)
    if (node.type === 'ImportExpression') add(node.source, true)
    for (const child of Object.values(node).flat()) if (typeof child?.type === 'string') visit(child)
  }
  visit(program)
  return imports
}
