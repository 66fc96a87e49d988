/**
 * The examples in docs/cli.md are run and compared with what the page shows.
 *
 * Figures may differ (speed, hashes of a scene that was changed on purpose); words may not. After a deliberate change,
 * `HURTBOX_UPDATE_DOCS=1 npx vitest run packages/cli/test/docs.test.ts` writes the page anew.
 */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { REPOSITORY } from './command.ts'

const PAGE = join(REPOSITORY, 'docs/cli.md')
/** Where the examples leave their files; the repository's packages are there under their own name. */
const folder = mkdtempSync(join(tmpdir(), 'hurtbox-docs-'))
symlinkSync(join(REPOSITORY, 'packages'), join(folder, 'packages'))
afterAll(() => rmSync(folder, { recursive: true }))

const EXAMPLE = /```console\n\$ (.*)\n([\s\S]*?)```/g

test.skipIf(process.platform === 'win32')('[CL20] docs/cli.md shows what the commands print', () => {
  const page = readFileSync(PAGE, 'utf8')
  const examples = [...page.matchAll(EXAMPLE)].map(([, command, shown]) => ({ command, shown, printed: run(command) }))
  if (process.env.HURTBOX_UPDATE_DOCS) {
    const next = examples.values()
    writeFileSync(
      PAGE,
      page.replace(EXAMPLE, () => {
        const { command, printed } = next.next().value!
        return `\`\`\`console\n$ ${command}\n${printed}\`\`\``
      }),
    )
    return
  }
  expect(examples.length).toBeGreaterThan(8)
  for (const { command, shown, printed } of examples) expect(wordsOf(printed), command).toEqual(wordsOf(shown))
})

function run(command: string): string {
  const line = command.replaceAll('npx hurtbox', `"${process.execPath}" packages/cli/bin/hurtbox.js`)
  // A check that fails is an example too: only the output counts.
  return execFileSync('sh', ['-c', `{ ${line}; } 2>&1; true`], { cwd: folder, encoding: 'utf8' })
}

/** The text line by line, with every figure and hash as # and every gap as one blank. */
function wordsOf(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/\b[0-9a-f]{16}\b|\d[\d.,]*/g, '#').replace(/ +/g, ' '))
}
