/** Deaths: what they are worth and to whom. Each happens once, in the tick of the lethal hurt. */

import { despawn, emit, eventsOf, playerOf, players, thing } from 'hurtbox'
import { lieDown } from './champions.ts'
import { otherSide, SIDE } from './content/map.ts'
import { CREATURES, KIND, UNITS } from './content/units.ts'
import type { SiegePlayer, SiegeThing, SiegeWorld } from './declaration.ts'
import { isMinion, squaredDistance, ticks } from './units.ts'
import { isCampEmpty } from './waves.ts'

/** Seconds for which a hurt earns a champion the kill. */
const CREDIT_SECONDS = 10

export function removeDead(world: SiegeWorld): void {
  for (const { victim: id, attacker } of eventsOf(world, 'kill')) {
    const victim = thing(world, id)!
    if (victim.kind === KIND.champion) loseChampion(world, victim, attacker)
    else {
      despawn(victim)
      if (victim.kind === KIND.tower) loseTower(world, victim)
      else if (victim.kind === KIND.nexus) loseNexus(world, victim)
      else loseUnit(world, victim, attacker)
    }
  }
}

/** Gold for the last hit, experience for all enemies near by. */
function loseUnit(world: SiegeWorld, victim: SiegeThing, attacker: number): void {
  const worth = victim.kind === KIND.monster ? CREATURES[victim.tier].worth : 1
  const gold = Math.round(UNITS[victim.kind].gold * worth)
  const xp = UNITS[victim.kind].xp * worth
  const killer = playerOf(world, attacker)
  if (killer !== undefined) {
    pay(killer, gold)
    if (isMinion(victim)) {
      killer.lastHits++
      emit(world, 'lastHit', { champion: attacker, victim, gold })
    }
  }
  teach(world, victim, xp, victim.team === SIDE.neutral ? (killer?.team ?? 0) : otherSide(victim.team))
  if (victim.kind !== KIND.monster || !isCampEmpty(world, victim.camp)) return
  world.arrays.campReturnsAt[victim.camp] = world.clock + world.tuning.campEvery
}

/** A kill that another unit finished goes to the champion that hurt the victim recently. */
function loseChampion(world: SiegeWorld, victim: SiegeThing, attacker: number): void {
  const side = otherSide(victim.team)
  const isRecent = world.clock - victim.hurtAt <= ticks(world, CREDIT_SECONDS)
  const killer = playerOf(world, attacker) === undefined && isRecent ? victim.hurtBy : attacker
  const player = playerOf(world, killer)
  if (player !== undefined) {
    pay(player, world.tuning.championGold)
    player.kills++
  }
  const fallen = playerOf(world, victim)
  if (fallen !== undefined) fallen.deaths++
  world.arrays.championsKilled[side]++
  teach(world, victim, world.tuning.championXp, side)
  emit(world, 'championKilled', { victim, killer })
  lieDown(world, victim)
}

/** A tower pays the whole side. */
function loseTower(world: SiegeWorld, tower: SiegeThing): void {
  const { team: side, lane, tier } = tower
  for (const player of players(world)) if (player.team === otherSide(side)) pay(player, UNITS[KIND.tower].gold)
  world.arrays.towersFelled[otherSide(side)]++
  emit(world, 'towerFell', { tower, side, lane, tier })
}

/** The end. If both nexuses fall in one tick, the first to fall lost. */
function loseNexus(world: SiegeWorld, { team }: SiegeThing): void {
  const { globals } = world
  if (globals.winner !== 0) return
  globals.winner = otherSide(team)
  globals.endedAt = world.clock
  emit(world, 'matchOver', { winner: globals.winner })
}

function pay(player: SiegePlayer, gold: number): void {
  player.gold += gold
  player.earned += gold
}

/** Shares experience among the living champions of a side near a death. */
function teach(world: SiegeWorld, victim: SiegeThing, xp: number, side: number): void {
  const reach = world.tuning.xpReach * world.tuning.xpReach
  const learners = [...players(world)].filter(({ thing: champion }) => {
    if (champion === undefined || champion.team !== side || champion.hp <= 0) return false
    return squaredDistance(champion, victim) <= reach
  })
  for (const player of learners) player.xp += xp / learners.length
}
