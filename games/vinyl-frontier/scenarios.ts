/**
 * What the document says will happen, played and told in words, for `hurtbox scenarios vinyl-frontier`: its five collision
 * tests, its three checks of correctness, and the numbers of its physics.
 */

import { each, step } from 'hurtbox'
import type { Scenario } from 'hurtbox/module'
import { type AnyGame, createEmptyWorld, playScene, startScene } from 'hurtbox/tools'
import { scenario } from '../scenario.ts'
import { idle } from './bots/team.ts'
import { logLines } from './log.ts'
import {
  type declaration,
  MATERIAL,
  massOf,
  ORDER,
  type VinylOptions,
  type VinylThing,
  type VinylWorld,
} from './rules/declaration.ts'
import { addAsteroid, addShip, addStation, setVelocity, stationOf, TEAMS } from './rules/setup.ts'
import { polar, toPlane, toPolar } from './rules/torus.ts'
import { scenes } from './scenes/index.ts'
import { teamMatch } from './scenes/team-match.ts'
import { type CollisionTest, countLines, orderTeam, TESTS } from './scenes/tests.ts'

type VinylScenario = Scenario<typeof declaration>
const OLD = { legacyCollisionHandling: true } as const

/** Counts of one collision test, in the new and in the old engine. */
function countsOf(game: AnyGame, { file, turns, counts }: CollisionTest): string {
  const play = (options: Partial<VinylOptions>) => {
    const setup = {
      name: file,
      about: '',
      seed: 42,
      teams: [idle, orderTeam(file)],
      options: { maxTurns: turns, ...options },
    }
    return countLines({ ...teamMatch(setup), game }, counts)
  }
  return `new ${play({})}, legacy ${play(OLD)}`
}

/** Two stations and nothing else. */
function emptyWorld(game: AnyGame, options: Partial<VinylOptions> = {}): VinylWorld {
  const world = createEmptyWorld(game as never, { seed: 1, options: options as never }) as unknown as VinylWorld
  for (let team = 0; team < 2; team++) addStation(world, team, TEAMS[team].station, TEAMS[team].home)
  world.globals.ordersTaken = 1
  return world
}

function launchedShip(world: VinylWorld, team: number, x: number, y: number, vx = 0): VinylThing {
  const ship = addShip(world, team, 0, `S${team}`, { x, y })
  ship.docked = ship.wasDocked = 0
  setVelocity(ship, toPolar({ x: vx, y: 0 }))
  return ship
}

/** Fires at the end of this tick, along +x. */
function fire(world: VinylWorld, ship: VinylThing, length: number): void {
  ship.orders.set(ORDER.laser, length)
  world.globals.step = 4
}

function momentumX(world: VinylWorld): number {
  return [...each(world)].reduce((sum, thing) => sum + (thing.layer === 'station' ? 0 : massOf(thing) * thing.vx), 0)
}

function short(value: number): string {
  return String(Math.round(value * 1e6) / 1e6 + 0)
}

/** A ship breaks a rock of 40 t: its fragments, and the momentum of all. */
function breakRock(game: AnyGame): string {
  const world = emptyWorld(game)
  launchedShip(world, 0, 0, 0, 15)
  addAsteroid(world, 40, MATERIAL.vinyl, { x: 25, y: 0 }, polar(0, 0))
  const before = momentumX(world)
  step(world)
  const pieces = [...each(world, 'asteroid')]
  const mass = pieces.reduce((sum, { mass: tons }) => sum + tons, 0)
  return `${pieces.length} fragments of ${short(mass)} t in all, momentum ${short(before)} → ${short(momentumX(world))}`
}

/** How many fragments a rock leaves that two ships and a laser hit in one tick. */
function hitByMany(game: AnyGame): string {
  const play = (options: Partial<VinylOptions>) => {
    const world = emptyWorld(game, options)
    addAsteroid(world, 40, MATERIAL.vinyl, { x: 0, y: 0 }, polar(0, 0))
    launchedShip(world, 0, -20, 0, 5)
    launchedShip(world, 1, 20, 0, -5)
    fire(world, launchedShip(world, 1, -90, 3), 300)
    step(world)
    return [...each(world, 'asteroid')].length
  }
  return `new ${play({})}, legacy ${play(OLD) >= 6 ? '6 or more' : play(OLD)}`
}

function bump(game: AnyGame): string {
  const world = emptyWorld(game)
  const ships = [launchedShip(world, 0, 0, 0, 10), launchedShip(world, 1, 25, 0, -10)]
  ships[1].cargo = 30
  const energy = () =>
    ships.reduce((sum, ship) => sum + (massOf(ship) * (ship.vx * ship.vx + ship.vy * ship.vy)) / 2, 0)
  const before = { momentum: momentumX(world), energy: energy() }
  step(world)
  const [a, b] = ships.map(({ shield }) => short(15 - shield))
  const kept = `momentum ${short(before.momentum)} → ${short(momentumX(world))}, energy ${short(before.energy)} → ${short(energy())}`
  return `${kept}, damage ${a} and ${b}`
}

function eat(game: AnyGame): string {
  const world = emptyWorld(game)
  const ship = launchedShip(world, 0, 0, 0, 10)
  addAsteroid(world, 6, MATERIAL.vinyl, { x: 16, y: 0 }, polar(0, 0))
  const before = momentumX(world)
  step(world)
  return `cargo ${short(ship.cargo)}, momentum ${short(before)} → ${short(momentumX(world))}, damage ${short(15 - ship.shield)}`
}

function shootStation(game: AnyGame): string {
  const left = (options: Partial<VinylOptions>) => {
    const world = emptyWorld(game, options)
    const station = stationOf(world, 1)!
    station.vinyl = 10
    fire(world, launchedShip(world, 0, 156, 256), 200)
    step(world)
    return `${world.events.laser.count} hit, ${short(station.vinyl)} of 10 t left`
  }
  return `new: ${left({})}; legacy: ${left(OLD)}`
}

function launch(game: AnyGame): string {
  const world = emptyWorld(game)
  const home = stationOf(world, 0)!
  const ship = addShip(world, 0, 0, 'S0', home)
  ship.orders.set(ORDER.thrust, 1)
  step(world)
  const flown = toPlane(ship).x * 0.2
  return `launched ${short(ship.x - home.x - flown)} from the centre, ${ship.docked === 1 ? 'docked again' : 'under way'}`
}

/** The whole log of a match, twice. */
function sameLog(game: AnyGame): string {
  const scene = { ...scenes[0], game, ticks: 300 }
  const log = () => {
    const session = startScene(scene)
    const lines: string[] = []
    for (let tick = 0; tick < scene.ticks; tick++) {
      playScene(scene, session, 1)
      lines.push(...logLines(session.world as unknown as VinylWorld))
    }
    return lines.join('\n')
  }
  const [first, second] = [log(), log()]
  return first === second && first.length > 0 ? 'identical' : 'different'
}

/** Every MOMENTUM line of a match but those of the speed limit: before and after, as they stand in the world. */
function conserved(game: AnyGame): string {
  const scene = { ...scenes[0], game, ticks: 600 }
  const session = startScene(scene)
  const world = session.world as unknown as VinylWorld
  let worst = 0
  let impacts = 0
  for (let tick = 0; tick < scene.ticks; tick++) {
    playScene(scene, session, 1)
    const { count, impact, beforeX, beforeY, afterX, afterY } = world.events.momentum
    for (let n = 0; n < count; n++) {
      if (impact[n] === 3) continue
      impacts++
      worst = Math.max(worst, Math.abs(beforeX[n] - afterX[n]), Math.abs(beforeY[n] - afterY[n]))
    }
  }
  return impacts > 0 && worst < 1e-6 ? 'conserved within floating-point error' : `${impacts} impacts, off by ${worst}`
}

const test = (number: number, source: string, expected: string): VinylScenario =>
  scenario(`test-${number}`, source, expected, (game) => countsOf(game, TESTS[number - 1]))

export const scenarios: readonly VinylScenario[] = [
  test(1, 'test 1: ship-station collision', 'new 1, legacy 4'),
  test(2, 'test 2: laser-station collision', 'new 1, legacy 1'),
  test(3, 'test 3: ship-ship collision', 'new 3, legacy 20'),
  test(4, 'test 4: ship-asteroid collision, without a number there', 'new 3, legacy 6'),
  test(5, 'test 5: laser-ship collision', 'new 4, legacy 4'),
  scenario('momentum', 'momentum conservation test', 'conserved within floating-point error', conserved),
  scenario('multi-hit', 'multi-hit prevention test', 'new 3, legacy 6 or more', hitByMany),
  scenario('determinism', 'determinism test', 'identical', sameLog),
  scenario(
    'fragments',
    'momentum conservation in fragmentation',
    '3 fragments of 40 t in all, momentum 1050 → 1050',
    breakRock,
  ),
  scenario(
    'elastic',
    'elastic collisions, symmetric damage',
    'momentum -300 → -300, energy 8500 → 8500, damage 1.647059 and 1.647059',
    bump,
  ),
  scenario('eating', 'inelastic collisions, no damage when eating', 'cargo 6, momentum 700 → 700, damage 0', eat),
  scenario(
    'station-laser',
    'test 2: stations are immune in both modes',
    'new: 1 hit, 10 of 10 t left; legacy: 1 hit, 10 of 10 t left',
    shootStation,
  ),
  scenario('launch', 'docking: safe launch distance of 48', 'launched 48 from the centre, under way', launch),
]
