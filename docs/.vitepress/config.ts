/** The documentation site: `npm run docs`. */

import { defineConfig } from 'vitepress'

export default defineConfig({
  title: 'Hurtbox',
  description:
    'The combat step of a multiplayer web game: deterministic hits, damage, knockback, rollback and replays.',
  cleanUrls: true,
  // Source links and folders on the repository's host are not pages of the site.
  ignoreDeadLinks: [/(^|\/)(games|packages|bench|decisions|apps)(\/|$)/, /\.\.\//],
  srcExclude: ['parts/**'],
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/guide/first-hit' },
      { text: 'Cookbook', link: '/guide/cookbook' },
      { text: 'Rules', link: '/spec' },
      { text: 'Reference', link: '/api/' },
    ],
    search: { provider: 'local' },
    sidebar: [
      {
        text: 'Begin',
        items: [
          { text: 'Your first hit', link: '/guide/first-hit' },
          { text: 'A game of your own', link: '/guide/own-game' },
          { text: 'Combat cookbook', link: '/guide/cookbook' },
          { text: 'Layers and why', link: '/guide/layers-and-why' },
        ],
      },
      {
        text: 'Understand',
        items: [
          { text: 'Architecture', link: '/architecture' },
          { text: 'Determinism', link: '/determinism' },
          { text: 'Rollback and replays', link: '/guide/rollback-and-replays' },
          { text: 'The broad phase', link: '/broad-phase' },
          { text: 'Performance', link: '/guide/performance' },
          { text: 'Coming from another library', link: '/guide/coming-from' },
        ],
      },
      {
        text: 'Use',
        items: [
          { text: 'The server', link: '/server' },
          { text: 'The studio', link: '/studio' },
          { text: 'The command line', link: '/cli' },
        ],
      },
      {
        text: 'Look up',
        items: [
          { text: 'Words', link: '/glossary' },
          { text: 'Rules with ids', link: '/spec' },
          { text: 'Reference', link: '/api/' },
        ],
      },
    ],
  },
})
