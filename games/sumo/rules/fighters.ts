/** Fighters: how they enter, stand, walk and act. */

import { each, players, spawn } from 'hurtbox'
import { buffed, controlOf, isStopped, pressSlots, resetAbilities } from 'hurtbox/abilities'
import { direction, length, TAU } from 'hurtbox/math'
import { brake, face, steer } from 'hurtbox/motion'
import { abilities, DT, isIn, KIND, STAGE, type SumoPlayer, type SumoThing, type SumoWorld } from './declaration.ts'

/** The body of the origin: a capsule 3 m tall and 2 m wide. */
export const BODY = { radius: 1, halfLength: 0.5 } as const
/** The height of its middle when it stands on the ring. */
export const STANDING = BODY.radius + BODY.halfLength
/** Where the document puts the target that just stands there. */
export const DUMMY_PLACE = { x: 5, y: 0, z: 30 } as const
/** How far from the middle fighters begin. */
const START_RADIUS = 5

export function join(world: SumoWorld, player: SumoPlayer): void {
  const fighter = addFighter(world, KIND.fighter)
  fighter.team = player.team
  player.thing = fighter
  placeAtStart(world, fighter, player.seat, world.game.declaration.seats.max)
  // A fighter that enters in the middle of a round waits for the next one.
  if (world.options.mode === 'match' && world.globals.stage === STAGE.play) fighter.out = 1
}

/** The dummy drops in from the height that the document gives. */
export function addDummy(world: SumoWorld): void {
  Object.assign(addFighter(world, KIND.dummy), DUMMY_PLACE)
}

function addFighter(world: SumoWorld, kind: number): SumoThing {
  const fighter = spawn(world, 'character', { kind, ...BODY, facingX: 1 })
  restore(world, fighter)
  return fighter
}

/** Back to full strength, nothing held, nothing pending. */
function restore({ tuning }: SumoWorld, fighter: SumoThing): void {
  const { mass, stamina } = tuning
  resetAbilities(fighter)
  Object.assign(fighter, {
    invMass: 1 / mass,
    hp: stamina,
    maxHp: stamina,
    vx: 0,
    vy: 0,
    vz: 0,
    hitCountsUntil: 0,
    out: 0,
  })
  fighter.teleports++
}

/** Puts a fighter on the starting circle, place `place` of `places`, facing the middle. */
export function placeAtStart(world: SumoWorld, fighter: SumoThing, place: number, places: number): void {
  restore(world, fighter)
  direction((TAU * (place + 0.5)) / places, outward)
  const { x, y } = outward
  Object.assign(fighter, {
    x: x * START_RADIUS,
    y: y * START_RADIUS,
    z: STANDING,
    facingX: 0 - x,
    facingY: 0 - y,
  })
}

/** Scratch: written before it is read. */
const outward = { x: Number.NaN, y: Number.NaN }

/** Fighters with control turn and walk as their players wish; the ground brakes the others, unless they were launched. */
export function walk(world: SumoWorld): void {
  const mayMove = world.globals.stage === STAGE.play
  for (const { thing: fighter, moveX, moveY } of players(world)) {
    if (fighter === undefined || !isIn(fighter)) continue
    const control = mayMove ? controlOf(abilities, fighter) : 'none'
    if (control !== 'none') face(fighter, moveX, moveY)
    if (control === 'walk') run(world, fighter, moveX, moveY)
    else stagger(world, fighter)
  }
  if (!world.options.dummy) return
  for (const fighter of each(world, 'character')) {
    if (fighter.kind !== KIND.dummy) continue
    if (controlOf(abilities, fighter) === 'walk') run(world, fighter, 0, 0)
    else stagger(world, fighter)
  }
}

/** Each press is used up by what it starts, so that it cannot also be the next step of a combo. */
export function act(kit: typeof abilities): (world: SumoWorld) => void {
  return (world) => {
    if (world.globals.stage !== STAGE.play) return
    for (const player of players(world)) if (player.thing && isIn(player.thing)) pressSlots(kit, player)
  }
}

/** Whether a fighter moves by itself in this tick. */
export function moves(thing: SumoThing): boolean {
  return takesRoom(thing) && !isStopped(thing)
}

/** A carried fighter takes up no room. */
export function takesRoom(thing: SumoThing): boolean {
  return isIn(thing) && thing.heldBy === 0
}

/** A launched fighter is not braked; a stunned one brakes hard as soon as it has ground under it; one that strikes slides on. */
function stagger({ clock, tuning }: SumoWorld, fighter: SumoThing): void {
  if (fighter.launchedUntil > clock) return
  brake(fighter, (fighter.stunnedUntil > clock ? tuning.acceleration : tuning.friction) * DT)
}

/** A stick pushed into a corner is no faster than one pushed straight. */
function run({ tuning }: SumoWorld, fighter: SumoThing, moveX: number, moveY: number): void {
  const speed = (tuning.runSpeed * buffed(fighter, 'speed')) / Math.max(1, length(moveX, moveY))
  steer(fighter, moveX * speed, moveY * speed, tuning.acceleration * DT)
}
