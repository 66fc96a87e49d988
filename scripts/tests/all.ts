/**
 * `npm test`: the static part (`npm run check`) beside the tests, which leave processors idle while they wait for servers and browsers.
 *
 * What the static part prints is held back, so that the lines of both do not mix. When it fails, the tests end at once: they
 * would have to be run again anyway.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

/** Tests that measure time go first. */
const CHECK_PRIORITY = 5
const isWindows = process.platform === 'win32'

/** Waits for both and returns the exit code. `endTests` is called when the check fails. */
export async function runBeside(
  checking: ChildProcess,
  testing: ChildProcess,
  endTests: () => void,
  print: (text: string) => void,
): Promise<number> {
  let printed = ''
  for (const stream of [checking.stdout, checking.stderr])
    stream?.setEncoding('utf8').on('data', (text) => (printed += text))
  const checked = once(checking, 'close').then(([code]) => {
    if (code !== 0) endTests()
    return code as number | null
  })
  const [checkCode, [testCode]] = await Promise.all([checked, once(testing, 'close')])
  if (checkCode === 0) return testCode ?? 1
  print(`\n${printed}\nThe check failed, so the tests were ended. \`npm run check\` runs it alone.\n`)
  return 1
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const check = spawn('npm run check', { shell: true, cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  if (check.pid !== undefined) setPriority(check.pid, CHECK_PRIORITY)
  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
  const tests = spawn(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // A group of its own: the workers, and what they started, have to be told to end as well.
    detached: !isWindows,
  })
  const endTests = () => (isWindows ? tests.kill('SIGINT') : process.kill(-tests.pid!, 'SIGINT'))
  // Ctrl+C reaches only our own group.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, endTests)
  process.exitCode = await runBeside(check, tests, endTests, (text) => process.stderr.write(text))
}
