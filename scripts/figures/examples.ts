/**
 * Examples with their output: a `console` block is a figure whose command stands in it.
 *
 * Such a block is its own data, so it is simply run again. What a command prints about its speed differs from run to run;
 * all else must be what the page shows, to the last digit.
 */

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apart } from './figure.ts'
import { run } from './run.ts'
import { root } from './saved.ts'

export type Example = { readonly command: string; readonly shown: string; readonly printed: string }

const BLOCK = /```console\n\$ (.*)\n([\s\S]*?)```/g
const SPEED = /^ *speed +([\d,]+) ticks a second.*\n/m

/** The pages that show what commands print. */
export function pagesWithExamples(): string[] {
  const guides = readdirSync(`${root}docs/guide`).map((name) => `docs/guide/${name}`)
  const games = readdirSync(`${root}games`).map((name) => `games/${name}/README.md`)
  return ['README.md', 'docs/cli.md', ...guides, ...games].filter(
    (page) => existsSync(root + page) && readFileSync(root + page, 'utf8').search(BLOCK) >= 0,
  )
}

/** Runs the commands of a page one after the other in a folder of its own, where they find each other's files. */
export async function rerunExamples(page: string): Promise<Example[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hurtbox-examples-'))
  // Examples name games as the repository lists them, and fixtures of tests by their place in it.
  for (const name of ['package.json', 'packages', 'games']) symlinkSync(root + name, join(folder, name))
  try {
    const examples: Example[] = []
    for (const [, command, shown] of readFileSync(root + page, 'utf8').matchAll(BLOCK)) {
      const line = command.replaceAll('npx hurtbox', `"${process.execPath}" packages/cli/bin/hurtbox.js`)
      // A check that fails is an example too: only what is printed counts.
      const printed = await run(`{ ${line}; } 2>&1; true`, () => {}, folder)
      examples.push({ command, shown, printed })
    }
    return examples
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What a page shows and its commands do not print any more. */
export function staleExamples(page: string, examples: readonly Example[]): string[] {
  return examples
    .filter(({ shown, printed }) => withoutSpeed(shown) !== withoutSpeed(printed))
    .map(({ command, shown, printed }) => `${page}: \`${command}\` prints\n${printed}and the page shows\n${shown}`)
}

/** Speeds on a page that are far from those of this machine. */
export function staleSpeeds(page: string, examples: readonly Example[]): string[] {
  return examples.flatMap(({ command, shown, printed }) => {
    const [before, now] = [shown, printed].map((text) => Number(text.match(SPEED)?.[1].replaceAll(',', '')))
    return Number.isNaN(before) || Number.isNaN(now) ? [] : apart(`${page}: speed of \`${command}\``, before, now)
  })
}

/** Writes what the commands print into the page. */
export function updateExamples(page: string, examples: readonly Example[]): void {
  const next = examples.values()
  const text = readFileSync(root + page, 'utf8').replace(BLOCK, () => {
    const { command, printed } = next.next().value!
    return `\`\`\`console\n$ ${command}\n${printed}\`\`\``
  })
  writeFileSync(root + page, text)
}

function withoutSpeed(text: string): string {
  return text.replace(SPEED, '')
}
