/**
 * A game in two builds: same id, other rules. Run on a host of the world:
 *
 *   builds.ts serve <version> <port> <redis>
 *   builds.ts play <version> <url>   prints the room once it plays, until it is ended
 */

import { joinGame } from '@hurtbox/colyseus/client'
import { serve } from '@hurtbox/server'
import { axis, declareGame, defineGame, players, spawn } from 'hurtbox'
import { defineModule } from 'hurtbox/module'

const [what, version, where, redis] = process.argv.slice(2)
const speed = Number(version)
const declaration = declareGame({
  id: 'two-builds',
  rulesVersion: speed,
  tickRate: 30,
  layers: { walker: [] },
  input: { moveX: axis() },
})
const game = defineGame(declaration, {
  phases: {
    walk(world) {
      for (const { thing, moveX } of players(world)) if (thing !== undefined) thing.x += moveX * speed
    },
  },
  onJoin(world, player) {
    player.thing = spawn(world, 'walker', { radius: 10 })
  },
})

if (what === 'serve') {
  process.env.REDIS_URL = redis
  const settings = {
    host: '0.0.0.0',
    port: Number(where),
    publicAddress: `10.77.1.2:${where}`,
    udp: 'off',
  } as const
  await serve({ ...settings, games: [defineModule({ game, room: { fill: 0 } })], replays: false })
} else {
  const match = await joinGame(where, game)
  await match.whenPlaying()
  console.log(JSON.stringify({ room: match.room.roomId }))
  setInterval(() => match.update(performance.now(), () => ({ moveX: 1 })), 16)
}
