/**
 * Where saved results stand in the pages.
 *
 * A table is a block between two comments, and is rendered as a whole:
 *
 *     <!-- figures: bench -->
 *     …
 *     <!-- /figures -->
 *
 * A figure in a sentence is followed by a comment with its name: 42<!-- = scenes -->. The sentence around it is the
 * page's own. Comments do not show in the rendered page.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { root } from './saved.ts'

/** What the pages can ask for, by name. */
export type Rendered = {
  readonly blocks: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, string>>
}

const BLOCK = /<!-- figures: (\S+) -->\n[\s\S]*?<!-- \/figures -->/g
/** The figure may stand in code or bold; the marks stay. */
const VALUE = /([^\s`*|(]+)([`*]*)<!-- = (\S+) -->/g
const ANY_MARK = /<!-- (?:figures:|\/figures|= )/g

export function pagesWithFigures(): string[] {
  const docs = readdirSync(`${root}docs`).map((name) => `docs/${name}`)
  const guides = readdirSync(`${root}docs/guide`).map((name) => `docs/guide/${name}`)
  const games = readdirSync(`${root}games`).map((name) => `games/${name}/README.md`)
  return ['README.md', 'CONTRIBUTING.md', 'bench/README.md', ...docs, ...guides, ...games].filter(
    (page) => page.endsWith('.md') && existsSync(root + page),
  )
}

/** The page as the saved results want it. A mark that nothing answers is an error, and so is half a block. */
export function renderPage(page: string, text: string, { blocks, values }: Rendered): string {
  let marks = 0
  const known = (names: Readonly<Record<string, string>>, name: string): string => {
    if (Object.hasOwn(names, name)) return names[name]
    throw new Error(`${page}: there is no figure "${name}". There are: ${Object.keys(names).join(', ')}.`)
  }
  const rendered = text
    .replace(BLOCK, (_, name: string) => {
      marks += 2
      return `<!-- figures: ${name} -->\n\n${known(blocks, name)}\n\n<!-- /figures -->`
    })
    .replace(VALUE, (_, _old: string, closing: string, name: string) => {
      marks++
      return `${known(values, name)}${closing}<!-- = ${name} -->`
    })
  const written = rendered.match(ANY_MARK)?.length ?? 0
  if (written === marks) return rendered
  throw new Error(`${page}: ${written - marks} marks of figures belong to no block and no figure.`)
}

/** Pages that are not what the saved results say. */
export function stalePages(rendered: Rendered): string[] {
  return pagesWithFigures().filter((page) => {
    const text = readFileSync(root + page, 'utf8')
    return renderPage(page, text, rendered) !== text
  })
}

export function updatePages(rendered: Rendered): string[] {
  const stale = stalePages(rendered)
  for (const page of stale) writeFileSync(root + page, renderPage(page, readFileSync(root + page, 'utf8'), rendered))
  return stale
}
