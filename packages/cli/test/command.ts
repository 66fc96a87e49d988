/** Runs the real command, as people do: a process with arguments, output and an exit code. */

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const REPOSITORY: string = fileURLToPath(new URL('../../../', import.meta.url))
export const DUEL = 'packages/cli/test/fixtures/duel.ts'

export const COMMAND: string = fileURLToPath(new URL('../bin/hurtbox.js', import.meta.url))

export type Outcome = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

type Settings = {
  readonly nodeFlags?: readonly string[]
  readonly command?: string
  readonly env?: Readonly<Record<string, string>>
  /** Where it runs. Default: the root of the repository. */
  readonly cwd?: string
  /** Close our end of its output after this many bytes. */
  readonly closeAfterBytes?: number
}

export function hurtbox(args: readonly string[], settings: Settings = {}): Promise<Outcome> {
  const { nodeFlags = [], command = COMMAND, env = {}, cwd = REPOSITORY } = settings
  const { closeAfterBytes = Number.POSITIVE_INFINITY } = settings
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...nodeFlags, command, ...args], {
      cwd,
      // Vitest's own settings must not reach the command.
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Less than a test may take, so that nothing is left behind.
      timeout: 50_000,
    })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (data) => {
      stdout += data
      if (stdout.length >= closeAfterBytes) child.stdout.destroy()
    })
    child.stderr.on('data', (data) => (stderr += data))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** The lines of `--json` output, each parsed. Throws when a line is not JSON. */
export function jsonLines(outcome: Outcome): Record<string, unknown>[] {
  return outcome.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}
