/**
 * What a container engine puts around a program, without the engine: it is process 1 of its own, not root, without variables of ours, and
 * cannot write. Everything it may read is below /srv, so no folder above the repository has to be open to it.
 */

import { chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../engines/install-npm.ts'
import type { Net } from './net.ts'
import { NODE } from './projects.ts'

/**
 * - `volume`: the application is read-only but for one folder, `.cache`
 * - `read-only`: the application is read-only
 * - `foreign`: the application belongs to root, as with USER node in a WORKDIR of root
 */
export type Root = 'volume' | 'read-only' | 'foreign'

const NOBODY = 65_534

/** The command that runs `program` of the application in `app` like that. */
export function containerCommand(
  net: Net,
  app: string,
  root: Root,
  env: Readonly<Record<string, string>>,
  program: readonly string[],
): [command: string, args: string[]] {
  const volume = join(net.folder, 'volume')
  mkdirSync(join(app, '.cache'), { recursive: true })
  mkdirSync(volume, { recursive: true })
  chownSync(volume, NOBODY, NOBODY)
  const readOnly = (folder: string) => `mount --bind ${folder} ${folder} && mount -o remount,bind,ro ${folder}`
  const script = [
    'set -e',
    'mount --make-rprivate /',
    'mount -t proc proc /proc',
    `app=$(mktemp -d) repo=$(mktemp -d)`,
    `mount --bind '${app}' "$app"`,
    `mount --bind '${repositoryRoot}' "$repo"`,
    'mount -t tmpfs -o mode=755 tmpfs /srv',
    'mkdir /srv/app /srv/repo',
    'mount --move "$app" /srv/app',
    'mount --move "$repo" /srv/repo',
    'rmdir "$app" "$repo"',
    'mount -o remount,bind,ro /srv/repo',
    ...(root === 'foreign' ? [] : ['mount -o remount,bind,ro /srv/app']),
    ...(root === 'volume' ? [`mount --bind '${volume}' /srv/app/.cache`] : []),
    ...['/tmp', '/var/tmp', '/dev/shm'].map(readOnly),
    'cd /srv/app',
    'exec "$@"',
  ].join('\n')
  const variables = { PATH: '/usr/bin:/bin', NODE_ENV: 'production', ...env }
  const user = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--no-new-privs']
  const clean = ['env', '-i', ...Object.entries(variables).map(([name, value]) => `${name}=${value}`)]
  const inside = [...user, ...clean, `/srv/repo/${NODE}`, ...program]
  return ['unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, 'sh', ...inside]]
}
