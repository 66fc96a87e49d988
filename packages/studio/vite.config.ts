/**
 * Building the studio: plain files that work from any folder, on any static host, offline.
 *
 * Nothing is inlined into the page, because its content security policy allows no inline script or style.
 */

import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const POLICY =
  "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self' ws: wss:; base-uri 'none'; form-action 'none'"

/** Only what is built has the policy: while one edits, Vite itself puts inline styles into the page. */
const contentSecurityPolicy: Plugin = {
  name: 'content-security-policy',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY },
      injectTo: 'head-prepend',
    },
  ],
}

export default defineConfig({
  root: here('.'),
  base: './',
  plugins: [contentSecurityPolicy],
  build: {
    outDir: 'dist',
    target: 'es2023',
    modulePreload: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    rollupOptions: {
      // The worker is an entry of the same build, not a build of its own: page and worker then share the code of engine and
      // games, which is loaded once. It has a fixed name so that the page finds it.
      input: {
        index: here('index.html'),
        'sim-worker': here('src/sim/worker.ts'),
      },
      output: {
        entryFileNames: ({ name }) => (name === 'sim-worker' ? 'assets/[name].js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
})
