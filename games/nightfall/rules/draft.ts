/**
 * Levels and drafts. Whoever has learnt enough is offered three upgrades; the match stands until everybody has chosen or
 * run out of time. The choice is an input like any other, so a replay holds it.
 */

import { emit } from 'hurtbox'
import { range } from 'hurtbox/math'
import { UPGRADES, WEIGHT } from './content/upgrades.ts'
import { type NightWorld, OFFERS } from './declaration.ts'
import { grant, levelOf } from './upgrades.ts'

/** What a level costs to leave: 17, 28, 43, … */
function levelCost(level: number): number {
  return Math.floor(10 + 5 * level + 2 * level * level)
}

/** Runs while the match stands as well: players choose, and when nobody has to any more the match goes on. */
export function choose(world: NightWorld): void {
  const { players } = world.tables
  if (world.globals.isDrafting === 0) return
  for (let player = 0; player < players.count; player++) {
    if (!hasOffer(world, player)) continue
    const chosen = choiceOf(world, player)
    if (chosen >= 0) take(world, player, players.offer[player * OFFERS + chosen] - 1)
  }
  resumeOrWait(world)
}

/** Enough experience is a level, and a level is a draft. */
export function learn(world: NightWorld): void {
  const { players } = world.tables
  for (let player = 0; player < players.count; player++) {
    while (players.experience[player] >= levelCost(players.level[player])) {
      players.experience[player] -= levelCost(players.level[player])
      players.level[player]++
      players.drafts[player]++
      emit(world.events.levelled, { seat: players.seat[player], level: players.level[player] })
    }
    if (players.drafts[player] > 0 && !hasOffer(world, player)) deal(world, player)
  }
  resumeOrWait(world)
}

/** Whoever comes late knows as much as those who are here. What it is the lot decides, so that nobody has to wait. */
export function catchUp(world: NightWorld, player: number): void {
  const { players } = world.tables
  let highest = 1
  for (let other = 0; other < players.count; other++) highest = Math.max(highest, players.level[other])
  while (players.level[player] < highest) {
    players.level[player]++
    const upgrade = draw(world, player)
    if (upgrade >= 0) acquire(world, player, upgrade)
  }
}

/** Offers up to three different upgrades that can still be raised, rarer ones less often. */
function deal(world: NightWorld, player: number): void {
  const { players } = world.tables
  for (let i = 0; i < OFFERS; i++) players.offer[player * OFFERS + i] = 0
  for (let i = 0; i < OFFERS; i++) players.offer[player * OFFERS + i] = draw(world, player) + 1
  players.draftEndsAt[player] = world.tick + world.tuning.draftTime
  // Who can learn nothing more has nothing to choose.
  if (!hasOffer(world, player)) players.drafts[player] = 0
}

/** One upgrade by weight, or -1 when there is none that is not yet offered. */
function draw(world: NightWorld, player: number): number {
  let total = 0
  for (let upgrade = 0; upgrade < UPGRADES.length; upgrade++) total += weightOf(world, player, upgrade)
  if (total === 0) return -1
  let left = range(world.random.drafts, 0, total)
  let drawn = -1
  for (let upgrade = 0; upgrade < UPGRADES.length && left >= 0; upgrade++) {
    const weight = weightOf(world, player, upgrade)
    if (weight === 0) continue
    drawn = upgrade
    left -= weight
  }
  return drawn
}

function weightOf(world: NightWorld, player: number, upgrade: number): number {
  const { rarity, maxLevel } = UPGRADES[upgrade]
  if (levelOf(world, player, upgrade) >= maxLevel) return 0
  const { offer } = world.tables.players
  for (let i = 0; i < OFFERS; i++) if (offer[player * OFFERS + i] === upgrade + 1) return 0
  return WEIGHT[rarity]
}

/** Which of the offers the player has taken, or -1. Who takes too long takes the first. */
function choiceOf(world: NightWorld, player: number): number {
  const { players } = world.tables
  const isOffered = (i: number) => players.offer[player * OFFERS + i] !== 0
  if (players.first[player] > 0 && isOffered(0)) return 0
  if (players.second[player] > 0 && isOffered(1)) return 1
  if (players.third[player] > 0 && isOffered(2)) return 2
  return world.tick >= players.draftEndsAt[player] ? 0 : -1
}

function take(world: NightWorld, player: number, upgrade: number): void {
  const { players } = world.tables
  acquire(world, player, upgrade)
  for (let i = 0; i < OFFERS; i++) players.offer[player * OFFERS + i] = 0
  players.drafts[player]--
  if (players.drafts[player] > 0) deal(world, player)
}

function acquire(world: NightWorld, player: number, upgrade: number): void {
  grant(world, player, upgrade)
  const { seat } = world.tables.players
  emit(world.events.drafted, { seat: seat[player], upgrade, level: levelOf(world, player, upgrade) })
}

function hasOffer(world: NightWorld, player: number): boolean {
  return world.tables.players.offer[player * OFFERS] !== 0
}

/** The match stands while somebody who is here has an offer, and goes on when the last has chosen. */
function resumeOrWait(world: NightWorld): void {
  const { players } = world.tables
  let isDrafting = false
  for (let player = 0; player < players.count; player++) {
    if (players.leaving[player] === 0 && hasOffer(world, player)) isDrafting = true
  }
  if (isDrafting) world.paused = true
  else if (world.globals.isDrafting === 1) world.paused = false
  world.globals.isDrafting = isDrafting ? 1 : 0
}
