/**
 * The commands of the original's collision engine: what a handler may ask for, in which order it is done.
 *
 * The order of kinds is the measured one, not the document's. Commands of one kind stay as they were emitted, as long as
 * there are no more than sixteen; beyond that the C++ library's sort mixes equals, and so does this one, in the same way.
 */

import type { VinylWorld } from '../declaration.ts'
import { SHIP } from '../declaration.ts'
import { reportFragment } from '../report.ts'
import { addAsteroid, setPlace, setVelocity } from '../setup.ts'
import { announce } from '../text.ts'
import type { Place, Polar } from '../torus.ts'
import { sortUnstable } from './sort.ts'

export type Command =
  | { readonly kind: 'kill'; readonly target: number }
  | { readonly kind: 'place'; readonly target: number; readonly place: Place }
  | { readonly kind: 'velocity'; readonly target: number; readonly velocity: Polar }
  | { readonly kind: 'dock'; readonly target: number }
  | { readonly kind: 'shield' | 'cargo' | 'fuel' | 'vinyl'; readonly target: number; readonly amount: number }
  | { readonly kind: 'eaten'; readonly target: number; readonly by: number }
  | { readonly kind: 'announce'; readonly text: string }

export type Fragment = {
  readonly parent: number
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

/** Does the commands one after another. The dead are left alone, but it is still noted who ate them. */
export function applyCommands(world: VinylWorld, commands: readonly Command[]): void {
  const { things } = world.tables
  for (const command of commands) {
    if (command.kind === 'announce') announce(world, command.text)
    else if (things.dead[command.target] === 0 || command.kind === 'eaten') apply(world, command)
  }
}

function apply(world: VinylWorld, command: Exclude<Command, { kind: 'announce' }>): void {
  const { things } = world.tables
  const { target } = command
  switch (command.kind) {
    case 'kill':
      things.dead[target] = 1
      return
    case 'place':
      setPlace(world, target, command.place)
      return
    case 'velocity':
      setVelocity(world, target, command.velocity)
      return
    case 'dock':
      things.docked[target] = 1
      things.teleports[target]++
      return
    case 'shield':
      things.shield[target] = clamp(things.shield[target] + command.amount, SHIP.shieldCapacity)
      // A ship without shield dies here, and not by a command: in this frame it has met everybody it touched.
      if (things.shield[target] <= 0) things.dead[target] = 1
      return
    case 'cargo':
      things.cargo[target] = clamp(things.cargo[target] + command.amount, things.cargoCapacity[target])
      return
    case 'fuel':
      things.fuel[target] = clamp(things.fuel[target] + command.amount, things.fuelCapacity[target])
      return
    case 'vinyl':
      things.vinyl[target] = Math.max(0, things.vinyl[target] + command.amount)
      return
    case 'eaten':
      things.eatenBy[target] = things.id[command.by]
  }
}

function clamp(value: number, capacity: number): number {
  return Math.min(Math.max(value, 0), capacity)
}

export function addFragments(world: VinylWorld, fragments: readonly Fragment[]): void {
  for (const { parent, number, mass, material, place, velocity } of fragments) {
    reportFragment(world, parent, addAsteroid(world, mass, material, place, velocity), number, velocity)
  }
}
