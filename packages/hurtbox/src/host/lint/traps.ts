/**
 * What must not stand in the rules of a game, because it gives other bits in another engine, process or moment.
 *
 * One list for the editor (ESLint), for `hurtbox check` and for people: docs/determinism.md says why, case by case. Of Math it
 * names what is allowed, so that a function added to the language next year is forbidden until somebody has looked at it.
 */

import { findState } from './state.ts'
import {
  bare,
  isReference,
  nameOfFunction,
  propertyName,
  type SyntaxContext,
  type SyntaxNode,
  startOf,
  walk,
} from './syntax.ts'

export type TrapRule =
  | 'approximate-maths'
  | 'chance'
  | 'clock'
  | 'timer'
  | 'locale'
  | 'order'
  | 'collected-memory'
  | 'outside'
  | 'hidden-name'
  | 'state-outside-the-world'

export type Trap = {
  readonly rule: TrapRule
  /** What was used: `Math.sin`, `**`, `Date`. */
  readonly name: string
  readonly node: SyntaxNode
  /** Why it is wrong, in a sentence. */
  readonly message: string
  /** What to use, in a sentence. */
  readonly instead: string
  /** The functions around it, outermost first, as far as they have names. */
  readonly within: readonly string[]
}

/**
 * Every trap in a program, in the order of the text, also in lines that comments allow. `source` is the text with its types, where
 * there are any.
 */
export function findTraps(program: SyntaxNode, source = ''): Trap[] {
  const traps: Trap[] = []
  walk(program, (node, place) => {
    for (const found of trapsAt(node, place)) traps.push({ ...found, within: namesAround(place) })
  })
  traps.push(...findState(program, source))
  return traps.sort((a, b) => startOf(a.node) - startOf(b.node))
}

type Found = Omit<Trap, 'within'>

/** Exact everywhere by the definition of the language, and the constants. */
const EXACT =
  /^(?:abs|ceil|clz32|floor|fround|imul|max|min|round|sign|sqrt|trunc|E|LN10|LN2|LOG10E|LOG2E|PI|SQRT1_2|SQRT2)$/

const OURS = 'of hurtbox/math'
const MATHS: Readonly<Record<string, string>> = {
  sin: `sin ${OURS}; a facing as a unit vector needs none`,
  cos: `cos ${OURS}; a facing as a unit vector needs none`,
  tan: `sin(x) / cos(x) ${OURS}`,
  asin: `atan2(x, Math.sqrt(1 - x * x)) ${OURS}`,
  acos: `atan2(Math.sqrt(1 - x * x), x) ${OURS}`,
  atan: `atan ${OURS}`,
  atan2: `atan2 ${OURS}; two directions are compared by their dot product`,
  exp: `exp ${OURS}`,
  log: `log ${OURS}`,
  log2: `log(x) / Math.LN2 with log ${OURS}`,
  log10: `log(x) / Math.LN10 with log ${OURS}`,
  pow: `a product, or pow ${OURS}`,
  cbrt: `pow(x, 1 / 3) ${OURS}`,
  hypot: 'Math.sqrt(x * x + y * y), which is exact, or length of hurtbox/math',
}

const CHANCE = 'Use a named random stream of the world, or randomAt of hurtbox/math for chance per pair.'

type Reason = readonly [rule: TrapRule, message: string, instead: string]
const CLOCK: Reason = ['clock', 'is a clock; the simulation has none.', 'Use world.tick, and columns of type timer.']
const TIMER: Reason = [
  'timer',
  'runs code outside the step.',
  'Use a column of type timer: store the tick at which it is due and look at it in a phase.',
]
const MEMORY: Reason = ['collected-memory', 'shows when memory is collected, which no two runs share.', 'Use a table.']
const OUTSIDE: Reason = [
  'outside',
  'is another thing on every machine.',
  'Use options, tuning or content of the declaration; the view may use what it likes.',
]
const HIDDEN: Reason = [
  'hidden-name',
  'reaches everything that is forbidden here without naming it.',
  'Import what you need.',
]

const GLOBALS: Readonly<Record<string, Reason>> = {
  Date: CLOCK,
  performance: CLOCK,
  setTimeout: TIMER,
  setInterval: TIMER,
  setImmediate: TIMER,
  queueMicrotask: TIMER,
  requestAnimationFrame: TIMER,
  crypto: ['chance', 'is chance from outside the world.', CHANCE],
  Intl: ['locale', "depends on the machine's language.", 'Format text in the view.'],
  WeakRef: MEMORY,
  FinalizationRegistry: MEMORY,
  process: OUTSIDE,
  navigator: OUTSIDE,
  window: OUTSIDE,
  document: OUTSIDE,
  localStorage: OUTSIDE,
  fetch: OUTSIDE,
  globalThis: HIDDEN,
  eval: HIDDEN,
}

function* trapsAt(node: SyntaxNode, place: SyntaxContext): Generator<Found> {
  const parent = place.parents.at(-1)
  switch (node.type) {
    case 'Identifier':
      if (isReference(node, parent) && place.resolve(node.name) === undefined) yield* globalTraps(node, place.parents)
      break
    case 'MemberExpression': {
      const name = propertyName(node) ?? ''
      if (!/^(?:localeCompare|toLocale\w+)$/.test(name)) break
      const instead = 'Use < and >, which go by code unit; toUpperCase and toLowerCase are safe.'
      yield { rule: 'locale', name, node, message: `${name} depends on the machine's language.`, instead }
      break
    }
    case 'BinaryExpression':
      if (node.operator === '**') yield powerTrap('**', node)
      break
    case 'AssignmentExpression':
      if (node.operator === '**=') yield powerTrap('**=', node)
      break
    case 'ForInStatement':
      yield {
        rule: 'order',
        name: 'for … in',
        node,
        message: 'for … in visits names that look like integers first, and inherited ones too.',
        instead: 'Use for … of over an array in a declared order.',
      }
      break
    case 'CallExpression':
      yield* callTraps(node, place)
      break
  }
}

function* globalTraps(node: SyntaxNode, parents: readonly SyntaxNode[]): Generator<Found> {
  if (node.name === 'Math') yield* mathTraps(node, parents)
  if (!Object.hasOwn(GLOBALS, node.name)) return
  const [rule, message, instead] = GLOBALS[node.name]
  const parent = parents.at(-1)
  const isMember = parent?.type === 'MemberExpression' && parent.object === node
  const member = isMember ? propertyName(parent) : undefined
  const name = member === undefined ? node.name : `${node.name}.${member}`
  yield { rule, name, node, message: `${name} ${message}`, instead }
}

function* mathTraps(node: SyntaxNode, parents: readonly SyntaxNode[]): Generator<Found> {
  const parent = parents.at(-1)
  const member = parent?.type === 'MemberExpression' && parent.object === node ? propertyName(parent) : undefined
  if (member === undefined) {
    const message =
      'Math may only be used as Math.name: an alias, a computed name or destructuring hides what is called.'
    yield { rule: 'hidden-name', name: 'Math', node, message, instead: 'Use Math.floor and the like, by name.' }
  } else if (member === 'random') {
    const message = 'Math.random is another number in every run, and rollback cannot rewind it.'
    yield { rule: 'chance', name: 'Math.random', node: parent!, message, instead: CHANCE }
  } else if (!EXACT.test(member)) {
    const ours = Object.hasOwn(MATHS, member)
      ? MATHS[member]
      : 'hurtbox/math, or + - * / and Math.sqrt, which are exact'
    const message = `Math.${member} is not the same in every engine.`
    yield { rule: 'approximate-maths', name: `Math.${member}`, node: parent!, message, instead: `Use ${ours}.` }
  }
}

function powerTrap(name: string, node: SyntaxNode): Found {
  const exponent = bare(node.right)
  const instead =
    exponent.value === 2
      ? 'Multiply: x * x.'
      : exponent.value === 0.5
        ? 'Use Math.sqrt, which is exact.'
        : 'Multiply, or use pow of hurtbox/math.'
  return {
    rule: 'approximate-maths',
    name,
    node,
    message: `${name} is not the same in every engine, as Math.pow is not.`,
    instead,
  }
}

function* callTraps(node: SyntaxNode, place: SyntaxContext): Generator<Found> {
  const callee = bare(node.callee)
  if (callee.type !== 'MemberExpression') return
  const name = propertyName(callee) ?? ''
  const [first] = node.arguments
  if (/^(?:sort|toSorted)$/.test(name) && first?.type === 'ArrowFunctionExpression' && givesBoolean(first)) {
    const message = `${name} with a comparator that gives true or false: engines call it in different orders.`
    yield { rule: 'order', name, node, message, instead: 'Give a number, a.x - b.x, with the id as last key.' }
  }
  const object = bare(callee.object)
  const isObject = object.type === 'Identifier' && object.name === 'Object' && place.resolve('Object') === undefined
  if (isObject && /^(?:keys|values|entries)$/.test(name) && first !== undefined && isReordered(first, place)) {
    const message = `Object.${name} gives names that look like integers first, in the order of their numbers, not as they are written.`
    yield { rule: 'order', name: `Object.${name}`, node, message, instead: 'Use an array in a declared order.' }
  }
}

function givesBoolean({ body }: SyntaxNode): boolean {
  const result = bare(body)
  return result.type === 'BinaryExpression' && /^(?:[<>]=?|[!=]==?)$/.test(result.operator)
}

/** Whether an object is written in another order than the language lists it in. Only where the object itself is at hand. */
function isReordered(node: SyntaxNode, place: SyntaxContext): boolean {
  const given = bare(node)
  const variable = given.type === 'Identifier' ? place.resolve(given.name) : undefined
  const object = variable?.kind === 'const' && variable.node.init ? bare(variable.node.init) : given
  if (object.type !== 'ObjectExpression') return false
  let highest = -1
  for (const { key, computed } of object.properties) {
    if (key === undefined || computed) return false
    const text = String(key.name ?? key.value)
    if (!/^(?:0|[1-9]\d*)$/.test(text)) highest = Number.POSITIVE_INFINITY
    else if (Number(text) < highest) return true
    else highest = Number(text)
  }
  return false
}

function namesAround({ functions, parents }: SyntaxContext): string[] {
  return functions.flatMap((node) => nameOfFunction(node, parents[parents.indexOf(node) - 1]) ?? [])
}

/** Whether a comment allows what stands in a line (from 0 on): in the line itself, or alone in the one before, with a reason. */
export function isIgnoredLine(lines: readonly string[], line: number): boolean {
  return (
    /\/[/*].*hurtbox-ignore:\s*\S/.test(lines[line] ?? '') ||
    /^\s*\/[/*].*hurtbox-ignore:\s*\S/.test(lines[line - 1] ?? '')
  )
}
