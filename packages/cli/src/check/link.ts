/**
 * A game and all it imports as plain modules in one folder, so that every runtime and every browser loads the same code.
 *
 * Bun, Deno, older Nodes and browsers each find packages in their own way and not all of them take TypeScript. Here nothing is
 * bundled or changed: types are taken out, and imports lead to the files beside.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SyntaxNode } from 'hurtbox/lint'
import { isEsModule, resolveImport } from './resolve.ts'
import { readSource } from './source.ts'

export type Linked = {
  /** The name of the module in the folder, by its file. */
  nameOf(file: string): string
  /** What a browser has not: modules of Node, CommonJS. */
  readonly nodeOnly: readonly string[]
}

export function link(entries: readonly string[], folder: string): Linked {
  mkdirSync(folder, { recursive: true })
  const names = new Map<string, string>()
  const nodeOnly: string[] = []
  const queue: string[] = []
  const nameOf = (file: string): string => {
    let name = names.get(file)
    if (name === undefined) {
      names.set(file, (name = `m${names.size}.mjs`))
      queue.push(file)
    }
    return name
  }
  for (const entry of entries) nameOf(entry)
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    const code = file.endsWith('.json')
      ? `export default ${readFileSync(file, 'utf8')}`
      : linkModule(file, nameOf, nodeOnly)
    writeFileSync(join(folder, nameOf(file)), code)
  }
  return { nameOf, nodeOnly }
}

function linkModule(file: string, nameOf: (file: string) => string, nodeOnly: string[]): string {
  const { code, program, imports } = readSource(file)
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = []
  for (const { specifier, isDynamic, start, end } of imports) {
    // What is loaded only when it is asked for (views, commands) is not asked for.
    if (isDynamic) continue
    const target = resolveImport(specifier, file)
    if (target.kind === 'file' && (target.file.endsWith('.json') || isEsModule(target.file))) {
      edits.push({ start, end, text: JSON.stringify(`./${nameOf(target.file)}`) })
      continue
    }
    nodeOnly.push(specifier)
    if (target.kind === 'file') edits.push({ start, end, text: JSON.stringify(pathToFileURL(target.file).href) })
  }
  visit(program, (node) => {
    if (node.type === 'ImportDeclaration' && node.attributes?.length > 0) {
      // A module of JSON has become one of code.
      edits.push({ start: node.source.end, end: node.end, text: '' })
    }
    if (node.type !== 'MemberExpression' || node.object.type !== 'MetaProperty') return
    if (node.property.name === 'url') edits.push({ ...span(node), text: JSON.stringify(pathToFileURL(file).href) })
  })
  let linked = code
  for (const { start, end, text } of edits.sort((a, b) => b.start - a.start)) {
    linked = linked.slice(0, start) + text + linked.slice(end)
  }
  return linked
}

function span({ start, end }: SyntaxNode): { readonly start: number; readonly end: number } {
  return { start, end }
}

function visit(node: SyntaxNode, see: (node: SyntaxNode) => void): void {
  see(node)
  for (const child of Object.values(node).flat()) if (typeof child?.type === 'string') visit(child, see)
}
