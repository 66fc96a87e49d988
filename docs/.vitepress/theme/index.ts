/** The default theme, and scenes that play in the page. */

import DefaultTheme from 'vitepress/theme'
import LiveScene from './LiveScene.vue'

export default {
  extends: DefaultTheme,
  enhanceApp({ app }: { app: { component(name: string, component: unknown): void } }) {
    app.component('LiveScene', LiveScene)
  },
}
