/**
 * Assignments that cannot count: to the place of a thing while places are frozen, to anything in a function that only answers a question, to
 * the declaration.
 *
 * The engine refuses some of them when they are reached; here they are found where they stand, also in a rule that no scene has reached.
 */

import { bare, propertyName, type SyntaxContext, type SyntaxNode, type Variable, walk } from 'hurtbox/lint'
import type { Finding } from '../finding.ts'
import type { Source } from '../source.ts'
import { foundAt, isCallOf, keyOf, propertiesOf, propertyOf } from './place.ts'

type Role = 'decide' | 'pose' | 'asks'

const PLACE = /^[xyz]$/

export function frozenWrites(rules: readonly Source[]): Finding[] {
  return rules.flatMap((source) => {
    const roles = rolesIn(source)
    const found: Finding[] = []
    walk(source.program, (node, place) => {
      for (const { target, column } of writesAt(node)) {
        const root = rootOf(target, place)
        if (root === undefined) continue
        const told = tellWrite(root, column, roles, target, place)
        if (told !== undefined) {
          found.push(
            ...foundAt({ source, node }, { rule: 'frozen-write', name: `${textOf(target)}.${column}`, ...told }),
          )
        }
      }
    })
    return found
  })
}

type Write = { readonly target: SyntaxNode; readonly column: string }

/** What a node writes: `thing.x = 1`, `thing.x += 1`, `thing.x++`, `Object.assign(thing, { x: 1 })`. */
function writesAt(node: SyntaxNode): Write[] {
  const given =
    node.type === 'AssignmentExpression' ? node.left : node.type === 'UpdateExpression' ? node.argument : undefined
  const member = given && bare(given)
  if (member?.type === 'MemberExpression') {
    const column = propertyName(member)
    return column === undefined ? [] : [{ target: bare(member.object), column }]
  }
  const { callee, arguments: values } = node
  const isAssign =
    callee?.type === 'MemberExpression' && callee.object.name === 'Object' && propertyName(callee) === 'assign'
  if (!isAssign || values.length < 2) return []
  const target = bare(values[0])
  return values.slice(1).flatMap((value: SyntaxNode) =>
    propertiesOf(bare(value)).flatMap((property) => {
      const column = keyOf(property)
      return column === undefined ? [] : [{ target, column }]
    }),
  )
}

/** The variable that a path begins with: `declaration` of `declaration.content.map`. */
function rootOf(target: SyntaxNode, { resolve }: SyntaxContext): Variable | undefined {
  let at = target
  while (at.type === 'MemberExpression') at = bare(at.object)
  return at.type === 'Identifier' ? resolve(at.name) : undefined
}

function tellWrite(
  root: Variable,
  column: string,
  roles: ReadonlyMap<SyntaxNode, Role>,
  target: SyntaxNode,
  place: SyntaxContext,
) {
  if (isOfGame(root, place)) {
    return {
      message: `${root.name} is a constant of the game: every world shares it, and no rollback restores it.`,
      instead: 'What changes during a match belongs into a column or a global of the declaration.',
    }
  }
  // Only what is written to the thing itself: its wide columns have parts.
  const role = root.kind === 'parameter' && target.type === 'Identifier' ? roles.get(root.node) : undefined
  if (role === undefined || !isThing(root)) return undefined
  if (role === 'asks') {
    return {
      message: `${root.name}.${column} is written by a function that only answers a question.`,
      instead: 'Write it in decide: what a refused rule has written is undone there.',
    }
  }
  if (!PLACE.test(column)) return undefined
  return role === 'decide'
    ? {
        message: `${column} is frozen while rules decide: this throws when it is reached.`,
        instead: `Use push(${root.name}, dx, dy) or moveTo(${root.name}, x, y), which happen when all contacts are decided.`,
      }
    : {
        message: `${column} is frozen while boxes are posed: what was posed before does not follow.`,
        instead: 'Move things in a phase of their own, before this one.',
      }
}

/** `const declaration = declareGame(…)`, or another name for it: `const declaration: Pit = declared`. */
function isOfGame({ isOfModule, kind, node }: Variable, place: SyntaxContext): boolean {
  if (!isOfModule || kind !== 'const' || !node.init) return false
  const init = bare(node.init)
  if (isCallOf(init, /^(?:declareGame|defineGame)$/)) return true
  const other = init.type === 'Identifier' ? place.resolve(init.name) : undefined
  return other !== undefined && other.node !== node && isOfGame(other, place)
}

/** The first two parameters are things. */
function isThing({ name, node }: Variable): boolean {
  return node.params.slice(0, 2).some((param: SyntaxNode) => param.name === name)
}

/** Functions that stand in a rule, a gate or the options of `collide`, in place or by the name of one of the module. */
function rolesIn({ program }: Source): ReadonlyMap<SyntaxNode, Role> {
  const roles = new Map<SyntaxNode, Role>()
  walk(program, (node, place) => {
    if (node.type !== 'ObjectExpression') return
    const add = (value: SyntaxNode | undefined, role: Role) => {
      const written = value && functionOf(bare(value), place)
      if (written !== undefined) roles.set(written, role)
    }
    const given = (name: string) => propertyOf(node, name)?.value
    if (propertyOf(node, 'between') !== undefined) {
      add(given('decide'), 'decide')
      add(given('attack'), 'asks')
    }
    if (given('name') !== undefined) add(given('refuses'), 'asks')
    const call = place.parents.at(-1)
    if (call === undefined || !isCallOf(call, /^collide$/) || call.arguments[2] !== node) return
    add(given('orderBy'), 'asks')
    add(given('pose'), 'pose')
    for (const { value } of propertiesOf(given('pose'))) add(value, 'pose')
  })
  return roles
}

function functionOf(value: SyntaxNode, { resolve }: SyntaxContext): SyntaxNode | undefined {
  if (/Function/.test(value.type)) return value
  const variable = value.type === 'Identifier' ? resolve(value.name) : undefined
  if (variable === undefined || !variable.isOfModule) return undefined
  const declared = variable.node.type === 'VariableDeclarator' ? variable.node.init : variable.node
  return declared && /Function/.test(bare(declared).type) ? bare(declared) : undefined
}

function textOf(node: SyntaxNode): string {
  return node.type === 'MemberExpression' ? `${textOf(bare(node.object))}.${propertyName(node) ?? '…'}` : node.name
}
