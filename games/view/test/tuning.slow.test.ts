/**
 * Tuning that does nothing is a lie of the panel: every number, changed in mid-match, must change what happens.
 *
 * A match with bots is played to a busy moment; from there the same inputs are played with and without the change.
 */

import { advance, createSession, each, hashWorld, playerOf, restore, snapshot, spawn, step } from 'hurtbox'
import { type LoadedModule, readModule } from 'hurtbox/module'
import { type AnyWorld, botInput, type Control, type TickInputs, type TuningSpecs } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import jetRaiders from '../../jet-raiders/index.ts'
import nightfall from '../../nightfall/index.ts'
import siege from '../../siege/index.ts'
import { FOUNTAINS, LANE, SIDE } from '../../siege/rules/content/map.ts'
import { KIND } from '../../siege/rules/content/units.ts'
import sumo from '../../sumo/index.ts'
import vinylFrontier from '../../vinyl-frontier/index.ts'

type Busy = {
  readonly options?: Readonly<Record<string, unknown>>
  readonly tuning?: Readonly<Record<string, number>>
  /** When to look, and for how long. */
  readonly ticks: number
  readonly within: number
  /** What makes that moment busy. */
  readonly prepare?: (world: AnyWorld) => void
  /** What players do from then on, instead of what their bots would. */
  readonly players?: (world: AnyWorld) => readonly object[]
}

/** Everything that has health dies of its next wound. */
function weaken(world: AnyWorld): void {
  for (const one of each(world)) if (one.hp > 1) one.hp = 1
}

/** For each game matches in which, taken together, every number matters. */
const GAMES: readonly (readonly [object, readonly Busy[]])[] = [
  [jetRaiders, [{ options: { ramming: true, iceBullets: true }, ticks: 200, within: 400 }]],
  [
    nightfall,
    [
      { options: { fromMinute: 6 }, ticks: 300, within: 240 },
      {
        // Elites that die at once and leave something; survivors that are hurt and live.
        options: { fromMinute: 12 },
        tuning: { powerUpChance: 0.9, hazardEvery: 1 },
        ticks: 200,
        within: 300,
        prepare(world) {
          weaken(world)
          for (const enemy of each(world, 'enemy')) enemy.isElite = 1
          for (const survivor of each(world, 'survivor')) {
            Object.assign(survivor, { hp: 5000, maxHp: 9000, invulnerableUntil: 0 })
            spawn(world, 'bullet', { x: survivor.x + 3, y: survivor.y, radius: 4, damage: 7, endsAt: world.clock + 60 })
          }
        },
      },
    ],
  ],
  [
    siege,
    [
      {
        // At home, hurt and slowed.
        ticks: 60,
        within: 400,
        prepare(world) {
          for (const one of each(world)) {
            if (one.kind === KIND.champion) Object.assign(one, { hp: one.maxHp / 2, slowedUntil: world.clock + 400 })
          }
        },
      },
      {
        // Everything dies of its next wound: champions of level 6, and those of the other side and the camps of a shot that is on its way.
        ticks: 900,
        within: 300,
        prepare(world) {
          weaken(world)
          const all = [...each(world)]
          const champion = all.find(({ kind }) => kind === KIND.champion)!
          for (const one of all) {
            if (one.kind === KIND.champion) one.level = 6
            const isPrey = one.kind === KIND.champion && one.team !== champion.team
            if (one.kind !== KIND.monster && !isPrey) continue
            const shot = {
              kind: KIND.shot,
              owner: champion.id,
              team: champion.team,
              target: one.id,
              x: one.x,
              y: one.y,
            }
            spawn(world, 'shot', { ...shot, speed: 100, damage: 1000 })
          }
        },
      },
      {
        // A champion at a tower that is hot, one that hurts a champion and one that kills one, one at home, and camps that die.
        ticks: 60,
        within: 32,
        prepare(world) {
          const all = [...each(world)]
          const [breaker, killer, archer] = championsOf(world, SIDE.blue)
          const [victim, prey, hurt] = championsOf(world, SIDE.red)
          const tower = outerTower(world)
          Object.assign(breaker, { x: tower.x - 100, y: tower.y, hp: 5000, maxHp: 5000 })
          Object.assign(tower, { heat: 3, target: breaker.id })
          Object.assign(victim, { x: 0, y: 0, hp: 1 })
          Object.assign(killer, { x: 0, y: 100 })
          Object.assign(prey, { x: -500, y: 1000, hp: 500 })
          Object.assign(archer, { x: -500, y: 900 })
          Object.assign(hurt, { ...FOUNTAINS[SIDE.red], hp: 50 })
          const shoot = (by: typeof killer, at: typeof killer, damage: number) => {
            const shot = {
              kind: KIND.shot,
              owner: by.id,
              team: by.team,
              target: at.id,
              x: at.x,
              y: at.y,
              speed: 100,
              damage,
            }
            spawn(world, 'shot', shot)
          }
          shoot(killer, victim, 1000)
          shoot(archer, prey, 1)
          for (const one of all) if (one.kind === KIND.monster) shoot(archer, one, 5000)
        },
        players(world) {
          return [{ seat: seatOf(world, SIDE.blue), order: 'attack', target: outerTower(world).id }]
        },
      },
    ],
  ],
  [
    sumo,
    [
      { ticks: 100, within: 900 },
      { options: { rounds: 99 }, ticks: 30, within: 200 },
    ],
  ],
  [vinylFrontier, []],
]

function championsOf(world: AnyWorld, side: number) {
  return [...each(world)].filter(({ kind, team }) => kind === KIND.champion && team === side)
}

/** Red's tower in front on the middle lane, which nothing protects. */
function outerTower(world: AnyWorld) {
  const isIt = ({ kind, team, lane, tier }: (typeof all)[0]) =>
    kind === KIND.tower && team === SIDE.red && lane === LANE.mid && tier === 2
  const all = [...each(world)]
  return all.find(isIt)!
}

/** The seat of a side's first champion. */
function seatOf(world: AnyWorld, side: number): number {
  return playerOf(world, championsOf(world, side)[0])!.seat
}

/** The state is compared every so many ticks. */
const LOOK_EVERY = 8

for (const [exported, matches] of GAMES) {
  const module = readModule({ default: exported as never }, 'game')
  const specs = (module.game.declaration.tuning ?? {}) as TuningSpecs

  test(`[TN1] every tuning value of ${module.id} changes the match, at once or from the next spawn as it says`, {
    timeout: 600_000,
  }, () => {
    const isNever = (name: string) => specs[name].help.includes('never changes an outcome')
    let still = Object.keys(specs)
    for (const busy of matches) {
      const played = playTo(module, busy)
      still = still.filter((name) => !isChangedBy(played, name, specs))
    }
    // From the next spawn: a match that begins with it is another one.
    const declared = Object.keys(specs).filter((name) => specs[name].fromNextSpawn)
    const startsAlike = still.filter((name) => !declared.includes(name) || !isAnotherFromTheStart(module, name, specs))
    expect(startsAlike).toEqual(Object.keys(specs).filter(isNever))
  })
}

type Played = {
  readonly world: AnyWorld
  readonly saved: ReturnType<typeof snapshot>
  readonly inputs: readonly TickInputs[]
  /** The state after each of the following ticks that is looked at, else ''. */
  readonly states: readonly string[]
}

/** Plays to the busy moment and on from there, and keeps what came in. */
function playTo(module: LoadedModule, busy: Busy): Played {
  const { options = {}, tuning = {}, ticks, within, prepare, players } = busy
  const { seats, game } = module
  const { world } = createSession(game, { seed: 11, options, tuning } as never) as unknown as { world: AnyWorld }
  let saved = snapshot(world)
  const inputs: TickInputs[] = []
  const states: string[] = []
  for (let tick = 0; tick < ticks + within; tick++) {
    if (tick === ticks) {
      prepare?.(world)
      saved = snapshot(world)
    }
    const isActed = tick >= ticks && players !== undefined
    const acted = () => ({ players: players!(world) }) as TickInputs
    const input = tick === 0 ? joins(module) : isActed ? acted() : thoughts(module, world, seats)
    step(world as never, input as never)
    if (tick < ticks) continue
    inputs.push(input)
    states.push(inputs.length % LOOK_EVERY === 0 ? stateOf(world) : '')
  }
  return { world, saved, inputs, states }
}

function joins({ seats, teamOf }: LoadedModule): TickInputs {
  return {
    controls: Array.from({ length: seats }, (_, seat): Control => ({ control: 'join', seat, team: teamOf(seat) })),
  }
}

function thoughts({ botOf }: LoadedModule, world: AnyWorld, seats: number): TickInputs {
  return {
    players: Array.from({ length: seats }, (_, seat) => ({ ...botInput(botOf(seat)!, world, seat, 11), seat })),
  } as TickInputs
}

/** The hash of all of the state but the tuning itself. */
function stateOf(world: AnyWorld): string {
  const { tuningValues } = world.memory
  const values = tuningValues.slice()
  tuningValues.fill(0)
  const hash = hashWorld(world)
  tuningValues.set(values)
  return hash
}

function isChangedBy({ world, saved, inputs, states }: Played, name: string, specs: TuningSpecs): boolean {
  return othersOf(name, specs).some((value) => {
    restore(world as never, saved)
    return inputs.some((input, n) => {
      const controls: Control[] = n === 0 ? [{ control: 'tune', name, value }] : []
      step(world as never, { ...input, controls } as never)
      return states[n] !== '' && stateOf(world) !== states[n]
    })
  })
}

function isAnotherFromTheStart(module: LoadedModule, name: string, specs: TuningSpecs): boolean {
  const end = (tuning: object) => {
    const session = createSession(module.game, { seed: 11, tuning } as never)
    advance(session, joins(module) as never)
    return stateOf(session.world as unknown as AnyWorld)
  }
  return othersOf(name, specs).some((value) => end({ [name]: value }) !== end({}))
}

/** Other values, near and far. */
function othersOf(name: string, specs: TuningSpecs): number[] {
  const { value, min, max } = specs[name]
  const others = [Math.max(min, value / 2), Math.min(max, value * 2), min, max]
  return [...new Set(others)].filter((other) => other !== value)
}
