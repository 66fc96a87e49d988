/**
 * The log of a tick, in the words of the original: lines to read, to grep and to count.
 *
 * Made from events after the step, so that a match without a log does not pay for one.
 */

import { MESSAGE_LENGTH, NAME_LENGTH, type VinylWorld } from './rules/declaration.ts'
import { DOCKING, IMPACT } from './rules/report.ts'
import { TEAMS } from './rules/setup.ts'
import { readBytes } from './rules/text.ts'
import { hypot } from './rules/torus.ts'

const KINDS: readonly string[] = ['GENTHING', 'STATION', 'SHIP', 'ASTEROID']
const IMPACTS: readonly string[] = ['elastic', 'inelastic', 'split', 'limit']

/** All lines of the last tick, in the order in which things happened. */
export function logLines(world: VinylWorld): string[] {
  const lines: { readonly order: number; readonly text: string }[] = []
  const { contact, laser, momentum, fragment, message, launch, outOfFuel } = world.events
  const add = (list: { readonly count: number; readonly order: Uint32Array }, text: (n: number) => string) => {
    for (let n = 0; n < list.count; n++) lines.push({ order: list.order[n], text: text(n) })
  }
  add(contact, (n) => contactLine(world, n))
  add(laser, (n) => laserLine(world, n))
  add(momentum, (n) => {
    const { impact, beforeX, beforeY, afterX, afterY, turn } = momentum
    const before = `(${beforeX[n].toFixed(6)}, ${beforeY[n].toFixed(6)})`
    const after = `(${afterX[n].toFixed(6)}, ${afterY[n].toFixed(6)})`
    const lost = hypot(beforeX[n] - afterX[n], beforeY[n] - afterY[n])
    const change = impact[n] === IMPACT.limit ? ` lost to the speed limit=${lost.toFixed(6)}` : ''
    return `MOMENTUM: Turn ${turn[n]}: ${IMPACTS[impact[n]]} before=${before} after=${after}${change}`
  })
  add(fragment, (n) => {
    const { turn, parent, number, mass, x, y, speed, heading } = fragment
    const at = `pos=(${x[n].toFixed(1)},${y[n].toFixed(1)}) vel=${velocity(speed[n], heading[n])}`
    const name = text(fragment.fragment, n)
    return `Fragment: Turn ${turn[n]}: ${text(parent, n)} -> ${name} #${number[n] + 1} mass=${mass[n].toFixed(3)} ${at}`
  })
  add(message, (n) => `[ANNOUNCER] ${readBytes(message.text, n * MESSAGE_LENGTH, MESSAGE_LENGTH)}`)
  add(
    launch,
    (n) => `[UNDOCK] Turn ${launch.turn[n]}: ${text(launch.ship, n)} distance=${launch.distance[n].toFixed(2)}`,
  )
  add(outOfFuel, (n) => `[OUT OF FUEL] Turn ${outOfFuel.turn[n]}: ${text(outOfFuel.ship, n)}`)
  return lines.sort((a, b) => a.order - b.order).map((line) => line.text)
}

function contactLine({ events: { contact } }: VinylWorld, n: number): string {
  const side = (names: Uint8Array, kind: number, figures: Float64Array): string => {
    const [x, y, speed, heading, radius] = figures.subarray(n * 5, n * 5 + 5)
    const place = `pos=(${x.toFixed(1)},${y.toFixed(1)})`
    return `${text(names, n)}[${KINDS[kind]}] ${place} vel=${velocity(speed, heading)} rad=${radius.toFixed(1)}`
  }
  const a = side(contact.nameA, contact.kindA[n], contact.a)
  const b = side(contact.nameB, contact.kindB[n], contact.b)
  const measures = `dist=${contact.distance[n].toFixed(3)} overlap=${contact.overlap[n].toFixed(3)}`
  return `COLLISION_DETECTED: Turn ${contact.turn[n]}: ${a} <-> ${b} | ${measures}${DOCKING_TAG[contact.docking[n]]}`
}

const DOCKING_TAG: readonly string[] = Object.assign([''], {
  [DOCKING.justDocked]: ' [SHIP-JUST-DOCKED]',
  [DOCKING.alreadyDocked]: ' [SHIP-ALREADY-DOCKED]',
})

function laserLine({ events: { laser } }: VinylWorld, n: number): string {
  const [x, y, length, range, targetX, targetY, speed, heading, mass] = laser.figures.subarray(n * 9, n * 9 + 9)
  const shooter = `${text(laser.shooter, n)}[${teamName(laser.shooterTeam[n])}] fires from pos=(${x.toFixed(1)},${y.toFixed(1)})`
  const beam = `power=${length.toFixed(1)} range=${range.toFixed(1)}`
  const target = `${text(laser.target, n)}[${KINDS[laser.targetKind[n]]}][${teamName(laser.targetTeam[n])}]`
  const place = `at pos=(${targetX.toFixed(1)},${targetY.toFixed(1)})`
  return `LASER_COLLISION: ${shooter} ${beam} -> ${target} ${place} laser_vel=${velocity(speed, heading)} mass=${mass.toFixed(3)}`
}

function velocity(speed: number, heading: number): string {
  return `(${speed.toFixed(2)}@${((heading * 180) / Math.PI).toFixed(1)}°)`
}

function teamName(team: number): string {
  return TEAMS[team - 1]?.name ?? 'NoTeam'
}

function text(names: Uint8Array, n: number): string {
  return readBytes(names, n * NAME_LENGTH, NAME_LENGTH)
}
