/** The base commit as a folder that can run. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Checks `ref` out into `dir`. The engine and the games need no package but the engine, so nothing is installed. */
export function addCheckout(repository: string, ref: string, dir: string): void {
  git(repository, 'worktree', 'add', '--detach', dir, ref)
  mkdirSync(join(dir, 'node_modules'))
  symlinkSync('../packages/hurtbox', join(dir, 'node_modules/hurtbox'))
}

export function removeCheckout(repository: string, dir: string): void {
  git(repository, 'worktree', 'remove', '--force', dir)
}

/** The commit of a checkout, and whether there is more in it than that. */
export function describeCheckout(dir: string): string {
  const isChanged = git(dir, 'status', '--porcelain', '--', 'packages/hurtbox', 'games') !== ''
  return `${git(dir, 'rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}`
}

function git(dir: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: dir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}
