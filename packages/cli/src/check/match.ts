/** Matches to check a game by: each of its scenes, played once and recorded, so that every check runs the same inputs. */

import { advance, createSession, createWorld, hashWorld, type Scene, type Session } from 'hurtbox'
import type { LoadedModule } from 'hurtbox/module'
import {
  type AnyWorld,
  botInput,
  type Control,
  calling,
  collisionsOf,
  createEncodedInputs,
  inputsAt,
  seatRow,
  stepEncoded,
  type TickInputs,
} from 'hurtbox/tools'
import { type Finding, tellFailure } from './finding.ts'

export type Match = {
  readonly scene: Scene
  readonly session: Session
  /** What the game threw while it was played; the ticks before are recorded. */
  readonly failure: Finding | undefined
  /** Rules of `collide` that no contact came before, so that nothing is known of them. */
  readonly unreached: ReadonlySet<string>
}

/** Plays at most `ticks` ticks of a scene. */
export function playRecorded(module: LoadedModule, scene: Scene, ticks: number): Match {
  const { game, seed, options = {}, tuning = {} } = scene
  const session = createSession(game, { seed, options, tuning })
  const { world } = session
  const inputsOf = scene.inputs ?? botsOf(module, seed)
  const unreached = watchRules(world)
  while (world.tick < Math.min(ticks, scene.ticks)) {
    const { tick } = world
    try {
      calling({ what: `inputs of scene ${scene.name}`, tick }, () => advance(session, inputsOf(tick, world)))
    } catch (error) {
      return { scene, session, failure: findingOf(scene.name, tick, error), unreached }
    }
  }
  return { scene, session, failure: undefined, unreached }
}

/** The names of all rules; one that is asked is taken out. */
function watchRules(world: AnyWorld): Set<string> {
  const unreached = new Set<string>()
  for (const collision of collisionsOf(world).values()) {
    for (const { name } of collision.groups.flat()) unreached.add(name)
    collision.trace = {
      a: 0,
      b: 0,
      entries: [],
      onVerdict: (_collision, { name }, _verdict, isForRule) => void (isForRule && unreached.delete(name)),
      onDecided() {},
    }
  }
  return unreached
}

/** A match in plain data: what entered in each tick, and the hash of the state after it. */
export type MatchRecord = {
  readonly setup: Match['session']['setup']
  readonly ticks: readonly (readonly [
    controls: readonly object[],
    seats: readonly number[],
    codes: readonly number[],
  ])[]
  readonly hashes: readonly string[]
}

/** Plays a match again and writes it down. */
export function recordOf({ session }: Match): MatchRecord {
  const { log, setup, game } = session
  const world = createWorld(game, setup as never)
  const inputs = createEncodedInputs(world)
  const fields: number = game.input.fields.length
  const ticks: MatchRecord['ticks'][number][] = []
  const hashes: string[] = []
  for (let tick = 0; tick < log.length; tick++) {
    inputsAt(log, tick, inputs)
    const { controls, count, seats, codes } = inputs
    ticks.push([[...controls], [...seats.subarray(0, count)], [...codes.subarray(0, count * fields)]])
    stepEncoded(world, inputs)
    hashes.push(hashWorld(world))
  }
  return { setup, ticks, hashes }
}

/** Who plays a scene that has no players of its own: the bots of the module, as in a room that nobody has joined. */
function botsOf(module: LoadedModule, seed: number): (tick: number, world: AnyWorld) => TickInputs {
  const seats = Array.from({ length: module.seats }, (_, seat) => seat).filter((seat) => module.botOf(seat))
  return (tick, world) => {
    if (tick === 0) {
      return { controls: seats.map((seat): Control => ({ control: 'join', seat, team: module.teamOf(seat) })) }
    }
    const present = seats.filter((seat) => seatRow(world, seat) >= 0)
    return { players: present.map((seat) => ({ ...botInput(module.botOf(seat)!, world, seat, seed), seat })) }
  }
}

function findingOf(scene: string, tick: number, error: unknown): Finding {
  return {
    check: 'sync',
    rule: 'failed',
    ...tellFailure(error),
    instead: 'The match stops here, online too: the code of the game must not throw.',
    scene,
    tick,
  }
}
