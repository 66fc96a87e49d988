/**
 * The commands of the original's collision engine: what a handler may ask for, and the order in which it is done.
 *
 * The order of kinds is the measured one, not the document's. Commands of one kind stay as they were emitted, as long as
 * there are no more than sixteen; beyond that the C++ library's sort mixes equals, and so does this one, in the same way.
 */

import { SHIP, type VinylThing, type VinylWorld } from '../declaration.ts'
import { reportFragment } from '../report.ts'
import { addAsteroid, setPlace, setVelocity } from '../setup.ts'
import { announce } from '../text.ts'
import type { Place, Polar } from '../torus.ts'
import { sortUnstable } from './sort.ts'

export type Command =
  | { readonly kind: 'kill'; readonly target: VinylThing }
  | { readonly kind: 'place'; readonly target: VinylThing; readonly place: Place }
  | { readonly kind: 'velocity'; readonly target: VinylThing; readonly velocity: Polar }
  | { readonly kind: 'dock'; readonly target: VinylThing }
  | { readonly kind: 'shield' | 'cargo' | 'fuel' | 'vinyl'; readonly target: VinylThing; readonly amount: number }
  | { readonly kind: 'eaten'; readonly target: VinylThing; readonly by: VinylThing }
  | { readonly kind: 'announce'; readonly text: string }

export type Fragment = {
  readonly parent: VinylThing
  readonly number: number
  readonly mass: number
  readonly material: number
  readonly place: Place
  readonly velocity: Polar
}

export type Outcome = { readonly commands: Command[]; readonly fragments: Fragment[] }

const PRIORITY: Readonly<Record<Command['kind'], number>> = {
  kill: 1,
  place: 2,
  velocity: 3,
  dock: 4,
  shield: 5,
  cargo: 5,
  fuel: 5,
  vinyl: 5,
  eaten: 6,
  announce: 7,
}

export function sortCommands(commands: Command[]): void {
  sortUnstable(commands, (a, b) => PRIORITY[a.kind] < PRIORITY[b.kind])
}

/** Runs the commands one after another. The dead are left alone, except that `eatenBy` is still written. */
export function applyCommands(world: VinylWorld, commands: readonly Command[]): void {
  for (const command of commands) {
    if (command.kind === 'announce') announce(world, command.text)
    else if (command.target.dead === 0 || command.kind === 'eaten') apply(command)
  }
}

function apply(command: Exclude<Command, { kind: 'announce' }>): void {
  const { target } = command
  switch (command.kind) {
    case 'kill':
      target.dead = 1
      return
    case 'place':
      setPlace(target, command.place)
      return
    case 'velocity':
      setVelocity(target, command.velocity)
      return
    case 'dock':
      target.docked = 1
      target.teleports++
      return
    case 'shield':
      target.shield = clamp(target.shield + command.amount, SHIP.shieldCapacity)
      // A ship without shield dies here, and not by a command: in this frame it has met everything it touched.
      if (target.shield <= 0) target.dead = 1
      return
    case 'cargo':
      target.cargo = clamp(target.cargo + command.amount, target.cargoCapacity)
      return
    case 'fuel':
      target.fuel = clamp(target.fuel + command.amount, target.fuelCapacity)
      return
    case 'vinyl':
      target.vinyl = Math.max(0, target.vinyl + command.amount)
      return
    case 'eaten':
      target.eatenBy = command.by.id
  }
}

function clamp(value: number, capacity: number): number {
  return Math.min(Math.max(value, 0), capacity)
}

export function addFragments(world: VinylWorld, fragments: readonly Fragment[]): void {
  for (const { parent, number, mass, material, place, velocity } of fragments) {
    reportFragment(world, parent, addAsteroid(world, mass, material, place, velocity), number)
  }
}
