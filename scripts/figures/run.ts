/** Runs a command of the repository as a reader would, and returns what it printed. */

import { spawn } from 'node:child_process'
import { root } from './saved.ts'

/** What a command prints to its error output is progress and goes to `log`, line by line. */
export function run(command: string, log: (progress: string) => void = () => {}, cwd: string = root): Promise<string> {
  const child = spawn(command, { shell: true, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    for (const line of text.split('\n')) if (line.trim() !== '') log(line.trim())
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(stdout)
      else reject(new Error(`\`${command}\` ended with ${code}:\n${stdout}${stderr}`))
    })
  })
}

/** One JSON object per line, as every command of the repository prints with `--json`. */
export function parseLines<T>(printed: string): T[] {
  return printed
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as T)
}
