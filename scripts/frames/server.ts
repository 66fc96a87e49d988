/** The server of the measured matches, in a process of its own: its work is not the page's. `server.ts <folder of the page>` */

import { loadModules } from 'hurtbox/module/node'
import { serve } from '../../packages/server/src/serve.ts'
import { repositoryRoot } from '../engines/install-npm.ts'

process.on('disconnect', () => process.exit())
const { modules } = await loadModules(repositoryRoot)
const { url } = await serve({
  games: modules.filter(({ room }) => room !== undefined),
  page: process.argv[2],
  port: 0,
  host: '127.0.0.1',
  udp: 'off',
  replays: false,
  matches: false,
  logLevel: 'error',
  loadTest: true,
  signals: false,
  say: () => {},
})
process.send!({ url })
