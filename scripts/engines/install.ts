/**
 * Fetches the runtimes that a plain `npm ci` does not bring.
 *
 * From npm each goes into a folder of its own, `.engines/<name>-<version>`, made under another name and renamed when it
 * is complete, so an interrupted download is never taken for an installed runtime. The packages used hold nothing but
 * the binary, so no install script runs. From Debian come the engines that npm does not carry.
 */

import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { capture } from './process.ts'

export const repositoryRoot: string = fileURLToPath(new URL('../..', import.meta.url))
const enginesFolder = join(repositoryRoot, '.engines')

/** What is fetched on demand, and exactly which. Node 24, Bun and Chromium are pinned by the root package.json. */
export const PINNED = {
  node20: '20.20.2',
  node22: '22.23.3',
  deno: '2.9.6',
  'node22-arm64': '22.23.3',
  // The newest that npm has for 32-bit ARM.
  'node20-arm32': '20.11.0',
} as const

export const DEBIAN_PACKAGES: readonly string[] = [
  'firefox-esr',
  // WebKitGTK with its MiniBrowser, which needs a screen; Xvfb is one without a monitor.
  'webkit2gtk-driver',
  'xvfb',
  // The bare JavaScriptCore shell, `jsc`.
  'libjavascriptcoregtk-4.0-bin',
  // SpiderMonkey as a shell.
  'gjs',
  // Node for another CPU: the emulator, and the C libraries of 64-bit and 32-bit ARM.
  'qemu-user',
  'libc6-arm64-cross',
  'libstdc++6-arm64-cross',
  'libc6-armhf-cross',
  'libstdc++6-armhf-cross',
  'libatomic1-armhf-cross',
]

const NPM_TIMEOUT_MS = 300_000
const APT_TIMEOUT_MS = 900_000

/** The folder `.engines/<name>-<version>`, filled by `fill` unless it is already there. */
export async function preparedFolder(
  name: string,
  version: string,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(enginesFolder, `${name}-${version}`)
  if (existsSync(folder)) return folder

  const unfinished = `${folder}.${process.pid}.unfinished`
  try {
    await mkdir(unfinished, { recursive: true })
    await fill(unfinished)
    await rename(unfinished, folder)
  } catch (error) {
    // Two matrices may have filled it side by side. One wins the rename; both contents are the same.
    if (!existsSync(folder)) throw error
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  await removeOtherVersions(name, version)
  return folder
}

/** Installs one npm package and gives the folder that holds its `node_modules`. */
export function installFromNpm(
  name: string,
  version: string,
  npmPackage: string,
  onStart: () => void,
): Promise<string> {
  return preparedFolder(name, version, async (folder) => {
    onStart()
    // Without a package.json of its own, npm would look for one further up and install there.
    await writeFile(join(folder, 'package.json'), '{ "private": true }\n')
    // --force: a runtime for another CPU is installed on purpose.
    const options = ['--ignore-scripts', '--force', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
    await capture('npm', ['install', '--prefix', folder, ...options, `${npmPackage}@${version}`], {
      cwd: folder,
      timeoutMs: NPM_TIMEOUT_MS,
    })
  })
}

/** Why `--install` cannot work here, or undefined when it can. */
export function whyNoDebianInstall(): string | undefined {
  const list = DEBIAN_PACKAGES.join(' ')
  if (!existsSync('/etc/debian_version')) {
    return `--install knows only Debian's apt-get. Elsewhere install by hand what you want to compare: ${list}`
  }
  if (process.getuid?.() !== 0) return `--install needs root. Run as root: apt-get install ${list}`
  return undefined
}

/** Installs what is missing of `DEBIAN_PACKAGES`. */
export async function installFromDebian(say: (progress: string) => void): Promise<void> {
  const missing = DEBIAN_PACKAGES.filter((name) => debianVersion(name) === undefined)
  if (missing.length === 0) return say('Debian packages: all there')

  say(`Debian packages: installing ${missing.join(' ')} (some 700 MB on disk, a minute or two)`)
  await apt(['update'])
  await apt(['install', '-y', '--no-install-recommends', ...missing])
}

/** The installed version of a Debian package, without Debian's own revision; undefined when it is not installed. */
export function debianVersion(name: string): string | undefined {
  if (!existsSync('/var/lib/dpkg/status')) return undefined
  const entries = readFileSync('/var/lib/dpkg/status', 'utf8').split('\n\n')
  const entry = entries.find((text) => text.startsWith(`Package: ${name}\n`))
  if (!entry?.includes('\nStatus: install ok installed\n')) return undefined
  return /\nVersion: (?:\d+:)?([^-+~\n]+)/.exec(entry)?.[1]
}

async function apt(args: readonly string[]): Promise<void> {
  await capture('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=120', ...args], {
    env: { DEBIAN_FRONTEND: 'noninteractive' },
    timeoutMs: APT_TIMEOUT_MS,
  })
}

async function removeOtherVersions(name: string, version: string): Promise<void> {
  for (const entry of await readdir(enginesFolder)) {
    // Digits right after the name: `node22-22.23.3` is a version of node22, `node22-arm64-22.23.3` is not.
    const isVersion = entry.startsWith(`${name}-`) && /^[\d.]+$/.test(entry.slice(name.length + 1))
    if (isVersion && entry !== `${name}-${version}`)
      await rm(join(enginesFolder, entry), { recursive: true, force: true })
  }
}
