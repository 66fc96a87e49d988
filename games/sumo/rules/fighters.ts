/** Fighters: how they come, stand, walk, act and go. */

import { addRow, thingOf } from 'hurtbox'
import { buffed, CONTROL, canAct, controlWhile, isStopped, pressSlot, resetAbilities, STAT } from 'hurtbox/abilities'
import { direction, length, TAU } from 'hurtbox/math'
import { brake, face, steer } from 'hurtbox/motion'
import { abilities, DT, isIn, KIND, LAYER, STAGE, type SumoAbilities, type SumoWorld } from './declaration.ts'

/** The body of the origin: a capsule 3 m tall and 2 m wide. */
export const BODY = { radius: 1, halfLength: 0.5 } as const
/** Its middle when it stands on the ring. */
export const STANDING = BODY.radius + BODY.halfLength
/** Where the document puts the target that just stands there. */
export const DUMMY_PLACE = { x: 5, y: 0, z: 30 } as const
/** How far from the middle fighters begin. */
const START_RADIUS = 5

export function join(world: SumoWorld, player: number): void {
  const { things, players } = world.tables
  const fighter = addFighter(world, KIND.fighter)
  if (fighter < 0) return
  things.team[fighter] = players.team[player]
  players.thing[player] = things.id[fighter]
  placeAtStart(world, fighter, players.seat[player], world.game.declaration.seats.max)
  // Who comes in the middle of a round waits for the next one.
  if (world.options.mode === 'match' && world.globals.stage === STAGE.fight) things.out[fighter] = 1
}

/** The dummy drops in from the height that the document gives. */
export function addDummy(world: SumoWorld): void {
  const { things } = world.tables
  const dummy = addFighter(world, KIND.dummy)
  things.x[dummy] = DUMMY_PLACE.x
  things.y[dummy] = DUMMY_PLACE.y
  things.z[dummy] = DUMMY_PLACE.z
}

function addFighter(world: SumoWorld, kind: number): number {
  const { things } = world.tables
  const fighter = addRow(things)
  if (fighter < 0) return -1
  things.kind[fighter] = kind
  things.layer[fighter] = LAYER.character
  things.radius[fighter] = BODY.radius
  things.halfLength[fighter] = BODY.halfLength
  things.facingX[fighter] = 1
  restore(world, fighter)
  return fighter
}

/** Back to full strength, hands empty, nothing pending. */
function restore(world: SumoWorld, fighter: number): void {
  const { things } = world.tables
  resetAbilities(abilities, world, fighter)
  things.invMass[fighter] = 1 / world.tuning.mass
  things.hp[fighter] = world.tuning.stamina
  things.maxHp[fighter] = world.tuning.stamina
  things.vx[fighter] = 0
  things.vy[fighter] = 0
  things.vz[fighter] = 0
  things.hitCountsUntil[fighter] = 0
  things.out[fighter] = 0
  things.teleports[fighter]++
}

/** Stands up for a new round: on a circle, place `place` of `places`, looking at the middle. */
export function placeAtStart(world: SumoWorld, fighter: number, place: number, places: number): void {
  const { things } = world.tables
  restore(world, fighter)
  direction((TAU * (place + 0.5)) / places, outward)
  things.x[fighter] = outward.x * START_RADIUS
  things.y[fighter] = outward.y * START_RADIUS
  things.z[fighter] = STANDING
  things.facingX[fighter] = 0 - outward.x
  things.facingY[fighter] = 0 - outward.y
}

/** Scratch: written before it is read. */
const outward = { x: Number.NaN, y: Number.NaN }

/** A phase: who is in control turns and walks as its player wishes; who is not is braked by the ground, unless it was launched. */
export function walk(kit: SumoAbilities, world: SumoWorld): void {
  const { things, players } = world.tables
  const { clock } = world
  const mayMove = world.globals.stage === STAGE.fight
  for (let player = 0; player < players.count; player++) {
    const fighter = thingOf(world, player)
    if (fighter < 0 || !isIn(world, fighter)) continue
    const control = mayMove ? controlOf(kit, world, fighter) : CONTROL.none
    const [moveX, moveY] = [players.moveX[player], players.moveY[player]]
    if (control >= CONTROL.turn) face(things, fighter, moveX, moveY)
    if (control >= CONTROL.walk) wish(world, fighter, moveX, moveY)
    else if (things.launchedUntil[fighter] <= clock) stagger(world, fighter)
  }
  for (let row = 0, { count } = things; row < count; row++) {
    if (things.kind[row] !== KIND.dummy || things.launchedUntil[row] > clock) continue
    if (controlOf(kit, world, row) === CONTROL.walk) wish(world, row, 0, 0)
    else stagger(world, row)
  }
}

/** A phase: each press is used up by what it starts, so that it cannot also be the next step of a combo. */
export function act(kit: SumoAbilities, world: SumoWorld): void {
  const { players } = world.tables
  if (world.globals.stage !== STAGE.fight) return
  for (let player = 0; player < players.count; player++) {
    const fighter = thingOf(world, player)
    if (fighter < 0 || !isIn(world, fighter)) continue
    for (let slot = 0; slot < kit.slotNames.length; slot++) {
      const presses = players[kit.slotNames[slot]]
      if (presses[player] > 0) presses[player] = pressSlot(kit, world, fighter, slot, presses[player])
    }
  }
}

/** Whether a fighter moves by itself in this tick. */
export function moves(world: SumoWorld, row: number): boolean {
  return takesRoom(world, row) && !isStopped(world, row)
}

/** Who is carried makes room for who carries it. */
export function takesRoom(world: SumoWorld, row: number): boolean {
  return isIn(world, row) && world.tables.things.heldBy[row] === 0
}

/** Who was hit digs its heels in as soon as it has ground under them; who strikes slides on. */
function stagger(world: SumoWorld, fighter: number): void {
  const { things } = world.tables
  const isHit = things.stunnedUntil[fighter] > world.clock
  brake(things, fighter, (isHit ? world.tuning.acceleration : world.tuning.friction) * DT)
}

/** A stick pushed into a corner is no faster than one pushed straight. */
function wish(world: SumoWorld, fighter: number, moveX: number, moveY: number): void {
  const { tuning } = world
  const speed = (tuning.runSpeed * buffed(world, fighter, STAT.speed)) / Math.max(1, length(moveX, moveY))
  steer(world.tables.things, fighter, moveX * speed, moveY * speed, tuning.acceleration * DT)
}

/** What a fighter may do by itself: nothing while stunned, held, launched or in hit stop; as much as its ability says while it runs. */
function controlOf(kit: SumoAbilities, world: SumoWorld, fighter: number): number {
  const { things } = world.tables
  if (!canAct(world, fighter) || isStopped(world, fighter)) return CONTROL.none
  if (things.launchedUntil[fighter] > world.clock) return CONTROL.none
  return controlWhile(kit, world, fighter)
}
