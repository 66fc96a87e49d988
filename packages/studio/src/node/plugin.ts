/**
 * The studio's page as a plugin of Vite: which games there are, where its files lie, and what an edit of the rules does.
 *
 * The page itself knows no game. It imports `virtual:hurtbox-studio`, which is made here from the files of a project. The same
 * plugin serves the page while one edits and builds it for a server; only the last part, edits, is for the former alone.
 */

import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { likelyId } from 'hurtbox/module/node'
import type { Plugin } from 'vite'

export type StudioPage = {
  /** Absolute paths of the modules of games, the first one in front. */
  readonly files: readonly string[]
  /** The folder of the project, which is Vite's root. */
  readonly root: string
  /** Where rooms are, as the page calls it; '' for the place the page came from. */
  readonly serverPath: string
  /** Whether the page opens the only game at once instead of the list. */
  readonly opensGame: boolean
}

/** The package's own folder, and its page: TypeScript in the repository, JavaScript where it is installed. */
export const PACKAGE: string = fileURLToPath(new URL('../../', import.meta.url))
const isSource = import.meta.url.endsWith('.ts')
const sourceOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const MAIN = sourceOf(isSource ? 'main.tsx' : 'main.js')
const WORKER = sourceOf(isSource ? 'sim/worker.ts' : 'sim/worker.js')

/** Addresses of the page's two entries, in Vite's server as in its build. */
const MAIN_URL = '/@hurtbox-studio/main'
export const WORKER_URL = '/@hurtbox-studio/worker'
const BUILT_WORKER = './assets/sim-worker.js'

const VIRTUAL = 'virtual:hurtbox-studio'
const RESOLVED = `\0${VIRTUAL}`

const POLICY =
  "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self' ws: wss:; base-uri 'none'; form-action 'none'"

/** JSX of the page, where its sources have any: installed, it is compiled already. */
export const JSX: { oxc?: object } = isSource ? { oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } } } : {}

export function studioPlugin(page: StudioPage): Plugin[] {
  const index = join(page.root, 'index.html')
  let isServer = false
  return [
    {
      name: 'hurtbox-studio',
      enforce: 'pre',
      config: (_, { command }) => {
        isServer = command === 'serve'
      },
      resolveId(id) {
        if (id === VIRTUAL) return RESOLVED
        const [path, query] = id.split('?')
        const file = path === MAIN_URL ? MAIN : path === WORKER_URL ? WORKER : undefined
        if (file !== undefined) return query === undefined ? file : `${file}?${query}`
        return !isServer && id === index ? id : undefined
      },
      load(id) {
        if (id === RESOLVED) return virtualModule(page, isServer)
        return !isServer && id === index ? pageHtml() : undefined
      },
      configureServer(server) {
        server.middlewares.use(async (request, response, next) => {
          const [path] = (request.url ?? '').split('?')
          if (path !== '/' && path !== '/index.html') return next()
          try {
            const html = await server.transformIndexHtml('/', pageHtml())
            response
              .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
              .end(html)
          } catch (error) {
            next(error)
          }
        })
      },
    },
    {
      name: 'hurtbox-studio-policy',
      // Only what is built has the policy: while one edits, Vite itself puts inline styles into the page.
      apply: 'build',
      transformIndexHtml: () => [
        { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY }, injectTo: 'head-prepend' },
      ],
    },
  ]
}

function pageHtml(): string {
  return readFileSync(join(PACKAGE, 'index.html'), 'utf8').replace('/src/main.tsx', MAIN_URL)
}

/**
 * What the page knows of the project. A game goes by the name its file suggests until it is loaded and says its id. `load` with
 * a stamp loads it anew: Vite has given new addresses to all that was edited.
 */
function virtualModule({ files, root, serverPath, opensGame }: StudioPage, isServer: boolean): string {
  const taken = new Set<string>()
  const games = files.map((file) => {
    let name = likelyId(file)
    for (let n = 2; taken.has(name); n++) name = `${likelyId(file)}-${n}`
    taken.add(name)
    const again = isServer
      ? `stamp ? import(/* @vite-ignore */ ${JSON.stringify(`${urlOf(file, root)}?t=`)} + stamp) : `
      : ''
    const shown = relative(root, file).replaceAll('\\', '/')
    return `{ name: ${JSON.stringify(name)}, file: ${JSON.stringify(shown)}, load: (stamp) => ${again}import(${JSON.stringify(file)}) }`
  })
  return `export const games = [${games.join(',\n')}]
export const workerUrl = ${JSON.stringify(isServer ? WORKER_URL : BUILT_WORKER)}
export const serverPath = ${JSON.stringify(serverPath)}
export const opensGame = ${opensGame}
`
}

/** The address at which Vite's server has a file. */
function urlOf(file: string, root: string): string {
  const inside = relative(root, file).replaceAll('\\', '/')
  return inside.startsWith('..') ? `/@fs/${file.replaceAll('\\', '/').replace(/^\//, '')}` : `/${inside}`
}
