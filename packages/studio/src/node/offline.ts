/** What makes a built page one that can be installed and works offline: manifest, icon, service worker, and where its worker is. */

import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadModule } from 'hurtbox/module/node'
import type { Plugin } from 'vite'
import { PACKAGE, WORKER_NAME } from './plugin.ts'
import { serviceWorkerCode } from './service-worker.ts'

const PLACE = {
  start_url: './',
  scope: './',
  display: 'standalone',
  orientation: 'any',
  background_color: '#090b11',
  theme_color: '#090b11',
  icons: [{ src: './icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any maskable' }],
}

const ABOUT_SEVERAL = 'Play, scrub, tune and question games on one deterministic combat engine.'

/** What the page is called where it is installed: the game, or of several the name that their package.json gives them. */
async function wordsOf({ files, root }: Page): Promise<{ name: string; short_name: string; description: string }> {
  const only = files.length === 1 ? await loadModule(files[0]).catch(() => undefined) : undefined
  const name = only?.title ?? nameIn(join(root, 'package.json'))
  return { name, short_name: name, description: only?.about || only?.goal || ABOUT_SEVERAL }
}

function nameIn(file: string): string {
  const { name, hurtbox } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  return String(hurtbox?.title ?? name ?? 'Hurtbox')
}

type Page = {
  /** Absolute paths of the modules of games. */
  readonly files: readonly string[]
  /** The folder of the project. */
  readonly root: string
}

export function offlinePlugin(page: Page): Plugin {
  return {
    name: 'hurtbox-studio-offline',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const worker = Object.values(bundle ?? {}).find((each) => each.type === 'chunk' && each.name === WORKER_NAME)
        return {
          html: html
            .replace('<html', `<html data-worker="./${worker?.fileName ?? ''}"`)
            .replace('<link rel="icon" href="data:," />', '<link rel="icon" href="./icon.svg" />'),
          tags: [{ tag: 'link', attrs: { rel: 'manifest', href: './manifest.webmanifest' }, injectTo: 'head' }],
        }
      },
    },
    generateBundle: {
      // After everything else, so that all files are there.
      order: 'post',
      async handler(_, bundle) {
        this.emitFile({ type: 'asset', fileName: 'icon.svg', source: readFileSync(join(PACKAGE, 'icon.svg')) })
        this.emitFile({
          type: 'asset',
          fileName: 'manifest.webmanifest',
          source: JSON.stringify({ ...(await wordsOf(page)), ...PLACE }),
        })
        const built = Object.keys(bundle).filter((file) => !file.endsWith('.html') && !file.endsWith('.map'))
        const files = [...new Set([...built, 'icon.svg', 'manifest.webmanifest'])].sort()
        const version = createHash('sha256').update(files.join('\n')).digest('base64url').slice(0, 12)
        this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: serviceWorkerCode(files, version) })
      },
    },
  }
}
