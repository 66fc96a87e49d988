/**
 * State outside the world: variables of a module that functions count up, fill or remember things in.
 *
 * A rollback does not restore them, and a second room in the process shares them. Only what is surely state is told: scratch
 * that is written before it is read, and caches of what never changes, are allowed, and the sync test sees the rest.
 */

import {
  bare,
  endOf,
  isReference,
  nameOfFunction,
  namesOf,
  propertyName,
  type SyntaxContext,
  type SyntaxNode,
  startOf,
  type Variable,
  walk,
} from './syntax.ts'
import type { Trap } from './traps.ts'

/** One use of a variable of the module inside a function. */
type Use = {
  /**
   * `read`, `set` (a value of its own), `change` (a value made of the old one: it counts), `fill` (adds to a collection), `clear`, `lookUp`, or
   * `escape` (handed to somebody else, who may do anything).
   */
  readonly how: 'read' | 'set' | 'change' | 'fill' | 'clear' | 'lookUp' | 'escape'
  /** Which part of it: '' for all, the name of a property, `[]` for any element. */
  readonly part: string
  readonly node: SyntaxNode
  readonly within: SyntaxNode
  readonly names: readonly string[]
  /** Whether a test asks only if there is a value yet: `if (cache === undefined)`. */
  readonly asksIfThere: boolean
}

const INSTEAD =
  'Keep it in a column, a global of the declaration, or a random stream; scratch of a phase belongs into create(world).'

export function findState(program: SyntaxNode, source: string): Trap[] {
  const uses = new Map<SyntaxNode, { readonly variable: Variable; readonly list: Use[] }>()
  walk(program, (node, place) => {
    if (!isReference(node, place.parents.at(-1)) && !isAssigned(node, place)) return
    const variable = place.resolve(node.name)
    if (variable === undefined || !variable.isOfModule || place.functions.length === 0) return
    const key = namesOf(variable.node.id).find(({ name }) => name === node.name) ?? variable.node
    let entry = uses.get(key)
    if (entry === undefined) uses.set(key, (entry = { variable, list: [] }))
    entry.list.push(useOf(node, place))
  })
  return [...uses.values()].flatMap(({ variable, list }) => {
    const state = stateIn(variable, list, source)
    return state === undefined ? [] : [tellState(variable, state)]
  })
}

/** The use that makes a variable state; undefined where it is not sure. */
function stateIn(variable: Variable, uses: readonly Use[], source: string): Use | undefined {
  const init = variable.node.init ? bare(variable.node.init) : undefined
  if (variable.kind === 'let' || variable.kind === 'var') return countedVariable(uses)
  if (variable.kind !== 'const' || init === undefined) return undefined
  if (uses.some(({ how }) => how === 'escape')) return undefined
  if (init.type === 'NewExpression' && /^(?:Weak)?(?:Map|Set)$/.test(init.callee.name)) {
    return filledCollection(init, uses, source)
  }
  if (init.type === 'ArrayExpression' || init.type === 'ObjectExpression' || init.type === 'NewExpression') {
    return countedPart(uses)
  }
  return undefined
}

function countedVariable(uses: readonly Use[]): Use | undefined {
  const whole = uses.filter(({ part }) => part === '')
  const sets = whole.filter(({ how }) => how === 'set')
  if (sets.length === 0) return whole.find(({ how }) => how === 'change')
  // Read, then written, by one function alone: what it reads is what it left there the last time.
  const [{ within }] = sets
  if (whole.some((use) => use.within !== within && use.how !== 'read')) return undefined
  const [first] = whole.filter((use) => use.within === within)
  return first.how === 'read' && !first.asksIfThere ? sets[0] : undefined
}

function countedPart(uses: readonly Use[]): Use | undefined {
  const isReset = (part: string) =>
    uses.some(({ how, part: other }) => how === 'clear' || (how === 'set' && (other === part || other === '[]')))
  return uses.find(({ how, part }) => (how === 'change' || how === 'fill') && !isReset(part))
}

/** Collections that are only ever filled. One that is asked first and then filled is a cache, unless its keys are things. */
function filledCollection(init: SyntaxNode, uses: readonly Use[], source: string): Use | undefined {
  if (uses.some(({ how }) => how === 'clear')) return undefined
  const types = source.slice(endOf(init.callee), endOf(init))
  const isOfThings = /^\s*<\s*\w*(?:Thing|Player|World|Id)\b/.test(types)
  const isMap = init.callee.name.endsWith('Map')
  return uses.find((fill) => {
    if (fill.how !== 'fill') return false
    const isCache = uses.some(
      (use) => use.how === 'lookUp' && use.within === fill.within && startOf(use.node) < startOf(fill.node),
    )
    return isOfThings || !isMap || !isCache
  })
}

function tellState({ name }: Variable, { node, names }: Use): Trap {
  return {
    rule: 'state-outside-the-world',
    name,
    node,
    message: `${name} is state outside the world: a rollback does not restore it, and other rooms share it.`,
    instead: INSTEAD,
    within: names,
  }
}

function isAssigned(node: SyntaxNode, { parents }: SyntaxContext): boolean {
  if (node.type !== 'Identifier') return false
  const parent = parents.at(-1)
  return parent?.type === 'AssignmentExpression' && parent.left === node
}

const FILLS = /^(?:set|add|push|unshift)$/
const CLEARS = /^(?:clear|fill|splice|pop|shift)$/
const LOOKS_UP = /^(?:get|has)$/

function useOf(node: SyntaxNode, { parents, functions }: SyntaxContext): Use {
  const within = functions.at(-1)!
  const names = functions.flatMap((around) => nameOfFunction(around, parents[parents.indexOf(around) - 1]) ?? [])
  const use = (how: Use['how'], part = '', asksIfThere = false): Use => ({
    how,
    part,
    node,
    within,
    names,
    asksIfThere,
  })

  // Up from the name over what belongs to it: counts, counts.wolves, counts.wolves[3].
  let top = node
  let at = parents.length - 1
  let part = ''
  for (; at >= 0; at--) {
    const parent = parents[at]
    const isMember = parent.type === 'MemberExpression' && parent.object === top
    if (!isMember && bare(parent) === parent) break
    if (isMember && part === '') part = propertyName(parent) ?? '[]'
    top = parent
  }
  const parent = parents[at]
  switch (parent?.type) {
    case 'UpdateExpression':
      return use('change', part)
    case 'AssignmentExpression': {
      if (parent.left !== top) break
      if (part === 'length') return use('clear')
      if (parent.operator === '=') return use(mentions(parent.right, node.name, part) ? 'change' : 'set', part)
      // A first value where there is none is a cache.
      return use(/^(?:\?\?|\|\|)=$/.test(parent.operator) ? 'set' : 'change', part)
    }
    case 'CallExpression':
      if (parent.callee === top && part !== '') return use(callOf(part, parent, node.name))
      if (parent.arguments.includes(top) && part === '') return use('escape')
      break
    case 'NewExpression':
    case 'ReturnStatement':
    case 'SpreadElement':
      if (part === '') return use('escape')
      break
    case 'ForOfStatement':
    case 'ForInStatement':
      if (parent.left === top) return use('set', part)
      break
  }
  if (parents.some((around) => /Pattern$/.test(around.type) && namesOf(around).includes(node))) return use('set')
  return use('read', part, part === '' && isTestOf(node, parents))
}

function callOf(method: string, call: SyntaxNode, name: string): Use['how'] {
  if (CLEARS.test(method)) return 'clear'
  if (LOOKS_UP.test(method)) return 'lookUp'
  if (!FILLS.test(method)) return 'read'
  // A typed array is filled by set(values) too, but then it has a new value, not one more.
  return method === 'set' && call.arguments.length < 2 && !mentions(call, name, '') ? 'set' : 'fill'
}

/** Whether an expression is made of the variable, or of the same part of it. */
function mentions(expression: SyntaxNode, name: string, part: string): boolean {
  let found = false
  walk(expression, (node, { parents }) => {
    if (node.type !== 'Identifier' || node.name !== name || !isReference(node, parents.at(-1) ?? ROOT)) return
    const parent = parents.at(-1)
    found ||= part === '' || (parent?.type === 'MemberExpression' && (propertyName(parent) ?? '[]') === part)
  })
  return found
}

const ROOT: SyntaxNode = { type: 'Expression' }

/** `!cache`, `cache === undefined`, `cache == null`. */
function isTestOf(node: SyntaxNode, parents: readonly SyntaxNode[]): boolean {
  const parent = parents.at(-1)
  if (parent === undefined) return false
  if (parent.type === 'UnaryExpression') return parent.operator === '!'
  if (parent.type === 'IfStatement' || parent.type === 'ConditionalExpression') return parent.test === node
  if (parent.type === 'LogicalExpression') return parent.left === node
  if (parent.type !== 'BinaryExpression' || !/^[!=]==?$/.test(parent.operator)) return false
  const other = parent.left === node ? parent.right : parent.left
  return other.name === 'undefined' || other.value === null
}
