/**
 * Another player, who stays: without one the match of a player who is away stands still, and coming back would be easier than it is.
 *
 *   companion.ts <url> <game>   joins each room whose id comes as a line, and says `playing`
 */

import { createInterface } from 'node:readline'
import { type GameConnection, joinGame } from '@hurtbox/colyseus/client'
import { loadModules } from 'hurtbox/module/node'
import { repositoryRoot } from '../engines/install-npm.ts'

const [url, id] = process.argv.slice(2)
const { modules } = await loadModules(repositoryRoot)
const module = modules.find((each) => each.id === id)!
let match: GameConnection | undefined
setInterval(() => match?.update(performance.now(), () => ({})), 50)
console.log('ready')
for await (const roomId of createInterface(process.stdin)) {
  await match?.leave().catch(() => {})
  match = await joinGame(url, module, { roomId, name: 'Stays', datagrams: false })
  await match.whenPlaying()
  console.log(`playing ${roomId}`)
}
