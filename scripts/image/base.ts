/**
 * Base images where no registry is: Debian by debootstrap with the pinned Node, npm, Caddy and Redis in it, under the names that the files of a
 * created project ask for.
 *
 * Node is the very version; Caddy and Redis are Debian's, which are older than the images of these names.
 */

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../engines/install-npm.ts'
import { NODE } from '../world/projects.ts'
import { type Engine, IMAGES } from './engine.ts'

const DEBIAN = 'http://deb.debian.org/debian'
const PACKAGES = ['ca-certificates', 'caddy', 'redis-server']
const NPM = 'npm@11.19.1'
/** The machine's certificates: a registry may be reached through a proxy of its own. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'

/** The image of Redis serves other containers without being told so. */
const REDIS = `#!/bin/sh
exec /usr/bin/redis-server "$@" --protected-mode no
`

const BASES: Readonly<Record<string, readonly string[]>> = {
  'node:24-slim': [`ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`],
  'caddy:2': [
    'CMD ["caddy","run","--config","/etc/caddy/Caddyfile","--adapter","caddyfile"]',
    'ENV XDG_DATA_HOME=/data',
  ],
  'redis:8': ['WORKDIR /data'],
}

/** Makes them, unless they are there. */
export async function requireBases({ run }: Engine): Promise<void> {
  const stamp = JSON.stringify([process.version, PACKAGES, NPM, REDIS, BASES])
  const stampFile = join(IMAGES, 'bases.json')
  const isMade = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp
  const known = isMade ? await run('podman', ['images', '--format', '{{.Repository}}:{{.Tag}}']) : ''
  if (Object.keys(BASES).every((name) => known.includes(`docker.io/library/${name}`))) return
  const root = join(IMAGES, 'debian')
  rmSync(root, { recursive: true, force: true })
  mkdirSync(root, { recursive: true })
  await run('debootstrap', ['--variant=minbase', `--include=${PACKAGES.join(',')}`, 'bookworm', root, DEBIAN])
  for (const left of ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/man', 'usr/share/locale']) {
    rmSync(join(root, left), { recursive: true, force: true })
  }
  await run('chroot', [root, 'groupadd', '--gid', '1000', 'node'])
  await run('chroot', [root, 'useradd', '--uid', '1000', '--gid', 'node', '--create-home', 'node'])
  cpSync(join(repositoryRoot, NODE), join(root, 'usr/local/bin/node'))
  await run('npm', ['install', '--global', '--prefix', join(root, 'usr/local'), '--no-audit', '--no-fund', NPM])
  cpSync(CERTIFICATES, join(root, CERTIFICATES))
  writeFileSync(join(root, 'usr/local/bin/redis-server'), REDIS, { mode: 0o755 })
  const archive = join(IMAGES, 'debian.tar')
  execFileSync('tar', ['-C', root, '-cf', archive, '.'])
  for (const [name, changes] of Object.entries(BASES)) {
    await run('podman', [
      'import',
      ...changes.flatMap((change) => ['--change', change]),
      archive,
      `docker.io/library/${name}`,
    ])
  }
  for (const left of [root, archive]) rmSync(left, { recursive: true, force: true })
  writeFileSync(stampFile, stamp)
}
