/** A finding at a place of the sources; none where a comment allows it. */

import { type SyntaxNode, startOf } from 'hurtbox/lint'
import type { Finding } from '../finding.ts'
import { isAllowedLine, lineOf, placeAt, type Source } from '../source.ts'

export type Place = { readonly source: Source; readonly node: SyntaxNode }

type Found = Pick<Finding, 'rule' | 'name' | 'message' | 'instead' | 'isWarning'>

export function foundAt({ source, node }: Place, found: Found): Finding[] {
  const { line, column } = placeAt(source, startOf(node))
  if (isAllowedLine(source, line)) return []
  return [{ check: 'sense', ...found, file: source.file, line, column, text: lineOf(source, line) }]
}

/** The name of a property that is written as it is: `poison: …`, `'poison': …`. */
export function keyOf({ type, key, computed }: SyntaxNode): string | undefined {
  if (type !== 'Property') return undefined
  if (key.type === 'Literal') return String(key.value)
  return computed ? undefined : key.name
}

/** The value of a property of an object that is written out, also where it is spread: `{ ...{ poison: 'f64' } }`. */
export function propertiesOf(object: SyntaxNode | undefined): SyntaxNode[] {
  if (object?.type !== 'ObjectExpression') return []
  return object.properties.flatMap((property: SyntaxNode) =>
    property.type === 'SpreadElement' ? propertiesOf(property.argument) : [property],
  )
}

export function propertyOf(object: SyntaxNode | undefined, name: string): SyntaxNode | undefined {
  return propertiesOf(object).find((property) => keyOf(property) === name)
}

/** Whether a node is a call of a function by this name. */
export function isCallOf({ type, callee }: SyntaxNode, names: RegExp): boolean {
  return type === 'CallExpression' && callee.type === 'Identifier' && names.test(callee.name)
}
