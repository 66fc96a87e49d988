/** What the numbers and events of Vinyl Frontier mean to people. */

import type { Meaning } from 'hurtbox/module'
import { type declaration, MATERIAL, MESSAGE_LENGTH, NAME_LENGTH } from './rules/declaration.ts'
import { stationOf } from './rules/setup.ts'
import { readBytes, readName } from './rules/text.ts'

const nameIn = (bytes: readonly number[]) => readBytes(bytes, 0, NAME_LENGTH)

export const meaning: Meaning<typeof declaration> = {
  /** Tons at home. */
  score: ({ seat }, world) => Math.round((stationOf(world, seat)?.vinyl ?? 0) * 10) / 10,
  nameOf(thing) {
    const name = readName(thing)
    if (thing.layer !== 'asteroid') return `${thing.layer} ${name}`
    return `${thing.material === MATERIAL.vinyl ? 'vinyl' : 'uranium'} rock ${name}`
  },
  events: {
    contact: { is: 'other', sentence: ({ nameA, nameB }) => `${nameIn(nameA)} touches ${nameIn(nameB)}` },
    laser: {
      is: 'hit',
      sound: 'shot',
      sentence: ({ shooter, target }) => `the laser of ${nameIn(shooter)} hits ${nameIn(target)}`,
    },
    hurt: {
      is: 'hit',
      show: 'taken-back',
      sound: 'hit',
      sentence: ({ ship, points }, name) => `${name(ship)} loses ${Math.round(points * 10) / 10} of its shield`,
    },
    destroyed: { is: 'kill', sound: 'death', sentence: ({ ship }, name) => `${name(ship)} is lost` },
    fragment: { is: 'spawn', sentence: ({ parent, fragment }) => `${nameIn(fragment)} breaks off ${nameIn(parent)}` },
    delivered: {
      is: 'score',
      sound: 'pickup',
      sentence: ({ ship, station, tons }, name) =>
        `${name(ship)} brings ${Math.round(tons * 10) / 10} t to ${name(station)}`,
    },
    message: { is: 'other', sentence: ({ text }) => readBytes(text, 0, MESSAGE_LENGTH) },
    launch: { is: 'other', sentence: ({ ship }) => `${nameIn(ship)} leaves its dock` },
    outOfFuel: { is: 'other', sentence: ({ ship }) => `${nameIn(ship)} is out of fuel` },
  },
}
