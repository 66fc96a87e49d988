/** How Vite serves and builds the page; its root is this folder. */

import { fileURLToPath } from 'node:url'
import { defineConfig, loadEnv } from 'vite'

/** Variables, or lines of `.env` beside package.json. */
const settings = loadEnv('', fileURLToPath(new URL('..', import.meta.url)), ['PORT', 'STUDIO'])

export default defineConfig({
  // Files name each other by relative paths, so that the built page works below any path: https://example.org/my-game/
  base: './',
  build: { outDir: '../dist', emptyOutDir: true },
  define: {
    // Where the page of `npm run dev` finds the rooms: what `npm run server` reads, so that `PORT=3000` suits both.
    'import.meta.env.ROOMS_PORT': JSON.stringify(settings.PORT ?? '2567'),
    // Whether the built page has the studio on F2, for every player.
    'import.meta.env.STUDIO': JSON.stringify(settings.STUDIO === '1'),
  },
  plugins: [
    {
      name: 'watch-the-rules',
      // Vite watches its root, and files outside it one by one: such a watch is lost when an editor replaces the file.
      configureServer: ({ watcher }) => void watcher.add(fileURLToPath(new URL('../game', import.meta.url))),
    },
  ],
})
