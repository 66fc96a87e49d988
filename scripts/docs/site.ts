/** The built documentation, served as plain files. */

import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { repositoryRoot } from '../engines/install-npm.ts'

/** Where `npm run docs` builds it. */
export const SITE = join(repositoryRoot, 'docs/.vitepress/dist')

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

/** Serves it on a free port of loopback. */
export async function serveSite(): Promise<{ readonly url: string; readonly close: () => void }> {
  if (!existsSync(SITE)) throw new Error('There is no built documentation. Build it first: npm run docs')
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname))
    const file = [path, `${path}.html`, join(path, 'index.html')]
      .map((each) => join(SITE, each))
      .find((each) => each.startsWith(SITE) && statSync(each, { throwIfNoEntry: false })?.isFile())
    if (file === undefined) return void response.writeHead(404).end()
    response
      .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
      .end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() }
}
