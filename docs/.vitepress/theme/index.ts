/** The default theme in the colours of the studio, and scenes and replays that play in the page. */

import DefaultTheme from 'vitepress/theme'
import LiveScene from './LiveScene.vue'
import './brand.css'

export default {
  extends: DefaultTheme,
  enhanceApp({ app }: { app: { component(name: string, component: unknown): void } }) {
    app.component('LiveScene', LiveScene)
    // Elements exist in browsers only; while the site is built its pages are made without one.
    if (!import.meta.env.SSR) void import('./replays.ts')
  },
}
