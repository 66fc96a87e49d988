/**
 * `npm run measure -- sizes`: what the engine and the studio weigh in a page. `-- sizes engine` and `-- sizes studio` for one of them.
 */

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { buildAttached, buildEntries, buildParts } from './entries.ts'
import { isPageSmall } from './page.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const PARTS = ['engine', 'studio']
const wanted = process.argv.slice(2)
const unknown = wanted.find((part) => !PARTS.includes(part))
if (unknown === undefined) {
  const [engine, studio] = PARTS.map((part) => wanted.length === 0 || wanted.includes(part))
  if (engine) {
    await buildEntries()
    await buildParts()
    await buildAttached()
    execFileSync(process.execPath, [`${root}node_modules/size-limit/bin.js`], { cwd: root, stdio: 'inherit' })
  }
  if (studio && !(await isPageSmall())) process.exitCode = 1
} else {
  console.error(`There is no part "${unknown}". There are: ${PARTS.join(', ')}.`)
  process.exitCode = 2
}
