/**
 * The document's architecture as it is written: snapshots, pairs, commands, their order, and only then changes.
 *
 * The preset `commands` plays it. It shows what frozen snapshots cost: several things that one ship meets in a frame each see it
 * as it was, so the last velocity stands and a hold can be offered more than it takes. The preset `document` gives the same
 * promises with rules that see each other's changes (`../document`); the measured server is in `../original`.
 */

import { each, type Id, type Phase } from 'hurtbox'
import { purposeOf, unitVectorAt } from 'hurtbox/math'
import { beamAt, FIRST_BEAM_MASS, reportBeam } from '../beam.ts'
import { type declaration, legacy, type VinylThing, type VinylWorld } from '../declaration.ts'
import { DOCKING, reportContact } from '../report.ts'
import { distance } from '../torus.ts'
import { addSpawns, applyCommands, type Command, type Spawn, sortCommands } from './commands.ts'
import { absorbLight, normalOf, type Outcome, respond } from './handlers.ts'
import { findLights, findPairs, type Light, type Pair, type State, takeSnapshots } from './states.ts'

/** What became of a pair in stage 3, for `why`. */
type Meeting = Readonly<{ pair: Pair; commands: readonly Command[]; isSkipped: boolean }>

export type Frame = Readonly<{
  states: readonly State[]
  meetings: readonly Meeting[]
  commands: readonly Command[]
  spawns: readonly Spawn[]
}>

export const pipeline: Phase<typeof declaration> = {
  create() {
    let frame: Frame = { states: [], meetings: [], commands: [], spawns: [] }
    return {
      run(world) {
        frame = detect(world)
        applyCommands(world, frame.commands)
        addSpawns(world, frame.spawns)
      },
      explain: (_, a, b) => explain(frame, a, b),
    }
  },
}

/** Stages 1 to 4: what is to be done in this frame, in order. Changes nothing; events tell of contacts and lasers. */
export function detect(world: VinylWorld): Frame {
  const states = takeSnapshots(each(world))
  const commands: Command[] = []
  const spawns: Spawn[] = []
  const meetings: Meeting[] = []
  // What will be dead after this frame: it meets nothing more, so it is killed once.
  const killed = new Set<VinylThing>()
  const collect = (outcomes: readonly Outcome[]): readonly Command[] => {
    const asked = outcomes.flatMap((outcome) => outcome.commands)
    for (const { kind, target } of asked) if (kind === 'KillSelf') killed.add(target)
    commands.push(...asked)
    for (const outcome of outcomes) spawns.push(...outcome.spawns)
    return asked
  }

  for (const pair of findPairs(states)) {
    const { first, second } = pair
    const isSkipped = killed.has(first.thing) || killed.has(second.thing)
    const asked = isSkipped ? [] : collect(askBoth(world, pair))
    meetings.push({ pair, commands: asked, isSkipped })
    if (asked.length === 0) continue
    reportContact(world, first.thing, second.thing, distance(first.place, second.place), DOCKING.none)
  }
  for (const light of findLights(states)) {
    if (!killed.has(light.target.thing)) collect([shine(world, light)])
  }
  return { states, meetings, commands: sortCommands(commands), spawns }
}

/** Both sides, each from its own point of view. */
function askBoth(world: VinylWorld, { first, second }: Pair): Outcome[] {
  const old = legacy(world.options)
  const chance = { x: 0, y: 0 }
  unitVectorAt(world.seed, world.tick, first.thing.id, second.thing.id, PARTING, chance)
  const normal = normalOf(first, second, chance)
  const back = { x: -normal.x, y: -normal.y }
  return [
    respond({ self: first, other: second, normal, old }),
    respond({ self: second, other: first, normal: back, old }),
  ]
}

const PARTING = purposeOf('the direction in which things in one place part')

function shine(world: VinylWorld, { shooter, target, length }: Light): Outcome {
  const old = legacy(world.options)
  const beam = beamAt(shooter.thing, target.thing, length, FIRST_BEAM_MASS)
  const { speed, heading } = target.velocity
  const arrived = old.physics ? { ...beam, velocity: { speed: speed + 1, heading } } : beam
  reportBeam(world, shooter.thing, target.thing, length, arrived)
  return absorbLight(target, arrived, old)
}

/** Why two things did or did not do something to each other in a frame. */
function explain({ states, meetings }: Frame, a: Id, b: Id): string {
  const isPair = ({ first, second }: Pair) =>
    (first.thing.id === a && second.thing.id === b) || (first.thing.id === b && second.thing.id === a)
  const index = meetings.findIndex(({ pair }) => isPair(pair))
  if (index < 0) return explainMiss(states, a, b)
  const { pair, commands, isSkipped } = meetings[index]
  const met = `pair ${index + 1} of ${meetings.length}: they overlap by ${pair.overlap.toFixed(3)}`
  if (isSkipped) return `${met}; skipped, one of them is killed by an earlier pair`
  if (commands.length === 0) return `${met}; no commands, they move apart already`
  return `${met}; commands: ${commands.map(({ kind, target }) => `${kind} of ${target.id}`).join(', ')}`
}

function explainMiss(states: readonly State[], a: Id, b: Id): string {
  const [one, other] = [a, b].map((id) => states.find(({ thing }) => thing.id === id))
  if (one === undefined || other === undefined) return `no pair: ${one === undefined ? a : b} has no snapshot`
  const docked = [one, other].find((state) => state.docked)
  if (docked !== undefined) return `no pair: ${docked.thing.id} is docked`
  const gap = distance(one.place, other.place) - one.radius - other.radius
  return gap < 0 ? 'no pair: neither belongs to a team' : `no pair: they do not overlap, ${gap.toFixed(3)} apart`
}
