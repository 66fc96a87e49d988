/**
 * The same match on plain Colyseus, written as its documentation teaches: a schema for what clients see, messages for what
 * they do, a simulation at a fixed rate, patches 20 times a second.
 *
 * The rules are the same as ours and so is their cost; what is compared is everything around them. In A a bullet is in the
 * schema and its position changes in every patch. In B it is sent once, with its velocity, and clients let it fly.
 */

import { type Client, Room } from '@colyseus/core'
import { schema, t } from '@colyseus/schema'
import { createWorld, each, eventsOf, playerAt, step } from 'hurtbox'
import type { PlayerInput } from 'hurtbox/tools'
import type { JetWorld } from '../../games/jet-raiders/rules/declaration.ts'
import { jetRaiders } from '../../games/jet-raiders/rules/index.ts'
import { TICK_RATE } from './kinds.ts'

const Ship = schema({ x: t.float32(), y: t.float32(), heading: t.float32(), hp: t.uint8(), score: t.uint16() }, 'Ship')
const Bullet = schema({ x: t.float32(), y: t.float32(), owner: t.uint8() }, 'Bullet')
const State = schema({ ships: t.map(Ship), bullets: t.map(Bullet) }, 'State')

type Controls = { thrust: number; turn: number; shoot: boolean }

/** Ticks of all rooms of this process. */
export const ticked = { count: 0 }

abstract class PlainRoom extends Room<{ state: InstanceType<typeof State> }> {
  override state: InstanceType<typeof State> = new State()
  override patchRate = 50
  override maxClients = 16
  readonly world: JetWorld = createWorld(jetRaiders, { seed: 1 })
  readonly seats: Map<string, number> = new Map()
  readonly held: Map<number, Controls> = new Map()
  readonly joins: number[] = []

  override onCreate(): void {
    this.onMessage('input', (client: Client, input: Controls) => {
      const seat = this.seats.get(client.sessionId)
      // Nobody may send what is no input.
      const isInput = Math.abs(input?.thrust) <= 1 && Math.abs(input.turn) <= 1 && typeof input.shoot === 'boolean'
      if (seat !== undefined && isInput) this.held.set(seat, input)
    })
    this.setFixedTimestep(() => this.tick(), TICK_RATE)
  }

  override onJoin(client: Client): void {
    const seat = this.seats.size
    this.seats.set(client.sessionId, seat)
    this.joins.push(seat)
    this.state.ships.set(client.sessionId, new Ship())
  }

  tick(): void {
    ticked.count++
    const { world, seats } = this
    const players: PlayerInput[] = []
    for (const [seat, input] of this.held) players.push({ seat, ...input })
    this.held.clear()
    const controls = this.joins.splice(0).map((seat) => ({ control: 'join', seat }) as const)
    step(world, { controls, players })
    for (const [sessionId, seat] of seats) {
      const player = playerAt(world, seat)
      const ship = this.state.ships.get(sessionId)
      if (player?.thing === undefined || ship === undefined) continue
      ship.x = player.thing.x
      ship.y = player.thing.y
      ship.heading = player.thing.heading
      ship.hp = player.thing.hp
      ship.score = player.score
    }
    this.showBullets()
  }

  abstract showBullets(): void
}

export class PlainRoomA extends PlainRoom {
  override showBullets(): void {
    const { bullets } = this.state
    const there = new Set<string>()
    for (const thing of each(this.world, 'bullet')) {
      const key = String(thing.id)
      there.add(key)
      let bullet = bullets.get(key)
      if (bullet === undefined) bullets.set(key, (bullet = new Bullet()))
      bullet.x = thing.x
      bullet.y = thing.y
      bullet.owner = thing.owner
    }
    for (const key of [...bullets.keys()]) if (!there.has(key)) bullets.delete(key)
  }
}

export class PlainRoomB extends PlainRoom {
  /** Bullets that clients know of. */
  readonly known: Set<number> = new Set()

  override showBullets(): void {
    const { known, world } = this
    const there = new Set<number>()
    for (const { id, x, y, vx, vy, owner } of each(world, 'bullet')) {
      there.add(id)
      if (known.has(id)) continue
      known.add(id)
      this.broadcast('shot', { id, x, y, vx, vy, owner })
    }
    // Clients see for themselves when a bullet is too old; they are told of those that hit.
    for (const { projectile, victim } of eventsOf(world, 'hit')) this.broadcast('hit', { id: projectile, victim })
    for (const id of known) if (!there.has(id)) known.delete(id)
  }
}
