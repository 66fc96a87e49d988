/** A browser with the built studio in it, served as plain files from a folder that is not the root of the host. */

import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, extname, join, normalize } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildApart } from '@hurtbox/studio/node'
import { loadModules } from 'hurtbox/module/node'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { unpackChromium } from '../../engines/chromium.ts'
import { preparedFolder, repositoryRoot } from '../../engines/install-npm.ts'

/** The files of the games that are served here. */
export async function gameFiles(): Promise<string[]> {
  const { modules } = await loadModules(repositoryRoot)
  return modules.filter(({ room }) => room !== undefined).map(({ file }) => file)
}

/**
 * Builds the studio for them as it is shipped. Returns its folder, to be read only: test files that run side by side or one after
 * the other share one build for as long as no source has changed.
 */
export async function buildStudio(): Promise<string> {
  const files = await gameFiles()
  const builds = join(repositoryRoot, '.cache/studio-builds')
  const outDir = join(builds, stampOf(SOURCES.map((path) => join(repositoryRoot, path))))
  mkdirSync(builds, { recursive: true })
  while (!existsSync(outDir)) {
    const lock = `${outDir}.lock`
    // Whoever makes the folder builds; the others wait, and take over when it has died.
    if (mkdirSync(lock, { recursive: true }) === undefined && isYoung(lock)) {
      await sleep(100)
      continue
    }
    const aside = join(builds, `${process.pid}-unfinished`)
    try {
      await buildApart({ files, root: repositoryRoot, outDir: aside })
      if (!existsSync(outDir)) renameSync(aside, outDir)
    } finally {
      for (const left of [aside, `${aside}.json`, lock]) rmSync(left, { recursive: true, force: true })
    }
    for (const old of readdirSync(builds).filter((name) => !isYoung(join(builds, name), DAY_MS))) {
      rmSync(join(builds, old), { recursive: true, force: true })
    }
  }
  return outDir
}

/** All that the page is made of, and what decides how it is built. */
const SOURCES = ['packages', 'games', 'package.json', 'package-lock.json']
const LONGEST_BUILD_MS = 180_000

const DAY_MS = 24 * 3_600_000

const isYoung = (path: string, ms = LONGEST_BUILD_MS) =>
  Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < ms

/** The same for as long as no file at or below these places changes. */
function stampOf(places: readonly string[]): string {
  const hash = createHash('sha256')
  const take = (path: string) => {
    const { mtimeMs, size } = statSync(path)
    if (!statSync(path).isDirectory()) hash.update(`${path} ${mtimeMs} ${size}\n`)
    else
      for (const name of readdirSync(path).sort())
        if (!/^(node_modules|dist|test|\..*)$/.test(name)) take(join(path, name))
  }
  for (const place of places) take(place)
  return hash.digest('hex').slice(0, 16)
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

export type Served = { readonly url: string; close(): Promise<void> }

/** Serves a built studio below `/some/folder/`, so that nothing may lean on an absolute path. */
export async function serveStudio(folder: string): Promise<Served> {
  const prefix = '/some/folder/'
  const server: Server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    try {
      const name = path === prefix ? 'index.html' : normalize(path.slice(prefix.length))
      if (!path.startsWith(prefix) || name.startsWith('..')) throw new Error('outside')
      const body = readFileSync(join(folder, name))
      response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream' }).end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Undefined on systems for which npm brings no browser. */
export async function startBrowser(): Promise<Browser | undefined> {
  const unpacked = await unpackChromium(() => {})
  if (unpacked === undefined) return undefined
  return chromium.launch({
    executablePath: await withSoftwareGl(unpacked.binary),
    args: [
      '--no-sandbox',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      // Only WebGL by the slow software renderer; pages and plain canvases are painted without it.
      '--disable-gpu-compositing',
      '--disable-gpu-rasterization',
      '--disable-accelerated-2d-canvas',
    ],
    env: { ...process.env, LD_LIBRARY_PATH: unpacked.libraries },
  })
}

/**
 * The same browser in a folder with a renderer for WebGL, which it looks for beside itself. Sumo needs one; the machines
 * that run tests have no graphics card.
 */
async function withSoftwareGl(binary: string): Promise<string> {
  const packageFolder = join(repositoryRoot, 'node_modules/@sparticuz/chromium')
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  const folder = await preparedFolder('chromium-gl', version, async (target) => {
    const { inflate } = await import('@sparticuz/chromium')
    // The package unpacks into the temporary folder, wherever that is at the moment.
    const before = process.env.TMPDIR
    process.env.TMPDIR = target
    try {
      await inflate(join(packageFolder, 'bin/swiftshader.tar.br'))
    } finally {
      if (before === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = before
    }
    for (const name of readdirSync(dirname(binary))) {
      if (name !== 'al2023') cpSync(join(dirname(binary), name), join(target, name), { recursive: true })
    }
  })
  return join(folder, basename(binary))
}

export type Opened = { readonly page: Page; readonly problems: string[] }

/** `before` is called with the page before it loads anything. */
export type OpenOptions = BrowserContextOptions & { readonly before?: (page: Page) => Promise<void> }

/** Takes WebGL away: what needs it is then drawn flat, which is fast on machines without a graphics card. */
export function withoutWebGl(page: Page): Promise<void> {
  return page
    .addInitScript(() => {
      const real = HTMLCanvasElement.prototype.getContext
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: never[]) {
        return kind.startsWith('webgl') ? null : real.call(this, kind as '2d', ...rest)
      } as typeof real
    })
    .then(() => {})
}

/** A fresh page at `hash`; everything that goes wrong in it is collected. */
export async function openPage(
  browser: Browser,
  served: Served,
  hash = '',
  { before, ...options }: OpenOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    // They would fetch the whole studio in every page that a test opens.
    serviceWorkers: 'block',
    ...options,
  })
  const page = await context.newPage()
  // Vite prepares packages while the page is opened, on a busy machine for a while.
  page.setDefaultTimeout(120_000)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    // Whether there is a server is found out by asking; plain files have none.
    if (message.location().url.endsWith('/health')) return
    if (message.text().includes('registration blocked by Playwright')) return
    // The software renderer complains about its own speed.
    if (message.text().includes('GL Driver Message')) return
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  })
  await before?.(page)
  await page.goto(`${served.url}${hash}`)
  return { page, problems }
}
