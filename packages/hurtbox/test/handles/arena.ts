/** A small game for the tests of handles: every type of column, wide columns, players, a table of its own. */

import type { Behaviour } from '../../src/host/tools/index.ts'
import {
  axis,
  collide,
  createWorld,
  declareGame,
  defineGame,
  type Phase,
  type Rule,
  type Thing,
  type World,
  wide,
} from '../../src/index.ts'

export const declaration = declareGame({
  id: 'handles',
  tickRate: 60,
  seats: { min: 0, max: 4 },
  layers: { knight: ['slime'], slime: [], rock: [] },
  capacity: 12,
  things: {
    hp: 'f64',
    combo: 'u8',
    ammo: 'u16',
    coins: 'u32',
    readyAt: 'timer',
    armour: wide('f64', 3),
    slots: wide('u8', 2),
  },
  players: { score: 'u32', marks: wide('u16', 2) },
  hits: 8,
  tables: { orders: { capacity: 4, columns: { about: 'id', weight: 'f64', steps: wide('u8', 2) } } },
  globals: { wave: 'u32', wind: 'f64', level: 'u8', size: 'u16' },
  arrays: { fog: { type: 'u8', length: 4 } },
  input: { walk: axis() },
  events: { cut: { victim: 'id', by: 'id', depth: 'f64' }, mark: { at: wide('f64', 2) } },
  eventCapacity: 4,
})

export type D = typeof declaration
export interface Arena extends World<D> {}
export interface ArenaThing extends Thing<D> {}
export type KnightRule = Rule<D, 'knight', 'slime'>

/** A world with these phases. */
export function arena(phases: Readonly<Record<string, Phase<D>>> = {}, more: Partial<Behaviour<D>> = {}): Arena {
  return createWorld(defineGame(declaration, { phases, ...more }))
}

/** Two worlds of one game. */
export function twoWorlds(phases: Readonly<Record<string, Phase<D>>> = {}): [Arena, Arena] {
  const game = defineGame(declaration, { phases })
  return [createWorld(game), createWorld(game)]
}

/** A phase with one rule: a knight meets a slime. */
export function rule(decide: KnightRule['decide'], more: Partial<KnightRule> = {}): Phase<D> {
  return collide(declaration, { strike: { between: ['knight', 'slime'], ...more, decide } })
}

/** The bytes of the state that count: rows in use, globals, arrays and the header, but for tick and clock. */
export function stateOf(world: Arena): readonly number[][] {
  const { header, columns, tables, layout } = world.memory
  return [
    [...header.subarray(2)],
    ...columns.map(({ array, width }, i) => {
      const { table } = layout.regions[i]
      return [
        ...array.subarray(0, table < 0 || tables[table] === undefined ? array.length : tables[table].count * width),
      ]
    }),
  ]
}
