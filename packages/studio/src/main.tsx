/** The studio: a front page with the games, and a page for each. Which one, the address says. */

import { render } from 'preact'
import { App } from './pages/app.tsx'
import { keepForOffline } from './pages/offline.ts'
import './ui/style/base.css'
import './ui/style/front.css'

render(<App />, document.getElementById('app')!)
keepForOffline()
