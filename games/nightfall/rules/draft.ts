/**
 * Levels and drafts. A player with enough experience is offered three upgrades; the match is paused until all have chosen
 * or run out of time. The choice is an input like any other, so a replay has it.
 */

import { emit, players } from 'hurtbox'
import { range } from 'hurtbox/math'
import { UPGRADES, WEIGHT } from './content/upgrades.ts'
import { type NightPlayer, type NightWorld, OFFERS } from './declaration.ts'
import { grant, levelOf } from './upgrades.ts'

/** The experience that the next level costs: 17, 28, 43, … */
function levelCost(level: number): number {
  return Math.floor(10 + 5 * level + 2 * level * level)
}

/** Runs during the pause as well: after the last choice the match goes on. */
export function choose(world: NightWorld): void {
  if (world.globals.isDrafting === 0) return
  for (const player of players(world)) {
    if (!hasOffer(player)) continue
    const chosen = choiceOf(world, player)
    if (chosen < 0) continue
    acquire(world, player, player.offer.get(chosen) - 1)
    clearOffer(player)
    if (--player.drafts > 0) deal(world, player)
  }
  resumeOrWait(world)
}

/** Enough experience is a level, and a level is a draft. */
export function learn(world: NightWorld): void {
  for (const player of players(world)) {
    while (player.experience >= levelCost(player.level)) {
      player.experience -= levelCost(player.level)
      player.level++
      player.drafts++
      emit(world, 'levelled', { seat: player.seat, level: player.level })
    }
    if (player.drafts > 0 && !hasOffer(player)) deal(world, player)
  }
  resumeOrWait(world)
}

/** A late player gets the level of the best, with upgrades drawn at random, so that the others need not wait. */
export function catchUp(world: NightWorld, player: NightPlayer): void {
  let highest = 1
  for (const { level } of players(world)) highest = Math.max(highest, level)
  while (player.level < highest) {
    player.level++
    const upgrade = draw(world, player)
    if (upgrade >= 0) acquire(world, player, upgrade)
  }
}

/** Offers up to three different upgrades that can still be raised, rarer ones less often. */
function deal(world: NightWorld, player: NightPlayer): void {
  clearOffer(player)
  for (let i = 0; i < OFFERS; i++) player.offer.set(i, draw(world, player) + 1)
  player.draftEndsAt = world.tick + world.tuning.draftTime
  // A player who has everything has nothing to choose.
  if (!hasOffer(player)) player.drafts = 0
}

/** One upgrade by weight, or -1 when there is none that is not yet offered. */
function draw(world: NightWorld, player: NightPlayer): number {
  const weights = UPGRADES.map((_, upgrade) => weightOf(player, upgrade))
  const total = weights.reduce((sum, weight) => sum + weight)
  let left = total === 0 ? 0 : range(world.random.drafts, 0, total)
  return weights.findIndex((weight) => {
    left -= weight
    return left < 0
  })
}

function weightOf(player: NightPlayer, upgrade: number): number {
  const { rarity, maxLevel } = UPGRADES[upgrade]
  if (levelOf(player, upgrade) >= maxLevel) return 0
  for (let i = 0; i < OFFERS; i++) if (player.offer.get(i) === upgrade + 1) return 0
  return WEIGHT[rarity]
}

/** Which of the offers the player takes, or -1. When the time is over, the first. */
function choiceOf({ tick }: NightWorld, { offer, first, second, third, draftEndsAt }: NightPlayer): number {
  const chosen = [first, second, third].findIndex((pressed, i) => pressed > 0 && offer.get(i) !== 0)
  return chosen < 0 && tick >= draftEndsAt ? 0 : chosen
}

function acquire(world: NightWorld, player: NightPlayer, upgrade: number): void {
  grant(world, player, upgrade)
  emit(world, 'drafted', { seat: player.seat, upgrade, level: levelOf(player, upgrade) })
}

function clearOffer({ offer }: NightPlayer): void {
  for (let i = 0; i < OFFERS; i++) offer.set(i, 0)
}

function hasOffer({ offer }: NightPlayer): boolean {
  return offer.get(0) !== 0
}

function resumeOrWait(world: NightWorld): void {
  const { globals } = world
  let isDrafting = false
  for (const player of players(world)) if (hasOffer(player)) isDrafting = true
  if (isDrafting) world.paused = true
  else if (globals.isDrafting === 1) world.paused = false
  globals.isDrafting = isDrafting ? 1 : 0
}
