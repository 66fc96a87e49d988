/** `hurtbox studio`: the page for a project's games through Vite, reloading while one edits. */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createServer, type InlineConfig, type ProxyOptions, searchForWorkspaceRoot } from 'vite'
import { projectConfig } from './config.ts'
import { JSX, PACKAGE, studioPlugin } from './plugin.ts'

export type StudioOptions = {
  /** Absolute paths of the modules of games. */
  readonly files: readonly string[]
  /** The folder of the project. */
  readonly root: string
  readonly host?: string
  /** 0 takes a free one. Default: 5180, or the next that is free. */
  readonly port?: number
  /** A server of one's own, whose rooms and replays the page offers: `http://127.0.0.1:2567`. */
  readonly server?: string
  /** The project's Vite configuration; default: the one in `root`, if there is one. */
  readonly config?: string
  /** Where Vite keeps what it prepared. Default: `node_modules/.vite-hurtbox` of the project. */
  readonly cacheDir?: string
}

export type StudioServer = { readonly url: string; close(): Promise<void> }

const DEFAULT_PORT = 5180
/** Below this the page finds the rooms of another server: the browser then talks to one place only. */
const SERVER_PATH = '/hurtbox-server'

export async function startStudio(options: StudioOptions): Promise<StudioServer> {
  const { files, root, host = '127.0.0.1', port, server } = options
  const own = await projectConfig('serve', root, options.config)
  const page = { files, root, serverPath: server === undefined ? '' : SERVER_PATH, opensGame: files.length === 1 }
  const vite = await createServer({
    ...own,
    ...JSX,
    configFile: false,
    root,
    base: '/',
    appType: 'custom',
    cacheDir: options.cacheDir ?? join(root, 'node_modules/.vite-hurtbox'),
    logLevel: 'warn',
    clearScreen: false,
    plugins: [studioPlugin(page), ...own.plugins],
    resolve: {
      ...own.resolve,
      dedupe: [...(own.resolve?.dedupe ?? []), 'hurtbox', '@hurtbox/netcode', '@hurtbox/colyseus', '@hurtbox/view'],
    },
    optimizeDeps: prepareAtOnce(own, files),
    server: {
      host,
      port: port ?? DEFAULT_PORT,
      strictPort: port !== undefined && port !== 0,
      fs: { allow: [root, searchForWorkspaceRoot(root), PACKAGE, ...files.map((file) => dirname(file))] },
      // Mistakes in the rules are shown in the page, beside the match that goes on.
      hmr: { overlay: false },
      ...(server !== undefined && { proxy: { [SERVER_PATH]: passOn(server) } }),
    },
  })
  await vite.listen(port === 0 ? 0 : undefined)
  const [url] = vite.resolvedUrls!.local.concat(vite.resolvedUrls!.network)
  return { url, close: () => vite.close() }
}

/** The other server sees its own page talk to it: this one is on a developer's machine only. */
function passOn(target: string): ProxyOptions {
  return {
    target,
    ws: true,
    changeOrigin: true,
    rewrite: (path) => path.slice(SERVER_PATH.length) || '/',
    headers: { origin: new URL(target).origin },
  }
}

/** What Vite prepares before the page is opened: found while it runs, each find would load the page again. */
function prepareAtOnce(own: InlineConfig, files: readonly string[]): NonNullable<InlineConfig['optimizeDeps']> {
  // In the repository the packages are sources, and only what they need of others is prepared.
  const isInstalled = PACKAGE.includes('node_modules')
  const ofPage = ['preact', 'preact/hooks', 'preact/jsx-runtime', 'preact/jsx-dev-runtime', '@preact/signals']
  const ofOurs = isInstalled
    ? [
        ...waysInto('hurtbox'),
        ...waysInto('@hurtbox/netcode'),
        ...waysInto('@hurtbox/view'),
        '@hurtbox/colyseus/client',
      ]
    : []
  return {
    ...own.optimizeDeps,
    entries: [...files],
    include: [
      ...(own.optimizeDeps?.include ?? []),
      ...ofPage.map((name) => `@hurtbox/studio > ${name}`),
      ...ofOurs.map((name) => `@hurtbox/studio > ${name}`),
    ],
  }
}

/** Every way into an installed package that a page may take. */
function waysInto(name: string): string[] {
  for (let folder = PACKAGE; ; folder = dirname(folder)) {
    const manifest = join(folder, 'node_modules', name, 'package.json')
    if (existsSync(manifest)) {
      const { exports } = JSON.parse(readFileSync(manifest, 'utf8')) as { exports: Record<string, unknown> }
      const ways = Object.keys(exports).filter((way) => !/\.json$|\/(node|lint|phaser|pixi|three)$/.test(way))
      return ways.map((way) => way.replace('.', name))
    }
    if (dirname(folder) === folder) return [name]
  }
}
