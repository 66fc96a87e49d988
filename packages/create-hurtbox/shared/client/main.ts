/**
 * The page: the game as its module says it is drawn, alone or with others. Title, sticks for phones, sounds, invitations and the end are parts of
 * @hurtbox/view; `openPage` puts them together, and each can be had by itself.
 */

import { joinGame } from '@hurtbox/colyseus/client'
import { attachStudio } from '@hurtbox/studio'
import { openPage } from '@hurtbox/view/page'
import module from '../game/index.ts'

/** Where the page is, also below a path. `npm run dev` serves it from a port of its own; `npm run server` starts the server on another. */
const SERVER = import.meta.env.DEV
  ? `http://${location.hostname}:${import.meta.env.ROOMS_PORT}`
  : new URL('.', location.href).href

const page = openPage(document.querySelector<HTMLElement>('#game')!, module, {
  join: (choices) => joinGame(SERVER, module, choices),
})
// While you develop, F2, or `?studio` in the address, opens the studio over this page. A page built with `STUDIO=1 npm run build` has it too.
if (import.meta.env.DEV || import.meta.env.STUDIO) {
  attachStudio(() => page.match, { canvas: page.canvas, project: page.project, module })
}
