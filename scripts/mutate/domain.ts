/**
 * The mistakes that designers of a game make, rather than those of any program: phases in another order, a timer one tick longer, a gate
 * forgotten, attacker and victim exchanged. All of them are made; `mutants.ts` has the small ones, of which a sample is.
 */

import { forEachNode, type Mutant, type MutantClass, type Node, parse } from './mutants.ts'

type Found = Omit<Mutant, 'id' | 'file' | 'line' | 'context' | 'text'> & { readonly text: string | undefined }
type Add = (kind: MutantClass, node: Node, replacement: string, text?: string) => void

/** What to know of the other sources of an area: names of columns that are timers, and ticks per second. */
export type Surroundings = { readonly timers: ReadonlySet<string>; readonly tickRate: string }

/** All mutants of a file, in the order of its text. `brief` shortens code for people. */
export function listDomainMutants(
  file: string,
  source: string,
  about: Surroundings,
  brief: (text: string) => string,
): Mutant[] {
  const found: Found[] = []
  const seen = new Set<string>()
  const textOf = (node: unknown) => source.slice((node as Node).start, (node as Node).end)
  const add: Add = (kind, { type, start, end }, replacement, text) => {
    const key = `${start} ${end} ${replacement}`
    if (seen.has(key) || source.slice(start, end) === replacement) return
    seen.add(key)
    const isStatement = type === 'ExpressionStatement'
    found.push({ class: kind, start, end, replacement, isStatement, text })
  }
  const isContent = /\/content(\/|\.ts$)/.test(file)
  forEachNode(parse(source), (node, parent, field) => {
    addPhases(node, textOf, add)
    addTimers(node, about, textOf, add)
    addGates(node, textOf, add)
    addExchanged(node, textOf, add)
    addEdges(node, field, textOf, add)
    addBranches(node, field, textOf, add)
    if (isContent || isDefault(node)) addNumbers(isContent ? node : firstArgument(node), parent, add)
  })
  found.sort((a, b) => a.start - b.start || a.end - b.end)
  const lines = source.split('\n')
  const counts = new Map<string, number>()
  return found.map((mutant) => {
    const line = source.slice(0, mutant.start).split('\n').length
    const n = counts.get(mutant.class) ?? 0
    counts.set(mutant.class, n + 1)
    const { start, end, replacement } = mutant
    const text = mutant.text ?? `${brief(source.slice(start, end))} → ${brief(replacement) || 'nothing'}`
    return { ...mutant, id: `${file}#${mutant.class} ${n}`, file, line, text, context: lines[line - 1].trim() }
  })
}

type TextOf = (node: unknown) => string

const nodes = (value: unknown) => value as readonly Node[]

function nameOf(node: unknown): string {
  const { type, name, value, property, expression, object, computed } = (node ?? {}) as Record<string, unknown>
  if (type === 'Identifier') return name as string
  if (type === 'Literal') return String(value)
  if (type === 'MemberExpression') return nameOf(computed ? object : property)
  return type === 'TSNonNullExpression' ? nameOf(expression) : ''
}

/** Neighbouring phases, and neighbouring rules of a `collide`, change places. */
function addPhases(node: Node, textOf: TextOf, add: Add): void {
  if (node.type === 'Property' && nameOf(node.key) === 'phases') {
    for (const object of returnedObjects(node.value as Node)) exchangeNeighbours(object, 'order', textOf, add)
  }
  const isRule = (property: Node) => has(property.value, 'between')
  if (node.type === 'ObjectExpression' && nodes(node.properties).filter(isRule).length > 1) {
    exchangeNeighbours(node, 'order', textOf, add)
  }
}

/** Objects that a function returns, and those spread into them. */
function returnedObjects(node: Node): Node[] {
  const found: Node[] = []
  const look = (value: unknown, isReturned: boolean): void => {
    const { type } = (value ?? {}) as Node
    if (type === undefined || type === 'CallExpression') return
    const each = value as Node
    if (type === 'ObjectExpression' && isReturned) {
      found.push(each)
      for (const property of nodes(each.properties))
        if (property.type === 'SpreadElement') look(property.argument, true)
    } else if (type === 'ParenthesizedExpression') look(each.expression, isReturned)
    else if (type === 'LogicalExpression') look(each.right, isReturned)
    else if (type.endsWith('FunctionExpression')) look(each.body, (each.body as Node).type !== 'BlockStatement')
    else if (type === 'BlockStatement') for (const statement of nodes(each.body)) look(statement, false)
    else if (type === 'IfStatement') look(each.consequent, false)
    else if (type === 'ReturnStatement') look(each.argument, true)
  }
  look(node, true)
  return found
}

function exchangeNeighbours(object: Node, kind: MutantClass, textOf: TextOf, add: Add): void {
  const parts = nodes(object.properties).map((part) => textOf(part))
  const labelOf = (text: string) => text.split(/[:(]\s*[{(a-z]|\s*\n/)[0].replace(/['"]/g, '')
  for (let n = 0; n + 1 < parts.length; n++) {
    const order = [...parts]
    order[n] = parts[n + 1]
    order[n + 1] = parts[n]
    add(kind, object, `{ ${order.join(',\n')} }`, `${labelOf(parts[n])} ↔ ${labelOf(parts[n + 1])}`)
  }
}

function has(node: unknown, key: string): boolean {
  const { type, properties } = (node ?? {}) as Node
  return type === 'ObjectExpression' && nodes(properties).some((each) => nameOf(each.key) === key)
}

const CLOCKS = /^(clock|tick)$/
const SPAN = /(Until|Ticks|EndsAt|ReadyAt)$|^(until|ticks|endsAt|readyAt)$/

/** Each moment and each span of ticks, one more and one less. */
function addTimers(node: Node, { timers, tickRate }: Surroundings, textOf: TextOf, add: Add): void {
  const isTimer = (name: string) => timers.has(name) || SPAN.test(name)
  const around = (value: unknown, by = '1') => {
    if (!isCount(value as Node)) return
    for (const sign of ['+', '-']) add('timer', value as Node, `(${textOf(value)}) ${sign} ${by}`)
  }
  if (node.type === 'AssignmentExpression' && node.operator === '=' && isTimer(nameOf(node.left))) around(node.right)
  if (node.type === 'VariableDeclarator' && isTimer(nameOf(node.id))) around(node.init)
  if (node.type === 'Property' && !node.shorthand && isTimer(nameOf(node.key))) around(node.value)
  if (node.type === 'Property' && nameOf(node.key) === 'once') {
    const value = node.value as Node
    around(value.type === 'ArrowFunctionExpression' ? value.body : value)
  }
  if (node.type === 'BinaryExpression' && node.operator === '%' && mentionsClock(node.left as Node)) around(node.right)
  if (node.type === 'BinaryExpression' && node.operator === '+' && mentionsClock(node)) around(node)
  if (node.type !== 'CallExpression') return
  const called = nameOf(node.callee)
  const { object } = node.callee as Node
  if (called === 'set' && isTimer(nameOf(object))) around(nodes(node.arguments)[1])
  if (called === 'toTicks') around(node)
  if (called === 'seconds') around(nodes(node.arguments)[0], `1 / (${tickRate})`)
}

/** Whether it is a number other than a plain 0, as far as one can see. */
function isCount(node: Node | undefined): boolean {
  if (node === undefined || node === null) return false
  if (node.type === 'Literal') return typeof node.value === 'number' && node.value !== 0
  if (node.type === 'BinaryExpression') return !/[<>=!]=?/.test(node.operator as string)
  if (node.type === 'CallExpression') return !['seconds', 'wide', 'tune'].includes(nameOf(node.callee))
  return ['Identifier', 'MemberExpression', 'ConditionalExpression', 'ParenthesizedExpression'].includes(node.type)
}

/** A sum with the clock in it, or the clock itself. */
function mentionsClock(node: Node): boolean {
  if (CLOCKS.test(nameOf(node))) return true
  return (
    node.type === 'BinaryExpression' &&
    node.operator === '+' &&
    [node.left, node.right].some((side) => mentionsClock(side as Node))
  )
}

const FLAGS = /^(when|mutual|touching|perBox)$/

/** Each gate and each condition of a rule, left out or turned round. */
function addGates(node: Node, textOf: TextOf, add: Add): void {
  if (node.type === 'ArrayExpression') {
    const elements = nodes(node.elements)
    if (elements.length > 0 && elements.every((each) => has(each, 'refuses'))) dropEach(node)
  }
  if (node.type !== 'Property' || node.shorthand) return
  const key = nameOf(node.key)
  const value = node.value as Node
  const drop = (replacement: string) =>
    add('gate', value, replacement, `${key}: ${textOf(value).slice(0, 40)} → ${replacement}`)
  if (key === 'gates' && value.type === 'ArrayExpression') dropEach(value)
  else if (key === 'gates') drop('[]')
  else if (key === 'sharedOrder' || key === 'orderBy') drop('undefined')
  else if (key === 'once' && /Literal|Arrow/.test(value.type)) drop('undefined')
  else if (FLAGS.test(key) && value.type !== 'FunctionExpression') {
    drop('true')
    drop('false')
  }

  function dropEach(list: Node): void {
    const elements = nodes(list.elements)
    for (const left of elements) {
      const others = elements.filter((each) => each !== left).map((each) => textOf(each))
      const name = has(left, 'name') ? textOf(left).split(',')[0].slice(2) : textOf(left)
      add('gate', list, `[${others.join(', ')}]`, `gate ${name} left out`)
    }
  }
}

const THING =
  /^(attacker|victim|first|second|by|from|source|target|sender|other|caster|shooter|ship|bullet|enemy|survivor|unit|shot|strike|hazard|fighter|rock|station|older|younger|champion|tower|prey|projectile|holder|held|carrier|rider)(Row|Id)?$/
const THINGS_OF_AN_EVENT = /^(victim|attacker|shooter|projectile|older|younger|source|survivor|pickup|target)$/

/** Two things that a call is about change places; so do those of an event. */
function addExchanged(node: Node, textOf: TextOf, add: Add): void {
  if (node.type === 'CallExpression') {
    const list = nodes(node.arguments)
    const places = [...list.keys()].filter((n) => THING.test(nameOf(list[n])))
    forEachPair(places, (a, b) => {
      const order = list.map((each) => textOf(each))
      order[a] = textOf(list[b])
      order[b] = textOf(list[a])
      add('who', node, `${textOf(node.callee)}(${order.join(', ')})`)
    })
    if (nameOf(node.callee) !== 'emit') return
    const event = list[2]
    if (event?.type !== 'ObjectExpression') return
    const fields = nodes(event.properties).filter((each) => THINGS_OF_AN_EVENT.test(nameOf(each.key)))
    forEachPair([...fields.keys()], (a, b) => {
      const [one, other] = [fields[a], fields[b]]
      const others = nodes(event.properties).filter((each) => each !== one && each !== other)
      const exchanged = [`${nameOf(one.key)}: ${textOf(other.value)}`, `${nameOf(other.key)}: ${textOf(one.value)}`]
      add('who', event, `{ ${[...exchanged, ...others.map((each) => textOf(each))].join(', ')} }`)
    })
  }
}

function forEachPair(places: readonly number[], visit: (a: number, b: number) => void): void {
  for (const [n, a] of places.entries()) for (const b of places.slice(n + 1)) visit(a, b)
}

const NEXT: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }

/** Each threshold, moved by what is equal to it; not the ends of loops. */
function addEdges(node: Node, field: string, textOf: TextOf, add: Add): void {
  if (node.type !== 'BinaryExpression' || field === 'test-of-loop') return
  const other = NEXT[node.operator as string]
  if (other !== undefined) add('edge', node, `(${textOf(node.left)}) ${other} (${textOf(node.right)})`)
}

const SIDES = /\b(team|owner|layer|side|otherSide|isFoe|isFriend|foes?|friends?)\b/i

/** Each condition that asks for a team, an owner or a layer, always and never true. */
function addBranches(node: Node, field: string, textOf: TextOf, add: Add): void {
  const isComparison = node.type === 'BinaryExpression' && /^[=!]==$/.test(node.operator as string)
  const isAsked = node.type === 'CallExpression' && (field === 'test' || field === 'left' || field === 'right')
  if (!isComparison && !(isAsked && SIDES.test(nameOf(node.callee)))) return
  if (!SIDES.test(textOf(node))) return
  add('branch', node, 'true')
  add('branch', node, 'false')
}

/** `tune(150, …)`: the default of a value that can be tuned. */
function isDefault(node: Node): boolean {
  return node.type === 'CallExpression' && nameOf(node.callee) === 'tune'
}

function firstArgument(node: Node): Node {
  return nodes(node.arguments)[0]
}

/** Each number of a table, one more and one less in its last digit. */
function addNumbers(node: Node, parent: Node | undefined, add: Add): void {
  if (node.type !== 'Literal' || typeof node.value !== 'number' || parent?.type === 'MemberExpression') return
  const text = String(node.value)
  const digits = text.includes('.') ? text.split('.')[1].length : 0
  for (const step of [1, -1]) add('number', node, ((node.value * 10 ** digits + step) / 10 ** digits).toFixed(digits))
}
