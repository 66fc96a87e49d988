/** A browser with the built studio in it, served as plain files from a folder that is not the root of the host. */

import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { unpackChromium } from '../../../scripts/engines/chromium.ts'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

export type Served = { readonly url: string; close(): Promise<void> }

/** Serves `dist` below `/some/folder/`, so that nothing may lean on an absolute path. */
export async function serveStudio(): Promise<Served> {
  const prefix = '/some/folder/'
  const server: Server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    try {
      const name = path === prefix ? 'index.html' : normalize(path.slice(prefix.length))
      if (!path.startsWith(prefix) || name.startsWith('..')) throw new Error('outside')
      const body = readFileSync(join(dist, name))
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
    executablePath: unpacked.binary,
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    env: { ...process.env, LD_LIBRARY_PATH: unpacked.libraries },
  })
}

export type Opened = { readonly page: Page; readonly problems: string[] }

/** A fresh page at `hash`; everything that goes wrong in it is collected. */
export async function openPage(
  browser: Browser,
  served: Served,
  hash = '',
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  })
  await page.goto(`${served.url}${hash}`)
  return { page, problems }
}
