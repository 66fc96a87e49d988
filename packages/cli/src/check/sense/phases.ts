/** Phases that are written and do not run, because nothing lists them. */

import { bare, isReference, type SyntaxNode, walk } from 'hurtbox/lint'
import type { Finding } from '../finding.ts'
import { resolveImport } from '../resolve.ts'
import type { Source } from '../source.ts'
import { foundAt, isCallOf, keyOf, propertiesOf } from './place.ts'
import { hasWord, type Project } from './project.ts'

/** Functions of the engine whose result is a phase. */
const MAKERS = /^(?:collide|separate|recordPoses)$/

type Candidate = { readonly name: string; readonly node: SyntaxNode; readonly isExported: boolean }

export function unlistedPhases(
  rules: readonly Source[],
  files: readonly Source[],
  project: () => Project,
): readonly Finding[] {
  const taken = takenAsWhole(files)
  return rules.flatMap((source) =>
    phasesIn(source)
      .filter(({ name, node }) => !isUsedIn(source, name, node))
      .filter(({ name, isExported }) => {
        if (!isExported) return true
        const { files, isCut } = project()
        const isElsewhere = files.some(({ file, text }) => file !== source.file && hasWord(text, name))
        return !isCut && !taken.has(source.file) && !isElsewhere
      })
      .flatMap(({ name, node }) =>
        foundAt(
          { source, node },
          {
            rule: 'unlisted-phase',
            name,
            message: `${name} has the form of a phase, and nothing lists or calls it: it never runs.`,
            instead: `List it where it belongs in the order of the tick: phases: { …, ${name} } of defineGame.`,
          },
        ),
      ),
  )
}

/** What stands outside all functions of a file and has the form of a phase. */
function phasesIn({ program, text }: Source): Candidate[] {
  return program.body.flatMap((statement: SyntaxNode): Candidate[] => {
    const isExported = statement.type === 'ExportNamedDeclaration'
    const declared: SyntaxNode | undefined = isExported ? statement.declaration : statement
    if (declared?.type === 'FunctionDeclaration') {
      return takesWorld(declared, text) ? [{ name: declared.id.name, node: declared, isExported }] : []
    }
    if (declared?.type !== 'VariableDeclaration') return []
    return declared.declarations.flatMap(({ id, init }: SyntaxNode): Candidate[] =>
      id.type === 'Identifier' && init && isPhase(bare(init), text) ? [{ name: id.name, node: id, isExported }] : [],
    )
  })
}

function isPhase(value: SyntaxNode, text: string): boolean {
  if (/^(?:Arrow)?FunctionExpression$/.test(value.type)) return takesWorld(value, text)
  if (value.type === 'CallExpression') return isCallOf(value, MAKERS)
  const runs = propertiesOf(value).filter((property) => /^(?:run|create)$/.test(keyOf(property) ?? ''))
  return runs.some(({ value: run }) => /Function/.test(run.type) && isWorld(run.params, text))
}

/** One world and nothing else, and nothing given back. */
function takesWorld({ params, body, generator, expression }: SyntaxNode, text: string): boolean {
  if (generator || !isWorld(params, text)) return false
  return expression === true ? body.type === 'UnaryExpression' && body.operator === 'void' : !givesValue(body)
}

function isWorld(params: readonly SyntaxNode[], text: string): boolean {
  if (params.length !== 1) return false
  const [param] = params
  if (param.type === 'Identifier' && param.name === 'world') return true
  return /^\s*:\s*\w*World\b/.test(text.slice(param.end, param.end + 80))
}

function givesValue(body: SyntaxNode): boolean {
  let found = false
  walk(body, (node, { functions }) => {
    found ||= node.type === 'ReturnStatement' && node.argument != null && functions.length === 0
  })
  return found
}

/** Whether a name of the module is used outside of what it names. */
function isUsedIn({ program }: Source, name: string, own: SyntaxNode): boolean {
  let isUsed = false
  walk(program, (node, { parents, resolve }) => {
    if (isUsed || node.name !== name) return
    const parent = parents.at(-1)
    if (!isReference(node, parent) || parent?.type === 'ExportSpecifier') return
    if (resolve(name)?.isOfModule !== true) return
    isUsed = !parents.includes(own)
  })
  // `export { poison as venom }` gives it another name, by which it may be used.
  return isUsed || exportsByName(program, name)
}

function exportsByName(program: SyntaxNode, name: string): boolean {
  return program.body.some(
    ({ type, specifiers }: SyntaxNode) =>
      type === 'ExportNamedDeclaration' && specifiers.some(({ local }: SyntaxNode) => local.name === name),
  )
}

/** Files whose exports are used without being named: `import * as phases`, `import()`, `export *`. */
function takenAsWhole(files: readonly Source[]): ReadonlySet<string> {
  const taken = new Set<string>()
  for (const { program, file, imports } of files) {
    for (const { specifier, isDynamic } of imports) {
      const isWhole = program.body.some(
        ({ type, source, specifiers }: SyntaxNode) =>
          source?.value === specifier &&
          (type === 'ExportAllDeclaration' ||
            specifiers?.some((each: SyntaxNode) => each.type === 'ImportNamespaceSpecifier')),
      )
      if (!isDynamic && !isWhole) continue
      const target = resolveImport(specifier, file)
      if (target.kind === 'file') taken.add(target.file)
    }
  }
  return taken
}
