/**
 * The studio's page as a plugin of Vite: which games there are, where its files lie, and what an edit of the rules does.
 *
 * The page itself knows no game. It imports `virtual:hurtbox-studio`, which is made here from the files of a project. The same
 * plugin serves the page while one edits and builds it for a server; only the last part, edits, is for the former alone.
 */

import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { likelyId } from 'hurtbox/module/node'
import type { DevEnvironment, EnvironmentModuleNode, Plugin } from 'vite'
import { type Card, cardOf } from './still.ts'

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
/** Says what does not compile. */
const MISTAKE_URL = '/@hurtbox-studio/mistake'
export const WORKER_NAME = 'sim-worker'

const VIRTUAL = 'virtual:hurtbox-studio'
const RESOLVED = `\0${VIRTUAL}`

const POLICY =
  "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' data: blob:; manifest-src 'self'; connect-src 'self' ws: wss:; base-uri 'none'; form-action 'none'"

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
      async load(id) {
        if (id === RESOLVED)
          return virtualModule(page, isServer, isServer ? [] : await Promise.all(page.files.map(cardOf)))
        return !isServer && id === index ? pageHtml() : undefined
      },
      configureServer(server) {
        for (const file of page.files) server.watcher.add(dirname(file))
        server.middlewares.use(MISTAKE_URL, async (request, response) => {
          const name = new URL(request.url ?? '', 'http://localhost').searchParams.get('game')
          const wanted = namedFiles(page.files).filter((game) => game.name === name)
          const text = await firstMistake(
            server.environments.client,
            wanted.map(({ file }) => urlOf(file, page.root)),
            page.root,
          )
          response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
        })
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
      /** An edit of a game is followed by the page itself, which keeps its match; all else is Vite's. */
      hotUpdate: {
        order: 'pre',
        handler({ modules, timestamp }) {
          const { environment } = this
          if (environment.name !== 'client') return
          const edited = modules.filter(({ type }) => type === 'js')
          if (!edited.some((module) => leadsTo(module, page.files))) return
          const seen = new Set<EnvironmentModuleNode>()
          // Everything between the edit and the game gets a new address.
          for (const module of edited) environment.moduleGraph.invalidateModule(module, seen, timestamp, true)
          environment.hot.send('hurtbox:edit', { stamp: timestamp })
          return []
        },
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
 * a stamp loads it anew: Vite has given new addresses to all that was edited. A built page also has a card of each game.
 */
function virtualModule(
  { files, root, serverPath, opensGame }: StudioPage,
  isServer: boolean,
  cards: readonly (Card | undefined)[],
): string {
  const pictures = cards.map((card) => card?.picture)
  const games = namedFiles(files).map(({ name, file }, place) => {
    const again = isServer
      ? `stamp ? import(/* @vite-ignore */ ${JSON.stringify(`${urlOf(file, root)}?t=`)} + stamp) : `
      : ''
    const shown = relative(root, file).replaceAll('\\', '/')
    const card = cards[place] && { title: cards[place].title, about: cards[place].about }
    const still = pictures[place] === undefined ? JSON.stringify(cards[place]?.still) : `picture${place}`
    return `{
  name: ${JSON.stringify(name)},
  file: ${JSON.stringify(shown)},
  card: ${card === undefined ? card : `{ ...${JSON.stringify(card)}, still: ${still} }`},
  load: (stamp) => ${again}import(${JSON.stringify(file)}),
}`
  })
  const imports = pictures.map((file, place) =>
    file === undefined ? '' : `import picture${place} from ${JSON.stringify(`${file}?url`)}\n`,
  )
  return `${imports.join('')}export const games = [${games.join(',\n')}]
export const workerUrl = ${isServer ? JSON.stringify(WORKER_URL) : 'globalThis.document?.documentElement.dataset.worker'}
export const serverPath = ${JSON.stringify(serverPath)}
export const opensGame = ${opensGame}
`
}

function namedFiles(files: readonly string[]): { readonly name: string; readonly file: string }[] {
  const taken = new Set<string>()
  return files.map((file) => {
    let name = likelyId(file)
    for (let n = 2; taken.has(name); n++) name = `${likelyId(file)}-${n}`
    taken.add(name)
    return { name, file }
  })
}

/** Whether a module is one of these files, or one of them imports it, however indirectly. */
function leadsTo(
  module: EnvironmentModuleNode,
  files: readonly string[],
  seen = new Set<EnvironmentModuleNode>(),
): boolean {
  if (seen.has(module)) return false
  seen.add(module)
  if (module.file !== null && files.includes(module.file)) return true
  return [...module.importers].some((importer) => leadsTo(importer, files, seen))
}

/** The first file that does not compile among these addresses and all that they import of the project; '' if all do. */
async function firstMistake(environment: DevEnvironment, urls: readonly string[], root: string): Promise<string> {
  const queue = [...urls]
  // The list grows while it is walked.
  for (const url of queue) {
    try {
      await environment.transformRequest(url)
    } catch (error) {
      return describeMistake(error as CompileError, url, root)
    }
    const module = await environment.moduleGraph.getModuleByUrl(url)
    for (const { url: imported, file } of module?.importedModules ?? []) {
      if (file !== null && !file.includes('/node_modules/') && !queue.includes(imported)) queue.push(imported)
    }
  }
  return ''
}

type CompileError = Error & { readonly loc?: { file?: string; line: number; column: number }; readonly frame?: string }

function describeMistake({ message, loc, frame = '' }: CompileError, url: string, root: string): string {
  const file = loc?.file === undefined ? url.split('?')[0].replace(/^\//, '') : relative(root, loc.file)
  const place = loc === undefined ? file : `${file}:${loc.line}:${loc.column}`
  // Vite writes for terminals, and adds the frame to some messages by itself.
  const plain = stripVTControlCharacters(message.includes(frame) ? message : `${message}\n${frame}`)
  return `${place}: ${plain.trim()}`
}

/** The address at which Vite's server has a file. */
function urlOf(file: string, root: string): string {
  const inside = relative(root, file).replaceAll('\\', '/')
  return inside.startsWith('..') ? `/@fs/${file.replaceAll('\\', '/').replace(/^\//, '')}` : `/${inside}`
}
