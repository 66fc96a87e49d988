/** Programs that run in a generated project, beside its own: they only have what is installed there. */

/** A spectator that waits until the two players have run to the walls. */
export const WATCH = `
import { joinGame } from '@hurtbox/colyseus/client'
import { playerAt } from 'hurtbox'
import { HEIGHT } from './game/map.ts'
import { game } from './game/rules.ts'

const [url, down, up] = process.argv.slice(2)
const match = await joinGame(url, game, { spectate: true })
await match.whenPlaying()
const seen = { players: 0, ranDown: false, ranUp: false, desyncs: 0 }
const end = performance.now() + 60_000
while (performance.now() < end && !(seen.ranDown && seen.ranUp)) {
  const after = match.update(performance.now(), () => ({}))?.after
  if (after !== undefined) {
    seen.players = after.tables.players.count
    seen.ranDown ||= (playerAt(after, Number(down))?.thing?.y ?? 0) > HEIGHT - 40
    seen.ranUp ||= (playerAt(after, Number(up))?.thing?.y ?? HEIGHT) < 40
  }
  await new Promise((resolve) => setTimeout(resolve, 8))
}
seen.desyncs = match.desyncs.length
console.log(JSON.stringify(seen))
process.exit(0)
`

/** What a client of the game says of itself. */
export const ABOUT = `
import { helloOf } from '@hurtbox/netcode'
import { game } from './game/rules.ts'
console.log(JSON.stringify(helloOf(game)))
`

/** A server with accounts and results of its own. A busy machine must not refuse rooms here. */
export const ACCOUNTS = `
import { joinGame } from '@hurtbox/colyseus/client'
import { serve } from '@hurtbox/server'
import module from './game/index.ts'

const results = []
const server = await serve({
  games: [module],
  port: 0,
  logLevel: 'silent',
  limits: { load: 10, loopDelayMs: 60_000 },
  auth: (token) => (token === 'banned' ? 'Not before Monday.' : token === 'ada' ? { id: 'account-1', name: 'Ada' } : undefined),
  results: { take: ({ end, players }) => void results.push({ id: players[0].id, end }) },
})
const refusal = (choices) => joinGame(server.url, module.game, choices).then(() => 'let in', String)
const [stranger, banned] = [await refusal({}), await refusal({ token: 'banned' })]
const match = await joinGame(server.url, module.game, { token: 'ada', name: 'Mallory' })
await match.whenPlaying()
const names = () => [...match.room.state.roster.values()].filter(({ isBot }) => !isBot).map(({ name }) => name)
const until = async (isSo) => { for (let i = 0; i < 1000 && !isSo(); i++) await new Promise((resolve) => setTimeout(resolve, 20)) }
await until(() => names().length > 0 && match.update(performance.now(), () => ({}))?.after.tick > 3)
const seen = names()
await match.leave()
await until(() => results.length > 0)
console.log(JSON.stringify({ stranger, banned, names: seen, results }))
process.exit(0)
`

/** One opens a room at the first process; the other joins it by asking the second. */
export const TWO_PROCESSES = `
import { joinGame } from '@hurtbox/colyseus/client'
import { game } from './game/rules.ts'

const urls = process.argv.slice(2).map((port) => 'http://127.0.0.1:' + port)
const join = async (url, choices) => {
  for (;;) {
    try {
      return await joinGame(url, game, choices)
    } catch (error) {
      // A busy machine makes a busy server, which opens no rooms for a while.
      if (!/busy|cannot agree/.test(String(error))) throw error
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
}
const first = await join(urls[0], { create: true })
const clients = [first, await join(urls[1], { roomId: first.room.roomId })]
await Promise.all(clients.map((client) => client.whenPlaying()))
let players = [0, 0]
let listed = [0, 0]
for (let i = 0; i < 1000 && (players.join() !== '2,2' || listed.join() !== '1,1'); i++) {
  players = clients.map((client) => client.update(performance.now(), () => ({}))?.after.tables.players.count ?? 0)
  if (i % 50 === 0) listed = await Promise.all(urls.map(async (url) => (await (await fetch(url + '/rooms.json')).json()).length))
  await new Promise((resolve) => setTimeout(resolve, 16))
}
const sameRoom = clients[0].room.roomId === clients[1].room.roomId
console.log(JSON.stringify({ sameRoom, seats: clients.map(({ seat }) => seat).sort(), players, listed }))
process.exit(0)
`

/** Two players join; the first walks to the right until the second sees it. */
export const TWO_CLIENTS = `
import { joinGame } from '@hurtbox/colyseus/client'
import { game } from './game/rules.ts'

const [url] = process.argv.slice(2)
const clients = [await joinGame(url, game), await joinGame(url, game)]
await Promise.all(clients.map((client) => client.whenPlaying()))
let [first, last] = [Number.NaN, Number.NaN]
let players = [0, 0]
const end = performance.now() + 20_000
while (performance.now() < end && !(last > first + 30 && players.join() === '2,2')) {
  clients.forEach((client, i) => {
    const state = client.update(performance.now(), () => (i === 0 ? { moveX: 1 } : {}))
    if (state === undefined) return
    players[i] = state.after.tables.players.count
    if (i === 1) {
      last = state.after.tables.things.x[0]
      if (Number.isNaN(first)) first = last
    }
  })
  await new Promise((resolve) => setTimeout(resolve, 8))
}
const desyncs = clients.reduce((sum, client) => sum + client.desyncs.length, 0)
console.log(JSON.stringify({ seats: clients.map((client) => client.seat).sort(), players, walked: last > first + 30, desyncs }))
process.exit(0)
`
