/** Columns and globals that are declared and that nothing ever reads. */

import { type SyntaxNode, walk } from 'hurtbox/lint'
import type { Finding } from '../finding.ts'
import type { Source } from '../source.ts'
import { foundAt, isCallOf, keyOf, type Place, propertiesOf, propertyOf } from './place.ts'
import { engineText, type Project, readIn, readsName } from './project.ts'

type Column = { readonly table: string; readonly name: string; readonly place: Place }

export function unreadColumns(
  entry: string,
  rules: readonly Source[],
  files: readonly Source[],
  project: () => Project,
): Finding[] {
  // The rest is only read when something is left to look for.
  const inGame = rules.flatMap(columnsIn).filter(({ name }) => !files.some((source) => readIn(source).has(name)))
  if (inGame.length === 0 || project().isCut) return []
  const elsewhere = inGame.filter(({ name }) => !project().files.some((file) => readsName(file, name)))
  if (elsewhere.length === 0) return []
  const engine = engineText(entry)
  return elsewhere
    .filter(({ name }) => !isReadByEngine(engine, name))
    .flatMap(({ table, name, place }) =>
      foundAt(place, {
        rule: 'never-read',
        name,
        message: `${name} of ${table} is never read: it costs memory and bytes, and changes nothing.`,
        instead: 'Read it where it was meant to count, or take it out of the declaration.',
        isWarning: true,
      }),
    )
}

/** What a declaration says of its tables, as far as it is written out there: columns of kits are the engine's to read. */
function columnsIn(source: Source): Column[] {
  const columns: Column[] = []
  const add = (table: string, specs: SyntaxNode | undefined) => {
    for (const node of propertiesOf(specs)) {
      const name = keyOf(node)
      if (name !== undefined && !node.shorthand) columns.push({ table, name, place: { source, node } })
    }
  }
  walk(source.program, (node) => {
    if (!isCallOf(node, /^declareGame$/)) return
    const [declaration] = node.arguments
    for (const table of ['things', 'players', 'globals']) add(table, propertyOf(declaration, table)?.value)
    for (const table of propertiesOf(propertyOf(declaration, 'tables')?.value)) {
      add(keyOf(table) ?? 'a table', propertyOf(table.value, 'columns')?.value)
    }
  })
  return columns
}

/** `things.hp`, `'hp'`, `{ hp, …`. Too often rather than too seldom. */
function isReadByEngine(text: string, name: string): boolean {
  return new RegExp(`(?:[.'"\`]|[{,]\\s*)${name.replaceAll('$', '\\$')}(?![\\w$])`).test(text)
}
