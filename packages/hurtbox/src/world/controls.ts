/**
 * Controls: inputs that are not a player's own, such as joining, pausing and tuning. Recorded like any other.
 *
 * One record per control says what it must be to be accepted and what it does (`CONTROLS`), and another
 * how it travels (`CONTROL_CODINGS`), which only code that writes files or sends messages imports. A new control is one record in each, and one line in the type.
 */

import { HurtboxError, requireInteger, unknownName } from '../base/errors.ts'
import { failureOf } from '../base/failure.ts'
import { ENTROPY } from '../state/layout.ts'
import { addRow } from '../state/table.ts'
import type { AnyGame, AnyJoinData } from './game.ts'
import { handleAt } from './handles/pool.ts'
import { despawnOwned, seatRow } from './handles/things.ts'
import { inputKinds, readJoin } from './input-kinds.ts'
import { involvedPlayer } from './involved.ts'
import { settings } from './settings.ts'
import type { AnyWorld } from './world.ts'

export type Control =
  | {
      readonly control: 'join'
      readonly seat: number
      readonly team?: number
      /** What the player brings along, by the fields of the declared `join`: `{ skin: 'red' }`. */
      readonly data?: AnyJoinData
    }
  | { readonly control: 'leave'; readonly seat: number }
  | { readonly control: 'pause'; readonly paused: boolean }
  /** Value in the declared unit. */
  | { readonly control: 'tune'; readonly name: string; readonly value: number }
  /** 32 random bits that no client could know before. */
  | { readonly control: 'entropy'; readonly bits: number }

type Named<K extends Control['control']> = Extract<Control, { control: K }>

/** How a field travels; `hurtbox/wire` has a coding for each. */
export type FieldCoding = 'seat' | 'byte' | 'flag' | 'tuning' | 'float' | 'varint' | 'joinData'

/** Which seats are taken while the controls of a tick are checked, one after another. */
type Seating = { readonly taken: boolean[]; joined: number }

type ControlSpec<C extends Control = Control> = {
  /** Throws when the control cannot be applied. */
  check(control: C, game: AnyGame, seating: Seating): void
  apply(control: C, world: AnyWorld): void
}

const PLAYERS = 1

const CONTROLS: { readonly [K in Control['control']]: ControlSpec<Named<K>> } = {
  join: {
    check({ seat, team = 0, data }, game, seating) {
      requireSeat(game, seat)
      if (data !== undefined) readJoin(game, data)
      requireInteger(team, 'team', 0, 255)
      if (seating.taken[seat]) {
        throw new HurtboxError('bad-argument', `seat ${seat} is taken; its player must leave first.`)
      }
      // A player who leaves keeps the row until the tick ends, so when all seats were taken there is no free row yet.
      if (++seating.joined > game.declaration.seats.max) {
        throw new HurtboxError('bad-argument', 'the seat is free when this tick has ended.')
      }
      seating.taken[seat] = true
    },
    apply({ seat, team = 0, data }, world) {
      const { players } = world.tables
      const row = addRow(players)
      players.seat[row] = seat
      players.team[row] = team
      inputKinds.used?.applyIdle(world.game.input, players, row)
      // Read here, so that nobody is told less than it is after a file or the wire.
      const read = data === undefined ? undefined : readJoin(world.game, data)
      callHook('onJoin', world, row, read)
    },
  },
  leave: {
    check({ seat }, game, { taken }) {
      requireSeat(game, seat)
      if (!taken[seat]) throw new HurtboxError('bad-argument', `seat ${seat} is empty.`)
      taken[seat] = false
    },
    apply({ seat }, world) {
      const { players } = world.tables
      const row = seatRow(world, seat)
      if (world.game.behaviour.onLeave === undefined) despawnOwned(world, players.thing[row])
      callHook('onLeave', world, row)
      players.leaving[row] = 1
    },
  },
  pause: {
    check({ paused }) {
      if (typeof paused !== 'boolean') throw new HurtboxError('bad-argument', 'paused must be true or false.')
    },
    apply({ paused }, world) {
      world.paused = paused
    },
  },
  tune: {
    check: (control, game) => void tuned(control, game),
    apply(control, { game, memory }) {
      memory.tuningValues[Object.keys(game.declaration.tuning).indexOf(control.name)] = tuned(control, game)
    },
  },
  entropy: {
    check: ({ bits }) => void requireInteger(bits, 'bits', 0, 0xffffffff),
    apply({ bits }, world) {
      world.memory.header[ENTROPY] = bits
    },
  },
}

/** Tells the game that the player in a row came or leaves. */
function callHook(what: 'onJoin' | 'onLeave', world: AnyWorld, row: number, data?: AnyJoinData): void {
  try {
    world.game.behaviour[what]?.(world, handleAt(world.memory.block.pools[PLAYERS], row), data)
  } catch (error) {
    throw failureOf(error, { what, ...involvedPlayer(world, row) })
  }
}

/** How a control travels: its number on the wire and in files, and its fields. */
type ControlCoding = {
  readonly number: number
  /** The control it stands for, where its name is another. */
  readonly control?: Control['control']
  readonly fields: readonly (readonly [name: string, coding: FieldCoding])[]
}

export const CONTROL_CODINGS: { readonly [K in Control['control'] | 'joinWith']: ControlCoding } = {
  join: {
    number: 0,
    fields: [
      ['seat', 'seat'],
      ['team', 'byte'],
    ],
  },
  leave: { number: 1, fields: [['seat', 'seat']] },
  pause: { number: 2, fields: [['paused', 'flag']] },
  tune: {
    number: 3,
    fields: [
      ['name', 'tuning'],
      ['value', 'float'],
    ],
  },
  entropy: { number: 4, fields: [['bits', 'varint']] },
  /** A join with data. Of its own, so that files without any are what they were. */
  joinWith: {
    number: 5,
    control: 'join',
    fields: [
      ['seat', 'seat'],
      ['team', 'byte'],
      ['data', 'joinData'],
    ],
  },
}

/** The record of a control of any kind; throws when there is none. */
export function controlSpec(control: Control | undefined): ControlSpec {
  const name = control?.control
  if (name !== undefined && Object.hasOwn(CONTROLS, name)) return CONTROLS[name] as unknown as ControlSpec
  throw new HurtboxError('bad-argument', `a control is one of ${Object.keys(CONTROLS).join(', ')}.`)
}

export function requireSeat(game: AnyGame, seat: unknown): number {
  return requireInteger(seat, 'seat', 0, game.declaration.seats.max - 1)
}

function tuned({ name, value }: Named<'tune'>, game: AnyGame): number {
  const { tuning = {}, tickRate } = game.declaration
  if (settings.used === undefined) throw unknownName('tuning value', name, [])
  return settings.used.readSetting<number>(tuning, 'tuning value', name, value, tickRate)
}
