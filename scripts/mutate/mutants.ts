/**
 * Which small mistakes can be made in a source file: one operator, one number, one statement at a time.
 *
 * Types, imports and what is thrown are left alone: a mistake there is the compiler's business, or a matter of words. So are
 * room and limits (`capacity: 256`, `max: 1000`): a test could only repeat the number.
 */

import { parseAst } from 'rolldown/parseAst'

/** What kind of mistake it is: a small one of any program, or one that only a game can have. */
export const CLASSES = ['small', 'order', 'timer', 'gate', 'who', 'edge', 'number', 'branch'] as const
export type MutantClass = (typeof CLASSES)[number]

export type Mutant = {
  /** `games/sumo/rules/ring.ts#12`: the file and the number of the mutant in it. */
  readonly id: string
  readonly class: MutantClass
  readonly file: string
  readonly line: number
  /** What it replaces, as places in the source. */
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** Whether it replaces a statement; else an expression. */
  readonly isStatement: boolean
  /** For people: `a < b → a <= b`, and the line it stands in. */
  readonly text: string
  readonly context: string
}

export type Node = {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '&': ['|'],
  '|': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '/=': ['*='],
  '|=': ['&='],
  '&=': ['|='],
}

const LIMITS: ReadonlySet<string> = new Set(['capacity', 'min', 'max'])

export function parse(source: string): Node {
  return parseAst(source, { lang: 'ts' }) as unknown as Node
}

/** All mutants of a file, in the order of its text. */
export function listMutants(file: string, source: string): Mutant[] {
  const found: Omit<Mutant, 'id'>[] = []
  const lines = source.split('\n')
  forEachNode(parse(source), (node, parent, field) => {
    for (const replacement of replacementsOf(node, parent, field, source)) {
      const isStatement = node.type === 'ExpressionStatement'
      const { start, end } = node
      const line = source.slice(0, start).split('\n').length
      const context = lines[line - 1].trim()
      const text = `${brief(source.slice(start, end))} → ${brief(replacement) || 'nothing'}`
      found.push({ class: 'small', file, line, start, end, replacement, isStatement, text, context })
    }
  })
  found.sort((a, b) => a.start - b.start || a.end - b.end)
  return found
    .map((mutant, n) => ({ id: `${file}#${n}`, ...mutant }))
    .filter(({ start, end, replacement }) => source.slice(start, end) !== replacement)
}

/** Visits what has a value: no types, no imports, nothing thrown, no names of properties. */
export function forEachNode(
  node: Node,
  visit: (node: Node, parent: Node | undefined, field: string) => void,
  parent?: Node,
  field = '',
): void {
  const { type } = node
  if (type === 'ImportDeclaration' || type === 'ThrowStatement') return
  if (type.startsWith('TS')) {
    // Of TypeScript only what wraps a value has one.
    const wraps = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'].includes(type)
    if (wraps) forEachNode(node.expression as Node, visit, node, 'expression')
    return
  }
  if (type === 'Property' && LIMITS.has((node.key as Node).name as string)) return
  visit(node, parent, field)
  for (const [name, value] of Object.entries(node)) {
    if (name === 'key' && node.computed !== true) continue
    const role = type === 'ForStatement' && name === 'test' ? 'test-of-loop' : name
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) forEachNode(child, visit, node, role)
  }
}

function replacementsOf(node: Node, parent: Node | undefined, field: string, source: string): string[] {
  const textOf = (part: unknown) => source.slice((part as Node).start, (part as Node).end)
  const isTest = field === 'test' || field === 'test-of-loop'
  const always = isTest && parent?.type === 'IfStatement' ? ['true', 'false'] : []
  // A loop that never ends tells nothing.
  const never = isTest && ['WhileStatement', 'ForStatement'].includes(parent?.type ?? '') ? ['false'] : []
  return [...always, ...never, ...ofType()]

  function ofType(): string[] {
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression':
      case 'AssignmentExpression': {
        const { left, right, operator } = node as unknown as { left: Node; right: Node; operator: string }
        if (operator === '+' && [left, right].some(isText)) return []
        return (OPERATORS[operator] ?? []).map((other) => `(${textOf(left)}) ${other} (${textOf(right)})`)
      }
      case 'ConditionalExpression':
        return [textOf(node.consequent), textOf(node.alternate)]
      case 'UnaryExpression':
        return node.operator === '!' || node.operator === '-' ? [textOf(node.argument)] : []
      case 'UpdateExpression': {
        if (field === 'update') return []
        const other = node.operator === '++' ? '--' : '++'
        return [node.prefix ? `${other}${textOf(node.argument)}` : `${textOf(node.argument)}${other}`]
      }
      case 'Literal':
        if (typeof node.value === 'number') return [String(node.value + 1)]
        if (typeof node.value === 'boolean') return [String(!node.value)]
        // A word that refuses: an empty one accepts.
        return isText(node) && parent?.type === 'ReturnStatement' ? ["''"] : []
      case 'ArrayExpression': {
        // Lists of names: gates, layers, slots.
        const elements = node.elements as Node[]
        if (elements.length === 0 || !elements.every((element) => element !== null && isText(element))) return []
        return elements.map((left) => `[${elements.filter((element) => element !== left).map(textOf)}]`)
      }
      case 'CallExpression': {
        const called = textOf(node.callee)
        if (called !== 'Math.min' && called !== 'Math.max') return []
        return [(called === 'Math.min' ? 'Math.max' : 'Math.min') + source.slice((node.callee as Node).end, node.end)]
      }
      case 'ExpressionStatement': {
        const { type } = node.expression as Node
        return ['CallExpression', 'AssignmentExpression', 'UpdateExpression'].includes(type) ? [''] : []
      }
      default:
        return []
    }
  }
}

function isText({ type, value }: Node): boolean {
  return type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string')
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

export function brief(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 60 ? `${line.slice(0, 57)}…` : line
}
