/** Builds the page for a project's games: plain files that work from any folder, on any static host. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build, type Plugin } from 'vite'
import { projectConfig } from './config.ts'
import { offlinePlugin } from './offline.ts'
import { JSX, type StudioPage, studioPlugin, WORKER_NAME, WORKER_URL } from './plugin.ts'

export type BuildOptions = {
  readonly files: readonly string[]
  /** The folder of the project. */
  readonly root: string
  readonly outDir: string
  /** The project's Vite configuration; default: the one in `root`, if there is one. */
  readonly config?: string
}

/** What a build was made of, and when it began. */
export type BuildRecord = {
  readonly files: readonly string[]
  readonly sources: readonly string[]
  readonly builtAt: number
}

/** Beside the built page and not in it, where a server would show it. */
export function recordFile(outDir: string): string {
  return `${outDir.replace(/[\\/]+$/, '')}.json`
}

export async function buildStudio({ files, root, outDir, config }: BuildOptions): Promise<void> {
  const page: StudioPage = { files, root, serverPath: '', opensGame: false }
  const publicDir = join(root, 'public')
  const own = await projectConfig('build', root, config)
  const builtAt = Date.now()
  const record: Plugin = {
    name: 'hurtbox-studio-record',
    generateBundle() {
      const sources = [...this.getModuleIds()].map((id) => id.split('?')[0]).filter((id) => existsSync(id))
      const made: BuildRecord = { files, sources: [...new Set(sources)], builtAt }
      mkdirSync(dirname(outDir), { recursive: true })
      writeFileSync(recordFile(outDir), JSON.stringify(made))
    },
  }
  await build({
    ...own,
    ...JSX,
    configFile: false,
    root,
    base: './',
    publicDir: existsSync(publicDir) ? publicDir : false,
    logLevel: 'warn',
    plugins: [studioPlugin(page), ...own.plugins, offlinePlugin(page), record],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      modulePreload: false,
      // Nothing is inlined, because the page's content security policy allows no inline script or style.
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 1000,
      rollupOptions: {
        // The worker is an entry of the same build, not a build of its own: page and worker then share the code of engine and
        // games, which is loaded once. The page finds its name in its own HTML.
        input: { index: join(root, 'index.html'), [WORKER_NAME]: WORKER_URL },
        output: { entryFileNames: 'assets/[name]-[hash].js' },
      },
    },
  })
}
