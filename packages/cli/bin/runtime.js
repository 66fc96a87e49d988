/**
 * Which Node runs us.
 *
 * The sources are TypeScript and run as they are, on a Node that strips types itself. The machine's own Node may be too
 * old for that; the repository pins one from npm, so an older Node only has to find it and hand over. Plain JavaScript,
 * because this is what the older Node reads.
 */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Set in the runtime we hand over to, so that one that cannot do it either does not hand over again. */
const HANDED_OVER = 'HURTBOX_HANDED_OVER'

/**
 * True when this Node can load TypeScript. Otherwise runs the script at `url` again, with the same arguments, in a Node
 * that can; when that has ended, its exit code is ours and the answer is false.
 *
 * @param {string} url
 * @returns {Promise<boolean>}
 */
export async function canLoadTypeScript(url) {
  if (process.features.typescript) {
    // Most of the start is stripping types. With Node's cache it takes 0.08 s instead of 0.33.
    module.enableCompileCache?.()
    return true
  }
  const script = fileURLToPath(url)
  const runtime = process.env[HANDED_OVER] ? undefined : findRuntime(dirname(script))
  if (runtime === undefined) {
    console.error(
      `hurtbox: this is Node ${process.versions.node}, which cannot load TypeScript. ` +
        'Run `npm ci` in the repository (it brings the Node this needs), or use Node 24.',
    )
    process.exitCode = 2
    return false
  }
  await handOver(runtime.command, [...runtime.flags, script, ...process.argv.slice(2)], { [HANDED_OVER]: '1' })
  return false
}

/**
 * The Node that npm installed beside or above `folder`, or this one with a flag where it has one (22.6 and up).
 *
 * @param {string} folder
 * @returns {{ command: string, flags: string[] } | undefined}
 */
export function findRuntime(folder) {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  for (let at = folder; ; at = dirname(at)) {
    const command = join(at, 'node_modules', 'node', 'bin', name)
    if (existsSync(command)) return { command, flags: [] }
    if (dirname(at) === at) break
  }
  if (!process.allowedNodeEnvironmentFlags.has('--experimental-strip-types')) return undefined
  return {
    command: process.execPath,
    flags: ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'],
  }
}

/**
 * Runs a command in our place: same terminal, same signals, same exit code.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [variables] of the environment, besides ours
 * @returns {Promise<void>}
 */
export function handOver(command, args, variables = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...variables } })
    /** @type {NodeJS.Signals[]} */
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    // On Windows the console tells the child, too, and `kill` would end it in the middle of that.
    const pass = process.platform === 'win32' ? () => {} : (/** @type {NodeJS.Signals} */ signal) => child.kill(signal)
    for (const signal of signals) process.on(signal, pass)
    // npm ends the shell between itself and us, not us.
    const { ppid } = process
    const watch = setInterval(() => process.ppid !== ppid && process.env.npm_lifecycle_event && child.kill(), 250)
    watch.unref()
    child.on('error', (error) => {
      console.error(`hurtbox: ${command} does not start: ${error.message}. Run \`npm ci\` again.`)
      process.exitCode = 2
      resolve()
    })
    child.on('exit', (code, signal) => {
      clearInterval(watch)
      for (const each of signals) process.removeAllListeners(each)
      if (signal !== null) process.kill(process.pid, signal)
      process.exitCode = code ?? 1
      resolve()
    })
  })
}
