/** The documentation site: `npm run docs`. */

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type MarkdownRenderer } from 'vitepress'

const docs = fileURLToPath(new URL('..', import.meta.url))

export default defineConfig({
  title: 'Hurtbox',
  description:
    'The combat step of a multiplayer web game: deterministic hits, damage, knockback, rollback and replays.',
  cleanUrls: true,
  srcExclude: ['parts/**'],
  markdown: {
    config: unlinkSources,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  head: [['link', { rel: 'icon', href: '/logo.svg' }]],
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === 'hurtbox-replay' } } },
  themeConfig: {
    logo: '/logo.svg',
    nav: [
      { text: 'Guide', link: '/guide/first-hit' },
      { text: 'Cookbook', link: '/guide/cookbook' },
      { text: 'Rules', link: '/spec' },
      { text: 'Reference', link: '/api/' },
    ],
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      {
        text: 'Begin',
        items: [
          { text: 'Your first hit', link: '/guide/first-hit' },
          { text: 'Things, rules, phases', link: '/guide/things-rules-phases' },
          { text: 'A game of your own', link: '/guide/own-game' },
          { text: 'Online', link: '/guide/online' },
          { text: 'Look inside your game', link: '/guide/studio' },
          { text: 'Find out what happened', link: '/guide/lab' },
          { text: 'When your code throws', link: '/guide/errors' },
          { text: 'Combat cookbook', link: '/guide/cookbook' },
          { text: 'Layers and why', link: '/guide/layers-and-why' },
          { text: 'Walls and bounces', link: '/guide/walls-and-bounces' },
          { text: 'Swept attacks', link: '/guide/swept-attacks' },
          { text: 'Static maps', link: '/guide/static-maps' },
          { text: 'Side view', link: '/guide/side-view' },
          { text: 'Carry, hold, throw', link: '/guide/attach' },
          { text: 'Abilities', link: '/guide/abilities' },
          { text: 'Status effects', link: '/guide/status-effects' },
          { text: 'Hit zones', link: '/guide/zones' },
          { text: 'Rounds, points, returns, waves', link: '/guide/match-flow' },
          { text: 'Queries', link: '/guide/queries' },
          { text: 'Coming from another library', link: '/guide/coming-from' },
        ],
      },
      {
        text: 'I make a …',
        items: [
          { text: 'Start here', link: '/genres/' },
          { text: 'Top-down shooter', link: '/genres/top-down-shooter' },
          { text: 'Survivors', link: '/genres/survivors' },
          { text: 'MOBA', link: '/genres/moba' },
          { text: 'Brawler in space', link: '/genres/brawler' },
          { text: 'Side-view fighter', link: '/genres/side-view-fighter' },
          { text: 'Platform game', link: '/genres/platform-game' },
          { text: 'Ball game', link: '/genres/ball-game' },
          { text: 'Ships', link: '/genres/ships' },
        ],
      },
      {
        text: 'Show',
        items: [
          { text: 'Parts of a page', link: '/guide/page-parts' },
          { text: 'Smooth pictures', link: '/guide/smooth-pictures' },
          { text: 'Sounds and effects', link: '/guide/effects' },
          { text: 'With Phaser', link: '/guide/phaser' },
          { text: 'With Pixi', link: '/guide/pixi' },
          { text: 'With three', link: '/guide/three' },
        ],
      },
      {
        text: 'Understand',
        items: [
          { text: 'Architecture', link: '/architecture' },
          { text: 'Determinism', link: '/determinism' },
          { text: 'Rollback and replays', link: '/guide/rollback-and-replays' },
          { text: 'Disputes', link: '/guide/disputes' },
          { text: 'The broad phase', link: '/broad-phase' },
          { text: 'Performance', link: '/guide/performance' },
          // With a link of its own it is no button around a button.
          { text: 'Decisions', link: decisions()[0].link, collapsed: true, items: decisions() },
        ],
      },
      {
        text: 'Use',
        items: [
          { text: 'The server', link: '/server' },
          { text: 'The UDP port', link: '/datagrams' },
          { text: 'In a frame of another page', link: '/guide/framing' },
          { text: 'The studio', link: '/studio' },
          { text: 'The command line', link: '/cli' },
        ],
      },
      {
        text: 'Look up',
        items: [
          { text: 'Glossary', link: '/glossary' },
          { text: 'Rules with ids', link: '/spec' },
          { text: 'Reference', link: '/api/', collapsed: true, items: modules() },
        ],
      },
    ],
  },
})

/** The decisions, each with the title in its first line. */
function decisions(): { text: string; link: string }[] {
  return readdirSync(`${docs}decisions`)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => {
      const [title] = readFileSync(`${docs}decisions/${file}`, 'utf8').split('\n')
      // The status of a decision stands far to the right of its title.
      return {
        text: title
          .replace(/^# /, '')
          .replace(/ {2,}.*/, '')
          .replaceAll('`', ''),
        link: `/decisions/${file.replace('.md', '')}`,
      }
    })
}

/** The entry points of the packages: a page each. */
function modules(): { text: string; link: string }[] {
  return ['hurtbox', 'view', 'colyseus'].flatMap((folder) => {
    const text = readFileSync(`${docs}../packages/${folder}/package.json`, 'utf8')
    const { name, exports } = JSON.parse(text) as { name: string; exports: object }
    return Object.keys(exports)
      .filter((path) => !path.includes('.json'))
      .map((path) => posix.join(name, path))
      .map((module) => ({ text: module, link: `/api/${module.replaceAll('/', '.')}` }))
  })
}

/** Links to sources and folders work where the repository is read; on the site, where there are none, they are plain text. */
function unlinkSources(md: MarkdownRenderer): void {
  md.core.ruler.push('unlink-sources', ({ tokens, env }) => {
    for (const { children } of tokens) {
      let isUnlinked = false
      for (const token of children ?? []) {
        if (token.type === 'link_open') isUnlinked = isNoPage(env.relativePath, token.attrGet('href') ?? '')
        if (!isUnlinked || !token.type.startsWith('link_')) continue
        if (token.type === 'link_close') isUnlinked = false
        Object.assign(token, { type: 'text', tag: '', nesting: 0, content: '' })
      }
    }
  })
}

function isNoPage(page: string, href: string): boolean {
  if (/^(\w+:|#|\/)/.test(href)) return false
  const path = posix.join(posix.dirname(page), href)
  if (path.startsWith('..') || path.endsWith('.ts')) return true
  return statSync(docs + path, { throwIfNoEntry: false })?.isDirectory() === true
}
