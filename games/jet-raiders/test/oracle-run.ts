/**
 * The rules against the seed's own loop: the same random melee in both, compared after every tick.
 *
 * A program of its own, because test runners rewrite modules in a way that makes a tick four times as slow:
 * `node games/jet-raiders/test/oracle-run.ts <ticks> <seed> …` prints a line for each seed.
 */

import { createWorld, step } from 'hurtbox'
import { range, seedStream, unitAt } from 'hurtbox/math'
import { type JetWorld, KIND } from '../rules/declaration.ts'
import { jetRaiders } from '../rules/index.ts'
import { AS_IN_THE_SEED } from '../scenes/index.ts'
import { type Hit, join, leave, type Oracle, type Ship, tick } from './oracle.ts'

export type Melee = {
  readonly seed: number
  readonly ticks: number
  readonly hits: number
  readonly kills: number
  /** The first difference in words, '' when there is none. */
  readonly difference: string
}

const SEATS = 8

/** Plays one melee in the oracle, in a world with a grid and in one without. Ends at the first difference. */
export function playMelee(seed: number, ticks: number): Melee {
  const oracle = createOracle(seed)
  const seats: (Ship | undefined)[] = new Array(SEATS).fill(undefined)
  const worlds = [true, false].map((grid) =>
    createWorld(jetRaiders, { seed, options: { matchSeconds: 0, grid }, tuning: AS_IN_THE_SEED }),
  )
  let hits = 0
  let kills = 0
  for (let now = 0; now < ticks; now++) {
    const inputs = randomInputs(seed, now, seats, oracle)
    const expectedHits = tick(oracle)
    for (const { hpAfter } of expectedHits) {
      hits++
      if (hpAfter === 0) kills++
    }
    for (const world of worlds) {
      step(world, inputs)
      const found = compare(world, oracle, expectedHits)
      if (found === '') continue
      return { seed, ticks: now, hits, kills, difference: `tick ${now}, grid ${world.options.grid}: ${found}` }
    }
  }
  return { seed, ticks, hits, kills, difference: '' }
}

/** The seed's world, with ships placed as ours are: by the stream `spawns`. */
function createOracle(seed: number): Oracle {
  const spawns = new Uint32Array(4)
  seedStream(spawns, seed, 'spawns')
  return {
    ships: [],
    projectiles: [],
    nextId: 1,
    spawnPlace: () => [range(spawns, -400, 400), range(spawns, -230, 230)],
  }
}

/** Draws the inputs of a tick, passes them to the oracle and returns the same for `step`. */
function randomInputs(seed: number, now: number, seats: (Ship | undefined)[], oracle: Oracle) {
  const chance = (seat: number, purpose: number) => unitAt(seed, now, seat, 0, purpose)
  // Sticks have 255 places; both sides get exactly one of them.
  const stick = (seat: number, purpose: number) => Math.round(chance(seat, purpose) * 254 - 127) / 127
  const controls: ({ control: 'join'; seat: number } | { control: 'leave'; seat: number })[] = []
  const players = []
  for (let seat = 0; seat < SEATS; seat++) {
    const ship = seats[seat]
    if (ship === undefined) {
      if (chance(seat, 0) > 0.02) continue
      controls.push({ control: 'join', seat })
      seats[seat] = join(oracle)
    } else if (chance(seat, 1) < 0.0005) {
      controls.push({ control: 'leave', seat })
      seats[seat] = undefined
      leave(oracle, ship)
    } else if (chance(seat, 2) < 0.05) {
      const input = { thrust: stick(seat, 3), turn: stick(seat, 4), shoot: chance(seat, 5) < 0.6 }
      players.push({ seat, ...input })
      ship.input = input
    }
  }
  return { controls, players }
}

/** The first difference in words, or ''. */
function compare(world: JetWorld, oracle: Oracle, expectedHits: readonly Hit[]): string {
  const { things } = world.tables
  const { ships, projectiles } = oracle
  if (things.count !== ships.length + projectiles.length) {
    return `${things.count} things, expected ${ships.length} ships and ${projectiles.length} bullets`
  }
  let [shipsSeen, bulletsSeen] = [0, 0]
  for (let row = 0; row < things.count; row++) {
    const id = things.id[row]
    const x = things.x[row]
    const y = things.y[row]
    if (things.kind[row] === KIND.ship) {
      const e = ships[shipsSeen++]
      const alive = things.hp[row] > 0
      const isEqual = id === e.id && x === e.x && y === e.y && things.heading[row] === e.rot && things.hp[row] === e.hp
      if (!isEqual || alive !== e.alive || things.throttle[row] !== e.throttle) {
        return `ship ${id} at ${x}, ${y} with ${things.hp[row]} hp, expected ${JSON.stringify(e)}`
      }
    } else {
      const p = projectiles[bulletsSeen++]
      const isEqual = id === p.id && things.owner[row] === p.ownerId && x === p.x && y === p.y
      if (!isEqual || things.vx[row] !== p.vx || things.vy[row] !== p.vy) {
        return `bullet ${id} at ${x}, ${y}, expected ${JSON.stringify(p)}`
      }
    }
  }
  return compareHits(world, expectedHits)
}

/** The seed lists hits by bullet, we by ship; the records are the same. */
function compareHits({ events: { hit } }: JetWorld, expectedHits: readonly Hit[]): string {
  if (hit.count === 0 && expectedHits.length === 0) return ''
  const emitted = Array.from({ length: hit.count }, (_, n) => ({
    victim: hit.victim[n],
    shooter: hit.shooter[n],
    projectile: hit.projectile[n],
    hpAfter: hit.hpAfter[n],
  })).sort((one, other) => one.projectile - other.projectile)
  const [got, expected] = [JSON.stringify(emitted), JSON.stringify(expectedHits)]
  return got === expected ? '' : `hits ${got}, expected ${expected}`
}

if (import.meta.main) {
  const [ticks, ...seeds] = process.argv.slice(2).map(Number)
  for (const seed of seeds) console.log(JSON.stringify(playMelee(seed, ticks)))
}
