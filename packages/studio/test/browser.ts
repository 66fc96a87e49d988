/** A browser with the built studio in it, served as plain files from a folder that is not the root of the host. */

import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, extname, join, normalize } from 'node:path'
import { buildApart } from '@hurtbox/studio/node'
import { loadModules } from 'hurtbox/module/node'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { unpackChromium } from '../../../scripts/engines/chromium.ts'
import { preparedFolder, repositoryRoot } from '../../../scripts/engines/install-npm.ts'
import { madeOnce } from '../../../scripts/test/once.ts'

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
  return madeOnce(STUDIO, (outDir) => buildApart({ files, root: repositoryRoot, outDir }))
}

/** All that the page is made of, and what decides how it is built. */
const STUDIO = {
  kind: 'studio-builds',
  sources: ['packages', 'games', 'package.json', 'package-lock.json'],
  except: ['test'],
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

/** Shorter than what the studio plays ahead of the frame shown (LEAD_MS and a tick), so that matches keep their pace. */
const FRAME_MS = 40

/** A screen of 25 frames a second: drawing sixty without a graphics card takes most of the time of a test, and shows the same. */
export async function drawSeldom(page: Page): Promise<void> {
  await page.addInitScript((frameMs) => {
    const draw = requestAnimationFrame.bind(window)
    const waiting = new Map<number, FrameRequestCallback>()
    let requests = 0
    const show = (nowMs: number) => {
      const callbacks = [...waiting.values()]
      waiting.clear()
      for (const callback of callbacks) callback(nowMs)
    }
    window.requestAnimationFrame = (callback) => {
      // Until the next frame of the real screen it is half a frame of it on average.
      if (waiting.size === 0) setTimeout(() => draw(show), frameMs - 8)
      waiting.set(++requests, callback)
      return requests
    }
    window.cancelAnimationFrame = (request) => void waiting.delete(request)
  }, FRAME_MS)
}

export type Opened = { readonly page: Page; readonly problems: string[] }

export type OpenOptions = BrowserContextOptions & {
  /** Called with the page before it loads anything. */
  readonly before?: (page: Page) => Promise<void>
  /** Draws as often as the browser can. */
  readonly isSmooth?: boolean
}

/** Takes WebGL away: what needs it is then drawn flat, which is fast on machines without a graphics card. */
export function withoutWebGl(page: Page): Promise<void> {
  return page
    .addInitScript(() => {
      const real = HTMLCanvasElement.prototype.getContext
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...args: [kind: string]) {
        return args[0].startsWith('webgl') ? null : real.apply(this, args as never)
      } as typeof real
    })
    .then(() => {})
}

/** A fresh page at `hash`; everything that goes wrong in it is collected. */
export async function openPage(
  browser: Browser,
  served: Served,
  hash = '',
  { before, isSmooth = false, ...options }: OpenOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    // Painting without a graphics card takes most of the time of a test. A quarter of the pixels shows the same, in the same layout.
    deviceScaleFactor: 0.5,
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
  if (!isSmooth) await drawSeldom(page)
  await before?.(page)
  await page.goto(`${served.url}${hash}`)
  return { page, problems }
}
