/** Deaths: what they are worth, to whom, and who leaves. Each happens once, in the tick of the lethal hurt. */

import { emit, findRow, playerOf, thingOf } from 'hurtbox'
import { lieDown } from './champions.ts'
import { otherSide, SIDE } from './content/map.ts'
import { KIND, UNITS } from './content/units.ts'
import type { SiegeWorld } from './declaration.ts'
import { isMinion, ticks } from './units.ts'
import { isCampEmpty } from './waves.ts'

/** Seconds after which it no longer matters who hurt a champion that somebody else killed. */
const CREDIT_SECONDS = 10

export function removeDead(world: SiegeWorld): void {
  const { things } = world.tables
  const { kill } = world.events
  for (let n = 0; n < kill.count; n++) {
    const victim = findRow(things, kill.victim[n])
    if (victim < 0) continue
    const kind = things.kind[victim]
    if (kind === KIND.champion) loseChampion(world, victim, kill.attacker[n])
    else if (kind === KIND.tower) loseTower(world, victim)
    else if (kind === KIND.nexus) loseNexus(world, victim)
    else loseUnit(world, victim, kill.attacker[n])
  }
}

/** Gold for who struck last, experience for all enemies near by. */
function loseUnit(world: SiegeWorld, victim: number, killer: number): void {
  const { things, players } = world.tables
  const { gold, xp } = UNITS[things.kind[victim]]
  const player = playerOf(world, killer)
  if (player >= 0) {
    pay(world, player, gold)
    if (isMinion(things.kind[victim])) {
      players.lastHits[player]++
      emit(world.events.lastHit, { champion: killer, victim: things.id[victim], gold })
    }
  }
  teach(world, victim, xp, player < 0 ? 0 : players.team[player])
  things.leaving[victim] = 1
  if (things.kind[victim] !== KIND.monster || !isCampEmpty(world, things.camp[victim])) return
  world.arrays.campReturnsAt[things.camp[victim]] = world.clock + world.tuning.campEvery
}

/** A champion that somebody else finished still goes to the champion who hurt it of late. */
function loseChampion(world: SiegeWorld, victim: number, attacker: number): void {
  const { things, players } = world.tables
  const isRecent = world.clock - things.hurtAt[victim] <= ticks(world, CREDIT_SECONDS)
  const killer = playerOf(world, attacker) >= 0 || !isRecent ? attacker : things.hurtBy[victim]
  const player = playerOf(world, killer)
  if (player >= 0) {
    pay(world, player, world.tuning.championGold)
    players.kills[player]++
  }
  const fallen = playerOf(world, things.id[victim])
  if (fallen >= 0) players.deaths[fallen]++
  world.arrays.championsKilled[otherSide(things.team[victim])]++
  teach(world, victim, world.tuning.championXp, otherSide(things.team[victim]))
  emit(world.events.championKilled, { victim: things.id[victim], killer })
  lieDown(world, victim)
}

/** A tower pays the whole side. */
function loseTower(world: SiegeWorld, victim: number): void {
  const { things, players } = world.tables
  const side = otherSide(things.team[victim])
  for (let player = 0; player < players.count; player++) {
    if (players.team[player] === side) pay(world, player, UNITS[KIND.tower].gold)
  }
  world.arrays.towersFelled[side]++
  const [lane, tier] = [things.lane[victim], things.tier[victim]]
  emit(world.events.towerFell, { tower: things.id[victim], side: things.team[victim], lane, tier })
  things.leaving[victim] = 1
}

/** The end. Should both nexuses fall in one tick, the older one lost. */
function loseNexus(world: SiegeWorld, victim: number): void {
  const { globals, tables } = world
  tables.things.leaving[victim] = 1
  if (globals.winner !== 0) return
  globals.winner = otherSide(tables.things.team[victim])
  globals.endedAt = world.clock
  emit(world.events.matchOver, { winner: globals.winner })
}

function pay(world: SiegeWorld, player: number, gold: number): void {
  const { players } = world.tables
  players.gold[player] += gold
  players.earned[player] += gold
}

/** Shares experience among the living champions near a death: the enemies of a unit, the killer's side for a creature. */
function teach(world: SiegeWorld, victim: number, xp: number, killerSide: number): void {
  const { things, players } = world.tables
  const side = things.team[victim] === SIDE.neutral ? killerSide : otherSide(things.team[victim])
  let near = 0
  for (let player = 0; player < players.count; player++) if (learns(world, player, victim, side)) near++
  for (let player = 0; player < players.count; player++) {
    if (learns(world, player, victim, side)) players.xp[player] += xp / near
  }
}

function learns(world: SiegeWorld, player: number, victim: number, side: number): boolean {
  const { things } = world.tables
  const row = thingOf(world, player)
  if (row < 0 || things.team[row] !== side || things.hp[row] <= 0) return false
  const [dx, dy] = [things.x[row] - things.x[victim], things.y[row] - things.y[victim]]
  return dx * dx + dy * dy <= world.tuning.xpReach * world.tuning.xpReach
}
