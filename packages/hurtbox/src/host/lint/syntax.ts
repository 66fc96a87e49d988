/**
 * A syntax tree with the meaning of its names.
 *
 * The tree is ESTree, which ESLint, acorn and most other parsers give; types of TypeScript are passed over. Each name is
 * resolved to where it is declared, because `performance` may be a parameter and `Math` an import.
 */

/** A node of an ESTree. Parsers disagree on the rest, so it is read with care. */
export type SyntaxNode = {
  readonly type: string
  // biome-ignore lint/suspicious/noExplicitAny: the fields of some seventy kinds of nodes.
  readonly [field: string]: any
}

/** A name that a part of the program declares. */
export type Variable = {
  readonly name: string
  /** The declarator, function, class, import or pattern that declares it. */
  readonly node: SyntaxNode
  /** `let`, `const`, `var`, or what else declares it. */
  readonly kind: string
  /** Whether it is declared outside all functions, so that it lives as long as the program. */
  readonly isOfModule: boolean
}

type Scope = { readonly names: Map<string, Variable>; readonly parent: Scope | undefined }

/** Where a node stands. */
export type SyntaxContext = {
  /** From the root down to the node's parent. */
  readonly parents: readonly SyntaxNode[]
  /** The functions around it, outermost first. */
  readonly functions: readonly SyntaxNode[]
  /** What declares a name here; `undefined` when nothing does, so that it is a global of the runtime. */
  resolve(name: string): Variable | undefined
}

/** Calls `visit` for every node that is code: no types, no names of properties. */
export function walk(program: SyntaxNode, visit: (node: SyntaxNode, place: SyntaxContext) => void): void {
  const parents: SyntaxNode[] = []
  const functions: SyntaxNode[] = []

  const enter = (node: SyntaxNode, outer: Scope | undefined): void => {
    if (isType(node)) return
    const scope = opensScope(node) ? declare(node, outer, functions.length === 0) : outer
    visit(node, { parents, functions, resolve: (name) => lookUp(scope, name) })
    parents.push(node)
    const isFunction = FUNCTIONS.has(node.type)
    if (isFunction) functions.push(node)
    for (const child of childrenOf(node)) enter(child, scope)
    if (isFunction) functions.pop()
    parents.pop()
  }
  enter(program, undefined)
}

/** Whether an identifier stands for a value: not for a property, a label or a name that is being declared. */
export function isReference(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  if (node.type !== 'Identifier' || parent === undefined) return false
  switch (parent.type) {
    case 'MemberExpression':
      return parent.object === node || parent.computed === true
    case 'Property':
      return parent.value === node || parent.computed === true
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return parent.value === node || parent.computed === true
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
    case 'MetaProperty':
    case 'CatchClause':
      return false
    case 'ExportSpecifier':
      return parent.local === node
    case 'VariableDeclarator':
      return parent.init === node
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return parent.body === node
    case 'ClassDeclaration':
    case 'ClassExpression':
      return parent.superClass === node
    default:
      return true
  }
}

/** `Math.sin`, `Math['sin']` and `` Math[`sin`] `` all name `sin`; undefined when only the running program knows. */
export function propertyName({ property, computed }: SyntaxNode): string | undefined {
  if (!computed) return property.name
  if (property.type === 'Literal' && typeof property.value === 'string') return property.value
  return undefined
}

/** What stands inside parentheses, type assertions and optional chains. */
export function bare(node: SyntaxNode): SyntaxNode {
  let inner = node
  while (WRAPPERS.has(inner.type)) inner = inner.expression
  return inner
}

/** Where a node begins in the text. */
export function startOf(node: SyntaxNode): number {
  return node.range?.[0] ?? node.start
}

export function endOf(node: SyntaxNode): number {
  return node.range?.[1] ?? node.end
}

/** The name that people know a function by: its own, or that of the variable or property it is the value of. */
export function nameOfFunction(node: SyntaxNode, parent: SyntaxNode | undefined): string | undefined {
  if (node.id?.name !== undefined) return node.id.name
  if (parent === undefined) return undefined
  if (parent.type === 'VariableDeclarator' && parent.id.type === 'Identifier') return parent.id.name
  const isValue = ['Property', 'MethodDefinition', 'PropertyDefinition'].includes(parent.type) && parent.value === node
  if (!isValue || parent.computed) return undefined
  return parent.key.name ?? String(parent.key.value)
}

/** Every name that a pattern declares or assigns: `{ a, b: [c] }` has a and c. */
export function namesOf(pattern: SyntaxNode | null | undefined): SyntaxNode[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern]
    case 'ObjectPattern':
      return pattern.properties.flatMap((property: SyntaxNode) => namesOf(property.value ?? property.argument))
    case 'ArrayPattern':
      return pattern.elements.flatMap(namesOf)
    case 'AssignmentPattern':
      return namesOf(pattern.left)
    case 'RestElement':
      return namesOf(pattern.argument)
    case 'TSParameterProperty':
      return namesOf(pattern.parameter)
    default:
      return []
  }
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'StaticBlock',
])

const WRAPPERS: ReadonlySet<string> = new Set([
  'ChainExpression',
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
])

/** Fields of nodes that lead to types, or back up. */
const NO_CODE: ReadonlySet<string> = new Set([
  'parent',
  'loc',
  'range',
  'typeAnnotation',
  'typeArguments',
  'typeParameters',
  'superTypeArguments',
  'superTypeParameters',
  'returnType',
  'implements',
  'tokens',
  'comments',
])

function isType({ type, importKind, exportKind }: SyntaxNode): boolean {
  return (type.startsWith('TS') && !WRAPPERS.has(type)) || importKind === 'type' || exportKind === 'type'
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.keys(node)
    .filter((field) => !NO_CODE.has(field))
    .flatMap((field) => node[field])
    .filter((child) => typeof child?.type === 'string')
}

function opensScope({ type }: SyntaxNode): boolean {
  return (
    type === 'Program' || type === 'BlockStatement' || FUNCTIONS.has(type) || /^For|^Catch|^Switch|^Class/.test(type)
  )
}

function lookUp(scope: Scope | undefined, name: string): Variable | undefined {
  for (let at = scope; at !== undefined; at = at.parent) {
    const found = at.names.get(name)
    if (found !== undefined) return found
  }
  return undefined
}

function declare(node: SyntaxNode, parent: Scope | undefined, isOfModule: boolean): Scope {
  const names = new Map<string, Variable>()
  const isFunction = FUNCTIONS.has(node.type)
  const add = (pattern: SyntaxNode | null | undefined, by: SyntaxNode, kind: string) => {
    for (const { name } of namesOf(pattern)) {
      names.set(name, { name, node: by, kind, isOfModule: isOfModule && !isFunction })
    }
  }
  const addDeclaration = (statement: SyntaxNode | null | undefined) => {
    const declared = statement?.declaration ?? statement
    switch (declared?.type) {
      case 'VariableDeclaration':
        for (const declarator of declared.declarations) add(declarator.id, declarator, declared.kind)
        break
      case 'FunctionDeclaration':
      case 'ClassDeclaration':
        add(declared.id, declared, 'function')
        break
      case 'ImportDeclaration':
        for (const specifier of declared.specifiers) add(specifier.local, specifier, 'import')
        break
    }
  }
  if (isFunction) for (const param of node.params ?? []) add(param, node, 'parameter')
  if (isFunction || node.type === 'Program') for (const declaration of varsIn(node)) addDeclaration(declaration)
  if (isFunction || node.type.startsWith('Class')) add(node.id, node, 'function')
  if (Array.isArray(node.body)) for (const statement of node.body) addDeclaration(statement)
  if (node.type === 'SwitchStatement') {
    for (const { consequent } of node.cases) for (const statement of consequent) addDeclaration(statement)
  }
  if (node.type === 'CatchClause') add(node.param, node, 'parameter')
  addDeclaration(node.init)
  addDeclaration(node.left)
  return { names, parent }
}

/** `var` belongs to the function around it, however deep it stands. */
function varsIn(node: SyntaxNode): SyntaxNode[] {
  return childrenOf(node).flatMap((child) => {
    if (FUNCTIONS.has(child.type)) return []
    const own = child.type === 'VariableDeclaration' && child.kind === 'var' ? [child] : []
    return [...own, ...varsIn(child)]
  })
}
