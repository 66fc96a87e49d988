/**
 * What the seed's document says will happen, played and told in words, for `hurtbox scenarios siege`.
 *
 * Its examples and special cases are small worlds of two units; its four visual checks are scenes (`scenes/checks.ts`); its
 * table of checks per algorithm is counted by the broad phase itself.
 */

import { each, playerAt, step } from 'hurtbox'
import type { Scenario } from 'hurtbox/module'
import { residualOverlap } from 'hurtbox/motion'
import { type AnyGame, createEmptyWorld, playScene, recordPushes, startScene } from 'hurtbox/tools'
import { scenario } from '../scenario.ts'
import { CHAMPION_MASS, CHAMPION_RADIUS } from './rules/content/champions.ts'
import { STRUCTURES, WAYS } from './rules/content/map.ts'
import { KIND } from './rules/content/units.ts'
import type { declaration, SiegeThing, SiegeWorld } from './rules/declaration.ts'
import { ROOM } from './rules/room.ts'
import { addUnit, isMinion, squaredDistance } from './rules/units.ts'
import { CORNERS, checks, TURN_TICK } from './scenes/checks.ts'

type SiegeScenario = Scenario<typeof declaration>

/** Where the first unit of a pair stands: clear of everything. */
const PLACE = { x: 0, y: 600 }

/** Puts two units of a kind side by side, runs a tick, and says how far each was moved along the line between them. */
function pushOf(game: AnyGame, kinds: readonly [number, number], apart: number, isDead = false): string {
  const world = createEmptyWorld(game as never, { seed: 1, tuning: { firstWave: 600 } }) as unknown as SiegeWorld
  const units = kinds.map((kind, i) => {
    const unit = addUnit(world, kind === KIND.champion ? KIND.melee : kind, {
      team: 1,
      x: PLACE.x + i * apart,
      y: PLACE.y,
    })
    if (kind === KIND.champion) Object.assign(unit, { radius: CHAMPION_RADIUS, invMass: 1 / CHAMPION_MASS })
    return Object.assign(unit, { speed: 0, damage: 0 })
  })
  if (isDead) units[1].hp = 0
  step(world)
  const moved = units.map(({ x, y }, i) => Math.sqrt(squaredDistance({ x, y }, { x: PLACE.x + i * apart, y: PLACE.y })))
  const distance = Math.sqrt(squaredDistance(units[0], units[1]))
  return `moved ${moved.map(short).join(' and ')}, then ${short(distance)} apart`
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100)
}

/** Plays a check; `look` is called after every tick. */
function playCheck(game: AnyGame, name: string, look: (world: SiegeWorld, tick: number) => void): SiegeWorld {
  const scene = { ...checks.find((check) => check.name === name)!, game }
  const session = startScene(scene)
  const world = session.world as unknown as SiegeWorld
  recordPushes(world)
  for (let tick = 0; tick < scene.ticks; tick++) {
    playScene(scene, session, 1)
    look(world, tick)
  }
  return world
}

function walkAtEachOther(game: AnyGame): string {
  let nearest = Number.POSITIVE_INFINITY
  const champions = (world: SiegeWorld) => [0, 1].map((seat) => playerAt(world, seat)!.thing!)
  const world = playCheck(game, 'check-1', (now, tick) => {
    const [a, b] = tick < TURN_TICK ? [CORNERS[0], CORNERS[1]] : champions(now)
    nearest = Math.min(nearest, Math.sqrt(squaredDistance(a, b)))
  })
  const isThere = champions(world).every((champion, seat) => squaredDistance(champion, CORNERS[1 - seat]) < 25)
  const isApart = nearest >= 0.95 * 2 * CHAMPION_RADIUS
  return `${isApart ? 'never nearer than 47.5 of 50' : `as near as ${short(nearest)}`}; ${isThere ? 'both arrive' : 'not both arrive'}`
}

function spread(game: AnyGame): string {
  const world = playCheck(game, 'check-2', () => {})
  const { deepest } = residualOverlap(world, ROOM)
  const minions = [...each(world, 'unit')].filter(isMinion)
  return `${minions.length} minions, ${deepest < 1 ? 'none overlaps another by more than 1' : `overlaps of ${short(deepest)}`}`
}

function pushMinions(game: AnyGame): string {
  const shares = new Map<number, Set<string>>()
  playCheck(game, 'check-3', (world) => {
    const record = recordPushes(world)
    if (record.tick !== world.tick - 1) return
    for (const { first, second, shareFirst, shareSecond } of record.pushes) {
      const units = [first, second].map((id) => [...each(world, 'unit')].find((unit) => unit.id === id))
      const minion = units.findIndex((unit) => unit !== undefined && isMinion(unit))
      if (minion < 0 || units[1 - minion]?.kind !== KIND.champion) continue
      const part = (minion === 0 ? shareFirst : shareSecond) / (shareFirst + shareSecond)
      const { kind } = units[minion]!
      shares.set(
        kind,
        (shares.get(kind) ?? new Set()).add(`${Math.round((1 - part) * 100)} % / ${Math.round(part * 100)} %`),
      )
    }
  })
  const told = (kind: number) => [...(shares.get(kind) ?? ['never met'])].join(' or ')
  return `champion and melee minion ${told(KIND.melee)}, champion and caster ${told(KIND.caster)}`
}

/** How many of a wave have passed the last own tower of their lane. */
function passTowers(game: AnyGame): string {
  const world = playCheck(game, 'check-4', () => {})
  const minions = [...each(world, 'unit')].filter(isMinion)
  const hasPassed = ({ team, lane, x, y }: SiegeThing) => {
    const way = (place: { x: number; y: number }) => Math.sqrt(squaredDistance(place, WAYS[team][lane][0]))
    const last = Math.max(
      ...STRUCTURES.filter((each) => each.side === team && each.lane === lane && each.tier === 1).map(way),
    )
    return way({ x, y }) > last
  }
  const passed = minions.filter(hasPassed).length
  return `${passed} of ${minions.length} minions are past the tower next to their nexus`
}

const { champion, melee, tower, caster } = KIND

export const scenarios: readonly SiegeScenario[] = [
  scenario('example', 'example: champion (100) and minion (50)', 'moved 5 and 10, then 45 apart', (game) =>
    pushOf(game, [champion, melee], 30),
  ),
  scenario('equals', 'mass system: champions are pushed equally', 'moved 10 and 10, then 50 apart', (game) =>
    pushOf(game, [champion, champion], 30),
  ),
  scenario(
    'caster',
    'mass system: casters are pushed even more easily',
    'moved 3.46 and 11.54, then 45 apart',
    (game) => pushOf(game, [champion, caster], 30),
  ),
  scenario('tower', 'infinite mass: only the other unit moves', 'moved 0 and 15, then 75 apart', (game) =>
    pushOf(game, [tower, champion], 60),
  ),
  scenario('touching', 'circle-circle detection: strictly less', 'moved 0 and 0, then 50 apart', (game) =>
    pushOf(game, [champion, champion], 50),
  ),
  scenario('cap', 'configuration: max push per tick', 'moved 0 and 50, then 60 apart', (game) =>
    pushOf(game, [tower, champion], 10),
  ),
  scenario('same-spot', 'same position: pushed in a random direction', 'moved 25 and 25, then 50 apart', (game) =>
    pushOf(game, [champion, champion], 0),
  ),
  scenario('dead', 'dead units are excluded', 'moved 0 and 0, then 30 apart', (game) =>
    pushOf(game, [champion, melee], 30, true),
  ),
  scenario('check-1', 'visual verification 1', 'never nearer than 47.5 of 50; both arrive', walkAtEachOther),
  scenario('check-2', 'visual verification 2', '30 minions, none overlaps another by more than 1', spread),
  scenario(
    'check-3',
    'visual verification 3',
    'champion and melee minion 33 % / 67 %, champion and caster 23 % / 77 %',
    pushMinions,
  ),
  scenario('check-4', 'visual verification 4', '30 of 30 minions are past the tower next to their nexus', passTowers),
]
