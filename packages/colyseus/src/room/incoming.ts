/** What clients send to a room: messages of the match straight to its host, and a few others. */

import { NETCODE, SPECTATOR } from '@hurtbox/netcode'
import { pauseHost, receive } from '@hurtbox/netcode/host'
import { onRoomMessage, ROOM_MESSAGES } from '../room-messages.ts'
import { countFrame } from './arrivals.ts'
import { type RoomCore, refreshRoster, viewOf } from './core.ts'
import { acceptChannel, heardOnSocket } from './datagrams.ts'
import { takeMessages } from './guard.ts'
import type { GameClient } from './guest.ts'
import { noteHeard, sayAway } from './presence.ts'
import { playerCount, wantRematch } from './seating.ts'

export function listenToClients(core: RoomCore): void {
  const { room, config } = core
  takeMessages<GameClient>(room, {
    mayPass: (client, bytes) => client.userData === undefined || countFrame(core, client, bytes),
    type: NETCODE,
    take: ({ userData: guest }, bytes) => {
      if (guest?.peer === undefined) return
      noteHeard(core, guest)
      if (core.host.peers.has(guest.peer)) {
        heardOnSocket(core, guest, guest.peer)
        receive(core.host, guest.peer, bytes)
      } else guest.offer = bytes.slice()
    },
  })
  onRoomMessage(room, ROOM_MESSAGES.offer, (client: GameClient, offer) =>
    acceptChannel(core, client, config.datagrams, offer, (seat, abuse) =>
      config.hooks?.onAbuse?.(viewOf(core), seat, abuse),
    ),
  )
  onRoomMessage(room, ROOM_MESSAGES.away, (client: GameClient, isAway) => {
    if (client.userData !== undefined) sayAway(core, client.userData, isAway)
  })
  onRoomMessage(room, ROOM_MESSAGES.pause, (client: GameClient, paused) => pause(core, client, paused))
  onRoomMessage(room, ROOM_MESSAGES.rematch, (client: GameClient, wants) => agree(core, client, wants))
  onRoomMessage(room, ROOM_MESSAGES.ping, (client: GameClient, pingMs) => {
    if (client.userData !== undefined) client.userData.pingMs = Math.round(pingMs)
  })
  onRoomMessage(room, ROOM_MESSAGES.rollbacks, (_, count) => config.hooks?.onRollbacks?.(viewOf(core), count))
}

/** A player who is alone may pause the match. Any player may resume it. */
function pause({ host, seating }: RoomCore, { userData: guest }: GameClient, paused: boolean): void {
  if (guest === undefined || guest.seat === SPECTATOR) return
  if (!paused || playerCount(seating) === 1) pauseHost(host, paused)
}

/** After a match the next one begins at once when every player who is here wants it. */
function agree(core: RoomCore, { userData: guest }: GameClient, wants: boolean): void {
  if (guest === undefined || guest.seat === SPECTATOR || core.host.status !== 'over') return
  guest.wantsRematch = wants
  if (wantRematch(core.seating)) core.endsAt = Math.min(core.endsAt, core.room.clock.currentTime)
  else refreshRoster(core)
}
