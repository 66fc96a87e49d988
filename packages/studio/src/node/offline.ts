/** What makes a built page one that can be installed and works offline: manifest, icon, service worker, and where its worker is. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { PACKAGE, WORKER_NAME } from './plugin.ts'
import { serviceWorkerCode } from './service-worker.ts'

const MANIFEST = {
  name: 'Hurtbox',
  short_name: 'Hurtbox',
  description: 'Play, scrub, tune and question games on one deterministic combat engine.',
  start_url: './',
  scope: './',
  display: 'standalone',
  orientation: 'any',
  background_color: '#090b11',
  theme_color: '#090b11',
  icons: [{ src: './icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any maskable' }],
}

export function offlinePlugin(): Plugin {
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
      handler(_, bundle) {
        this.emitFile({ type: 'asset', fileName: 'icon.svg', source: readFileSync(join(PACKAGE, 'icon.svg')) })
        this.emitFile({ type: 'asset', fileName: 'manifest.webmanifest', source: JSON.stringify(MANIFEST) })
        const built = Object.keys(bundle).filter((file) => !file.endsWith('.html') && !file.endsWith('.map'))
        const files = [...new Set([...built, 'icon.svg', 'manifest.webmanifest'])].sort()
        const version = createHash('sha256').update(files.join('\n')).digest('base64url').slice(0, 12)
        this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: serviceWorkerCode(files, version) })
      },
    },
  }
}
