/**
 * Installs the engines that npm does not carry, on Debian and as root.
 *
 * Installed versions come from the package database, not from the programs: two of them cannot print their version.
 */

import { existsSync, readFileSync } from 'node:fs'
import { capture } from './process.ts'

/** The bare JavaScriptCore shell, `jsc`, as Debian 12 and as Debian 13 call it. One of them is enough. */
export const JSC_PACKAGES: readonly string[] = ['libjavascriptcoregtk-4.0-bin', 'libjavascriptcoregtk-4.1-bin']

const DEBIAN_PACKAGES: readonly string[] = [
  'firefox-esr',
  // WebKitGTK with its MiniBrowser, which needs a screen; Xvfb is one without a monitor.
  'webkit2gtk-driver',
  'xvfb',
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

const APT_TIMEOUT_MS = 900_000

/** Why `--install` cannot work here, or undefined when it can. */
export function whyNoDebianInstall(): string | undefined {
  const list = [...DEBIAN_PACKAGES, JSC_PACKAGES[0]].join(' ')
  if (!existsSync('/etc/debian_version')) {
    return `--install knows only Debian's apt-get. Elsewhere install by hand what you want to compare: ${list}`
  }
  if (process.getuid?.() !== 0) return `--install needs root. Run as root: apt-get install ${list}`
  return undefined
}

/** Installs what is missing of `DEBIAN_PACKAGES`, as far as this Debian has it. */
export async function installFromDebian(log: (progress: string) => void): Promise<void> {
  const missing = DEBIAN_PACKAGES.filter((name) => debianVersion(name) === undefined)
  if (!JSC_PACKAGES.some(debianVersion)) missing.push(...JSC_PACKAGES)
  if (missing.length === 0) return

  log('reading the package lists')
  await apt('apt-get', ['update'])
  const known = (await apt('apt-cache', ['pkgnames'])).split('\n')
  const wanted = missing.filter((name) => known.includes(name))
  if (wanted.length === 0) return

  log(`installing ${wanted.join(' ')}: some 700 MB on disk when all are new, a minute or two`)
  await apt('apt-get', ['install', '-y', '--no-install-recommends', ...wanted])
}

/** The installed version of a Debian package, without Debian's own revision; undefined when it is not installed. */
export function debianVersion(name: string): string | undefined {
  if (!existsSync('/var/lib/dpkg/status')) return undefined
  const entries = readFileSync('/var/lib/dpkg/status', 'utf8').split('\n\n')
  const entry = entries.find((text) => text.startsWith(`Package: ${name}\n`))
  if (!entry?.includes('\nStatus: install ok installed\n')) return undefined
  return /\nVersion: (?:\d+:)?([^-+~\n]+)/.exec(entry)?.[1]
}

function apt(command: string, args: readonly string[]): Promise<string> {
  return capture(command, ['-q', '-o', 'DPkg::Lock::Timeout=120', ...args], {
    env: { DEBIAN_FRONTEND: 'noninteractive' },
    timeoutMs: APT_TIMEOUT_MS,
  })
}
