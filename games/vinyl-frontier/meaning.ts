/** What the numbers and events of Vinyl Frontier mean to people. */

import { each } from 'hurtbox'
import type { Meaning } from 'hurtbox/module'
import { type declaration, MATERIAL, MESSAGE_LENGTH, NAME_LENGTH } from './rules/declaration.ts'
import { leadingTeams } from './rules/match.ts'
import { stationOf } from './rules/setup.ts'
import { readBytes, readName } from './rules/text.ts'

const nameIn = (bytes: readonly number[]) => readBytes(bytes, 0, NAME_LENGTH)

export const meaning: Meaning<typeof declaration> = {
  /** Tons at home. */
  score: ({ seat }, world) => Math.round((stationOf(world, seat)?.vinyl ?? 0) * 10) / 10,
  figures: ({ seat }, world) => {
    const ships = [...each(world, 'ship')].filter(({ team }) => team === seat + 1).length
    return { 'tons at home': (stationOf(world, seat)?.vinyl ?? 0).toFixed(1), 'ships left': ships }
  },
  winners: (world) => leadingTeams(world).slice(0, leadingTeams(world).length === 1 ? 1 : 0),
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
    destroyed: { is: 'kill', victim: 'ship', sound: 'death', sentence: ({ ship }, name) => `${name(ship)} is lost` },
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
