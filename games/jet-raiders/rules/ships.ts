/** Ships: how they come, steer, use their secondary slot, die, return and go. */

import { emit, findRow, spawn } from 'hurtbox'
import { cos, sin } from 'hurtbox/math'
import { range } from 'hurtbox/math'
import { DT, HEIGHT, isAlive, type JetWorld, KIND, LAYER, WIDTH } from './declaration.ts'

/** A new player gets a ship somewhere on the plane. */
export function join(world: JetWorld, player: number): void {
  const { things, players } = world.tables
  const { tuning } = world
  const id = spawn(things, {
    kind: KIND.ship,
    layer: LAYER.ship,
    team: players.team[player],
    radius: tuning.shipRadius,
    maxHp: tuning.shipHp,
  })
  players.thing[player] = id
  const ship = findRow(things, id)
  if (ship >= 0) place(world, ship)
}

/** Whoever leaves takes the ship and all its bullets. */
export function leave(world: JetWorld, player: number): void {
  const { things, players } = world.tables
  const id = players.thing[player]
  for (let row = 0; row < things.count; row++) {
    if (things.id[row] === id || things.owner[row] === id) things.leaving[row] = 1
  }
}

/** The secondary slot, before anything moves: a shield that bullets bounce off, or a dash. */
export function useSlots(world: JetWorld): void {
  const { things, players } = world.tables
  const { clock, tuning, events } = world
  for (let player = 0; player < players.count; player++) {
    const ship = findRow(things, players.thing[player])
    if (ship < 0 || !isAlive(world, ship) || players.slot[player] === 0 || things.slotReadyAt[ship] > clock) continue
    things.slotReadyAt[ship] = clock + tuning.slotCooldown
    if (players.secondary[player] === SECONDARY.shield) {
      things.shieldUntil[ship] = clock + tuning.shieldTime
      things.hittableFrom[ship] = things.shieldUntil[ship]
      emit(events.shield, { ship: things.id[ship] })
    } else {
      things.dashUntil[ship] = clock + tuning.dashTime
      emit(events.dash, { ship: things.id[ship] })
    }
  }
}

const SECONDARY = { shield: 0, dash: 1 }

/** Ships have no inertia: they fly where they look, as fast as the throttle says. The dead wait for their return. */
export function steer(world: JetWorld): void {
  const { things, players } = world.tables
  const { clock, tuning } = world
  for (let player = 0; player < players.count; player++) {
    const ship = findRow(things, players.thing[player])
    if (ship < 0) continue
    if (!isAlive(world, ship)) {
      if (things.returnsAt[ship] <= clock) comeBack(world, ship, player)
      continue
    }
    things.heading[ship] += players.turn[player] * tuning.turnRate * DT
    const throttle = things.throttle[ship] + players.thrust[player] * tuning.throttleRate * DT
    things.throttle[ship] = Math.min(Math.max(throttle, 0), 1)
    const speed = speedOf(world, ship)
    things.vx[ship] = sin(things.heading[ship]) * speed
    things.vy[ship] = -cos(things.heading[ship]) * speed
    things.x[ship] += things.vx[ship] * DT
    things.y[ship] += things.vy[ship] * DT
    meetEdge(world, ship)
  }
}

/** A ship that died in this tick stops and waits. The dead keep id, score and seat. */
export function bury(world: JetWorld): void {
  const { things, players } = world.tables
  const { kill } = world.events
  for (let n = 0; n < kill.count; n++) {
    const ship = findRow(things, kill.victim[n])
    if (ship < 0) continue
    things.returnsAt[ship] = world.clock + world.tuning.respawn
    things.throttle[ship] = 0
    things.readyAt[ship] = 0
    for (let player = 0; player < players.count; player++) {
      if (players.thing[player] === kill.victim[n]) players.deaths[player]++
      if (players.thing[player] === kill.attacker[n] && kill.attacker[n] !== kill.victim[n]) players.score[player]++
    }
  }
}

function comeBack(world: JetWorld, ship: number, player: number): void {
  const { things, players } = world.tables
  place(world, ship)
  // Whatever was held while dead does not count any more.
  players.thrust[player] = 0
  players.turn[player] = 0
  players.shoot[player] = 0
  emit(world.events.returned, { ship: things.id[ship], x: things.x[ship], y: things.y[ship] })
}

function place(world: JetWorld, ship: number): void {
  const { things } = world.tables
  things.x[ship] = range(world.random.spawns, -WIDTH / 2, WIDTH / 2)
  things.y[ship] = range(world.random.spawns, -HEIGHT / 2, HEIGHT / 2)
  things.heading[ship] = 0
  things.throttle[ship] = 0
  things.vx[ship] = 0
  things.vy[ship] = 0
  things.hp[ship] = things.maxHp[ship]
  things.slowUntil[ship] = 0
  things.teleports[ship]++
}

function speedOf(world: JetWorld, ship: number): number {
  const { things } = world.tables
  const { clock, tuning } = world
  const dash = things.dashUntil[ship] > clock ? tuning.dashFactor : 1
  const slow = things.slowUntil[ship] > clock ? tuning.slowFactor : 1
  return things.throttle[ship] * tuning.shipSpeed * dash * slow
}

/** Over an edge a ship appears exactly on the opposite one, or stops at it where edges are walls. */
function meetEdge(world: JetWorld, ship: number): void {
  const { x, y, teleports } = world.tables.things
  if (world.options.edges === 'wall') {
    x[ship] = Math.min(Math.max(x[ship], -WIDTH / 2), WIDTH / 2)
    y[ship] = Math.min(Math.max(y[ship], -HEIGHT / 2), HEIGHT / 2)
    return
  }
  const [wrappedX, wrappedY] = [wrapped(x[ship], WIDTH / 2), wrapped(y[ship], HEIGHT / 2)]
  if (wrappedX !== x[ship] || wrappedY !== y[ship]) teleports[ship]++
  x[ship] = wrappedX
  y[ship] = wrappedY
}

function wrapped(place: number, edge: number): number {
  if (place > edge) return -edge
  return place < -edge ? edge : place
}
