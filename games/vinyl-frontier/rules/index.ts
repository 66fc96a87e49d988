/**
 * Vinyl Frontier, seed 003: the snapshot and command engine, with the server it was written for beside it.
 *
 * A tick is one step of a turn. The first of a turn takes the orders; every step everything drifts and meets; the last
 * one ends with the lasers.
 */

import { collide, defineGame, type Phase, type Result, type Stats } from 'hurtbox'
import { DT, declaration, KIND, legacy, STEPS, type VinylOptions, type VinylWorld } from './declaration.ts'
import { rockBounces, shipDocks, shipMeetsRock, shipMeetsShip } from './document/impacts.ts'
import { settle, tell } from './document/settle.ts'
import { aim, beamHitsRock, beamHitsShip, beamHitsStation, poseThing } from './document/shots.ts'
import { collideLegacy } from './legacy/collisions.ts'
import { fireLegacy } from './legacy/lasers.ts'
import { sweepAll, sweepOne } from './list.ts'
import { drift } from './motion.ts'
import { takeOrders } from './orders.ts'
import { collideOriginal } from './original/collisions.ts'
import { fireOriginal } from './original/lasers.ts'
import { setup, stationRow, TEAMS } from './setup.ts'
import { clearAnnouncer } from './text.ts'
import { SIDE } from './torus.ts'

export { declaration, type VinylWorld } from './declaration.ts'

/** The orders of a turn. The original then lets the world run for no time at all: launches and shields happen here. */
export function beginTurn(world: VinylWorld): void {
  takeOrders(world)
  world.globals.ordersTaken = 1
  if (world.options.preset === 'original') physics(world, 0, 0)
}

/** The announcer is silent again, unless it has just spoken about the orders. */
function hush(world: VinylWorld): void {
  if (world.globals.step > 0 || world.globals.ordersTaken === 0) clearAnnouncer(world)
}

function orders(world: VinylWorld): void {
  if (world.globals.step === 0 && world.globals.ordersTaken === 0) beginTurn(world)
}

function move(world: VinylWorld): void {
  drift(world, DT, world.globals.step / STEPS)
}

function countStep(world: VinylWorld): void {
  const { globals } = world
  globals.step++
  if (globals.step < STEPS) return
  globals.step = 0
  globals.turn++
  globals.ordersTaken = 0
}

function keepTime(world: VinylWorld): void {
  world.globals.time += DT
}

/** One physics call of the original: drift, meet, sweep. */
function physics(world: VinylWorld, dt: number, phase: number): void {
  const listed = world.tables.things.count
  drift(world, dt, phase)
  if (legacy(world.options).collisions) collideLegacy(world, listed)
  else collideOriginal(world, listed)
  sweepOne(world)
  world.globals.time += dt
}

function simulate(world: VinylWorld): void {
  physics(world, DT, world.globals.step / STEPS)
}

function fire(world: VinylWorld): void {
  if (world.globals.step < STEPS - 1) return
  if (legacy(world.options).collisions) fireLegacy(world)
  else fireOriginal(world)
  sweepOne(world)
}

/** The document with the old collision loop: everything dead leaves at once. */
function moveAndCollideOld(world: VinylWorld): void {
  const listed = world.tables.things.count
  move(world)
  collideLegacy(world, listed)
}

function fireOld(world: VinylWorld): void {
  if (world.globals.step === STEPS - 1) fireLegacy(world)
  sweepAll(world)
}

/** The document's engine: rules on the engine's own `collide`. */
function documentPhases({ grid, cellSize }: VinylOptions): Readonly<Record<string, Phase<typeof declaration>>> {
  // Who docks has no part in anything else, so that comes first; then contacts by age, then lasers.
  const rules = [shipDocks, [shipMeetsRock, shipMeetsShip, rockBounces], [beamHitsStation, beamHitsShip, beamHitsRock]]
  const impacts = collide(rules, {
    takes: { things: ['vx', 'vy', 'shield', 'cargo', 'fuel', 'docked', 'vinyl', 'dead'] },
    priorities: ['kill', 'dock', 'velocity', 'position', 'shield', 'cargo', 'announce'],
    pose: poseThing,
    topology: { kind: 'torus', width: SIDE, height: SIDE },
    useSpatialGrid: grid,
    ...(cellSize > 0 && { cellSize }),
  })
  return { hush, orders, move, aim, impacts, settle, tell, keepTime, countStep }
}

export const vinylFrontier = defineGame(declaration, {
  setup,
  phases(options) {
    if (options.preset === 'original') return { hush, orders, simulate, fire, countStep }
    return legacy(options).collisions
      ? { hush, orders, moveAndCollideOld, fireOld, keepTime, countStep }
      : documentPhases(options)
  },
  result,
  stats,
})

/** Most vinyl at home wins; there is no winner among equals. */
function result(world: VinylWorld): Result {
  const { globals, options, tables } = world
  const scores = Array.from({ length: options.teams }, (_, team) => tables.things.vinyl[stationRow(world, team)] ?? 0)
  const best = Math.max(...scores)
  const leaders = scores.flatMap((score, team) => (score === best ? [team] : []))
  const over = globals.turn >= options.maxTurns
  const summary = scores.map((score, team) => `${TEAMS[team].station} ${score.toFixed(2)}`).join(', ')
  return leaders.length === 1 ? { over, winner: TEAMS[leaders[0]].station, summary } : { over, summary }
}

function stats(world: VinylWorld): Stats {
  const { things } = world.tables
  const figures: Record<string, number> = { turns: world.globals.turn, ships: 0, asteroids: 0, tonsAfloat: 0 }
  for (let row = 0; row < things.count; row++) {
    if (things.kind[row] === KIND.ship) figures.ships++
    if (things.kind[row] !== KIND.asteroid) continue
    figures.asteroids++
    figures.tonsAfloat += things.mass[row]
  }
  return { ...figures, messagesLost: world.globals.messagesLost }
}
