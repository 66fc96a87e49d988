/**
 * Stages 4 and 5 of the document's pipeline: the seven kinds of commands, the order in which they are carried out, and what
 * each does.
 *
 * What is dead takes no further command, and a ship in a dock stays where its dock is. Both depend on the order: kills first,
 * then docks.
 */

import { emit } from 'hurtbox'
import { SHIP, type VinylThing, type VinylWorld } from '../declaration.ts'
import { now, reportFragment } from '../report.ts'
import { addAsteroid, setPlace, setVelocity } from '../setup.ts'
import { announce, labelBytes, nameBytes } from '../text.ts'
import { type Place, type Polar, toPlane } from '../torus.ts'

/** The document's order, highest first; `priority` in a `command` event is the place in it, from 1. */
export const PRIORITIES = [
  'KillSelf',
  'SetDocked',
  'SetVelocity',
  'SetPosition',
  'AdjustShield',
  'AdjustCargo',
  'Announce',
] as const

/** One change of one thing. `by` is what it met; nothing for a laser. */
export type Command = Readonly<{ target: VinylThing; by: VinylThing | undefined }> &
  Readonly<
    | { kind: 'KillSelf' }
    | { kind: 'SetDocked'; place: Place }
    | { kind: 'SetVelocity'; velocity: Polar }
    | { kind: 'SetPosition'; place: Place }
    | { kind: 'AdjustShield'; value: number }
    /** Into the tank instead of the hold, or out of the hold into the station `by`. */
    | { kind: 'AdjustCargo'; value: number; into: 'hold' | 'tank' | 'station' }
    /** `isAlways`: also of what is dead by then. */
    | { kind: 'Announce'; text: string; isAlways: boolean }
  >

/** A rock's piece, which is added when all commands are done. */
export type Spawn = Readonly<{
  parent: VinylThing
  number: number
  mass: number
  material: number
  place: Place
  velocity: Polar
}>

/** By priority, then by the index of the target in the list of things; what is equal stays in the order of its pairs. */
export function sortCommands(commands: readonly Command[]): readonly Command[] {
  const priority = ({ kind }: Command) => PRIORITIES.indexOf(kind)
  return [...commands].sort((a, b) => priority(a) - priority(b) || a.target.slot - b.target.slot)
}

/** Carries out all commands, each told by an event: what was asked of whom, and whether it was done. */
export function applyCommands(world: VinylWorld, commands: readonly Command[]): void {
  for (const command of commands) {
    const isDone = mayBeDone(command)
    report(world, command, isDone)
    if (isDone) apply(world, command)
  }
}

export function addSpawns(world: VinylWorld, spawns: readonly Spawn[]): void {
  for (const { parent, number, mass, material, place, velocity } of spawns) {
    reportFragment(world, parent, addAsteroid(world, mass, material, place, velocity), number)
  }
}

function mayBeDone(command: Command): boolean {
  const { kind, target } = command
  if (kind === 'Announce' && command.isAlways) return true
  if (target.dead === 1) return false
  return target.docked === 0 || (kind !== 'SetVelocity' && kind !== 'SetPosition')
}

function apply(world: VinylWorld, command: Command): void {
  const { target, by } = command
  switch (command.kind) {
    case 'KillSelf':
      kill(world, target, by)
      return
    case 'SetDocked':
      target.docked = 1
      target.teleports++
      setPlace(target, command.place)
      setVelocity(target, { speed: 0, heading: 0 })
      return
    case 'SetVelocity':
      setVelocity(target, command.velocity)
      return
    case 'SetPosition':
      setPlace(target, command.place)
      return
    case 'AdjustShield':
      target.shield = Math.min(Math.max(target.shield + command.value, 0), SHIP.shieldCapacity)
      emit(world, 'hurt', { ship: target, by: by ?? 0, points: -command.value })
      // Several that none of them kills alone.
      if (target.shield === 0) kill(world, target, by)
      return
    case 'AdjustCargo':
      adjustCargo(world, target, by, command.value, command.into)
      return
    default:
      announce(world, command.text)
  }
}

/** A ship is destroyed by what brought the command; a rock has been eaten by it, or is broken. */
function kill(world: VinylWorld, target: VinylThing, by: VinylThing | undefined): void {
  target.dead = 1
  if (target.layer === 'ship') emit(world, 'destroyed', { ship: target, by: by ?? 0 })
  else if (by !== undefined) target.eatenBy = by.id
}

function adjustCargo(
  world: VinylWorld,
  ship: VinylThing,
  by: VinylThing | undefined,
  value: number,
  into: 'hold' | 'tank' | 'station',
): void {
  if (into === 'tank') {
    ship.fuel = Math.min(ship.fuel + value, ship.fuelCapacity)
    return
  }
  ship.cargo = Math.min(ship.cargo + value, ship.cargoCapacity)
  if (into === 'hold' || by === undefined) return
  by.vinyl -= value
  emit(world, 'delivered', { ship, station: by, tons: -value, isHome: ship.team === by.team ? 1 : 0 })
}

function report(world: VinylWorld, command: Command, isDone: boolean): void {
  const { kind, target, by } = command
  const { x, y } = figuresOf(command)
  emit(world, 'command', {
    ...now(world),
    step: world.globals.step,
    priority: PRIORITIES.indexOf(kind) + 1,
    target,
    targetName: nameBytes(target),
    byName: by === undefined ? NO_NAME : nameBytes(by),
    x,
    y,
    isDone: isDone ? 1 : 0,
  })
}

const NO_NAME = labelBytes('')

function figuresOf(command: Command): Place {
  switch (command.kind) {
    case 'SetDocked':
    case 'SetPosition':
      return command.place
    case 'SetVelocity':
      return toPlane(command.velocity)
    case 'AdjustShield':
    case 'AdjustCargo':
      return { x: command.value, y: 0 }
    default:
      return { x: 0, y: 0 }
  }
}
