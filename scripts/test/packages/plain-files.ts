/**
 * The project as plain files over HTTP, and a page whose worker runs the fight: no bundler, the modules as they are.
 *
 * An import map would give the page the place of `hurtbox`, but workers have none. So the one file that is the user's own is
 * served with addresses in its imports, taken from the package's `exports`; the package's files import each other by
 * address already.
 */

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, posix } from 'node:path'
import { installedManifest, type Project } from './project.ts'

/** The page's `reported` is a promise of what the worker says. */
const PAGE = `<!doctype html>
<script>
  const worker = new Worker('/worker.js', { type: 'module' })
  const reported = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = ({ message, filename, lineno }) => reject(new Error(message + ' ' + filename + ':' + lineno))
  })
</script>
`
const WORKER = `
import { report } from '/fight.js'
postMessage(report)
`

export async function servePlainFiles(project: Project): Promise<{ url: string; close(): void }> {
  const exports = installedManifest(project, 'hurtbox').exports as unknown as Record<string, { default: string }>
  const addressOf = (way: string) => posix.join('/node_modules/hurtbox', exports[way.replace('hurtbox', '.')].default)
  const fight = readFileSync(join(project.folder, 'fight.js'), 'utf8').replace(/(?<= from ')hurtbox[^']*/g, (way) =>
    addressOf(way),
  )

  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://localhost').pathname
    const send = (type: string, body: string | Buffer) => response.writeHead(200, { 'content-type': type }).end(body)
    if (path === '/') send('text/html', PAGE)
    else if (path === '/worker.js') send('text/javascript', WORKER)
    else if (path === '/fight.js') send('text/javascript', fight)
    else if (/^\/node_modules\/hurtbox\/dist\/[\w/-]+\.js$/.test(path))
      send('text/javascript', readFileSync(join(project.folder, path)))
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
