/**
 * A match as the command line asks for it: a scene of the game, with some values replaced.
 *
 * The outcome is again a scene, so run, synctest and why play it the same way, and a number changed on the command line is no
 * special case anywhere.
 */

import { advance, createSession, type Scene, type Session } from 'hurtbox'
import type { LoadedModule } from 'hurtbox/module'
import {
  type AnyWorld,
  botInput,
  type Control,
  createEmptyWorld,
  failureOf,
  GameFailure,
  type OptionSpecs,
  type PlayerInput,
  type Result,
  resultOf,
  seatRow,
  type TickInputs,
} from 'hurtbox/tools'
import { readNumber } from './arguments.ts'
import { messageOf, UsageError, unknownName } from './errors.ts'

export type MatchOptions = {
  readonly scene?: string
  readonly seed?: number
  readonly ticks?: number
  readonly bots?: number
  readonly tune?: Readonly<Record<string, string>>
  readonly option?: Readonly<Record<string, string>>
}

/**
 * The scene to play: the one named or the game's first, with what the command line changes. A scene without inputs of its own
 * is a match to be filled: unless `--bots` says how many, the game's bots take the seats of its seating.
 */
export function chooseScene(module: LoadedModule, options: MatchOptions): Scene {
  const { id, scenes } = module
  const names = scenes.map((scene) => scene.name)
  const scene = options.scene === undefined ? scenes[0] : scenes.find(({ name }) => name === options.scene)
  if (scene === undefined) throw unknownName(`scene of ${id}`, options.scene!, names)

  const chosen = applyOptions(module, scene, options)
  if (options.bots !== undefined) return withBots(module, chosen, options.bots)
  const count = defaultBots(module, scene)
  const about = count === 0 ? scene.about : `${scene.about} (${count} ${count === 1 ? 'bot' : 'bots'})`
  return withBots(module, { ...chosen, about }, count)
}

/** How many bots play a scene when nobody says. */
export function defaultBots({ bots, seats }: LoadedModule, scene: Scene): number {
  return scene.inputs !== undefined || bots.length === 0 ? 0 : seats
}

/** A scene with the seed, length, options and tuning of the command line. */
function applyOptions({ game }: LoadedModule, scene: Scene, options: MatchOptions): Scene {
  const specs: OptionSpecs = game.declaration.options ?? {}
  return {
    ...scene,
    seed: options.seed ?? scene.seed,
    ticks: options.ticks ?? scene.ticks,
    options: { ...scene.options, ...mapValues(options.option, (text, name) => readOption(specs, name, text)) },
    tuning: { ...scene.tuning, ...mapValues(options.tune, readNumber) } as Record<string, number>,
  }
}

/** Starts a match. What the engine does not accept of options, tuning and seed is a mistake of the command line. */
export function startMatch(scene: Scene, keyframeEvery?: number): Session {
  const { game, seed, options = {}, tuning = {} } = scene
  const given = { seed, options, tuning }
  try {
    createEmptyWorld(game, given)
  } catch (error) {
    throw error instanceof GameFailure ? error : new UsageError(messageOf(error), { cause: error })
  }
  return createSession(game, given, keyframeEvery)
}

/**
 * Plays on until `ticks` ticks have run, the match is over, or `afterTick` says no. Returns the result, if the game has
 * one.
 */
export function playMatch(
  scene: Scene,
  session: Session,
  ticks: number,
  afterTick: (world: AnyWorld) => boolean = () => true,
): Result | undefined {
  const { world } = session
  let result: Result | undefined = resultOf(world)
  while (world.tick < ticks && result?.over !== true) {
    playTick(scene, session)
    result = resultOf(world)
    if (!afterTick(world)) break
  }
  return result
}

function playTick({ name, inputs }: Scene, session: Session): void {
  const { world } = session
  const { tick } = world
  try {
    advance(session, inputs?.(tick, world) ?? {})
  } catch (error) {
    throw error instanceof UsageError ? error : failureOf(error, { what: `inputs of scene ${name}`, tick })
  }
}

/**
 * The same scene with `count` bots on the free seats, each in the team and played by the bot of its seat. They join in tick 0
 * and think from the next one on.
 */
function withBots(module: LoadedModule, scene: Scene, count: number): Scene {
  const { id, teamOf, botOf } = module
  if (count === 0) return scene
  if (module.bots.length === 0)
    throw new UsageError(`${id} has no bots. Leave --bots out, or give its module \`bots\`.`)
  let botSeats: readonly number[] = []

  const inputs = (tick: number, world: AnyWorld): TickInputs => {
    const given = scene.inputs?.(tick, world) ?? {}
    if (tick === 0) {
      const free = freeSeats(scene.game.declaration.seats.max, given.controls ?? [])
      if (free.length < count) {
        throw new UsageError(`--bots ${count} is too many: ${id} has ${free.length} free seats in scene ${scene.name}.`)
      }
      botSeats = free.slice(0, count)
      const joins = botSeats.map((seat): Control => ({ control: 'join', seat, team: teamOf(seat) }))
      return { ...given, controls: [...(given.controls ?? []), ...joins] }
    }
    const thought = botSeats
      .filter((seat) => seatRow(world, seat) >= 0)
      .map((seat): PlayerInput => ({ ...botInput(botOf(seat)!, world, seat, scene.seed), seat }))
    return { ...given, players: [...(given.players ?? []), ...thought] }
  }
  return { ...scene, inputs }
}

function freeSeats(seats: number, controls: readonly Control[]): number[] {
  const taken = controls.filter((control) => control.control === 'join').map((control) => control.seat)
  return Array.from({ length: seats }, (_, seat) => seat).filter((seat) => !taken.includes(seat))
}

/** A value of the wrong sort stays text; the engine then reports what it must be. */
function readOption(specs: OptionSpecs, name: string, text: string): unknown {
  const kind = Object.hasOwn(specs, name) ? specs[name].kind : undefined
  if (kind === 'flag' && (text === 'true' || text === 'false')) return text === 'true'
  return kind === 'whole' ? readNumber(text) : text
}

function mapValues<T>(values: Readonly<Record<string, string>> = {}, read: (text: string, name: string) => T) {
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, read(text, name)]))
}
