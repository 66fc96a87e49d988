/** What the weapons do in play, compared with the page for players: a number that changes in one of them is found in the other. */

import { readFileSync } from 'node:fs'
import { each, step } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import type { NightThing, NightWorld } from '../rules/declaration.ts'
import { disarm, enemy, give, join, quietNight, reload } from './support.ts'

const PAGE = readFileSync(new URL('../CONTENT.md', import.meta.url), 'utf8')

/** The lines of a table of the page, each by the names of its columns. */
function tableOf(heading: string): Record<string, string>[] {
  const rows = PAGE.split(`## ${heading}\n`)[1]
    .split('\n## ')[0]
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()))
  const [fields, , ...lines] = rows
  return lines.map((cells) => Object.fromEntries(fields.map((field, n) => [field, cells[n]])))
}

/** A survivor with one weapon at a level, and three enemies in a row that nothing kills. */
function armed(weapon: string, level: number): readonly [NightWorld, NightThing] {
  const world = quietNight({ tuning: { enemyKnockback: 0, night: 36_000 } })
  const survivor = join(world)
  disarm(world)
  // What it was born with has fired already.
  for (const shot of each(world, 'projectile')) shot.endsAt = world.clock
  reload(world)
  give(world, weapon, level)
  for (let n = 0; n < 9; n++) enemy(world, survivor.x + 40 + 8 * n, survivor.y, { hp: 1e6, name: 'swarm' })
  return [world, survivor]
}

type Shot = {
  damage: number
  radius: number
  life: number
  pierce: number
  speed: number
  count: number
  spread: number
}

/** The things that the first use of a weapon adds. */
function firstUse(weapon: string, level: number): Shot {
  const [world, survivor] = armed(weapon, level)
  const { clock } = world
  const own = () => [...ownOf(world, survivor.id)]
  // Books come one a tick.
  for (let n = 0; n < (weapon === 'bible' ? level : 1); n++) step(world)
  const shots = own()
  const angles = shots.map(({ vx, vy }) => Math.asin(vy / Math.max(Math.sqrt(vx * vx + vy * vy), 1e-9)))
  const [{ damage, radius, endsAt, pierceLeft, vx, vy }] = shots
  return {
    damage,
    radius,
    life: endsAt === 0 ? 0 : endsAt - clock,
    pierce: pierceLeft,
    speed: Math.sqrt(vx * vx + vy * vy),
    count: shots.length,
    spread: shots.length > 1 ? Math.abs(angles[1] - angles[0]) : Number.NaN,
  }
}

/** Copies: the handles of a loop are used again. */
function* ownOf(world: NightWorld, survivor: number) {
  for (const layer of ['projectile', 'strike'] as const) {
    for (const { owner, damage, radius, endsAt, pierceLeft, vx, vy } of each(world, layer)) {
      if (owner === survivor) yield { damage, radius, endsAt, pierceLeft, vx, vy }
    }
  }
}

/** Ticks from the first use to the second. */
function cooldownOf(weapon: string): number {
  const [world] = armed(weapon, 1)
  const fired: number[] = []
  for (let n = 0; n < 400 && fired.length < 2; n++) {
    step(world)
    if (world.events.fired.count > 0) fired.push(world.clock)
  }
  return fired[1] - fired[0]
}

describe('weapons in play', () => {
  const weapons = tableOf('Weapons').filter(({ rarity }) => rarity !== 'never')

  test.each(weapons.map((weapon) => [weapon.name, weapon]))('[NF53] %s does what CONTENT.md says', (name, line) => {
    const weapon = name as string
    const number = (field: string) => Number((line as Record<string, string>)[field] || 0)
    const isOrbit = weapon === 'bible'
    for (const level of [1, 2, 3, 5]) {
      const used = firstUse(weapon, level)
      const more = level - 1
      const isSeen = Math.floor(number('count') + more * number('perLevel count'))
      expect(used.damage, `damage at level ${level}`).toBeCloseTo(
        number('damage') + more * number('perLevel damage'),
        9,
      )
      expect(used.radius, `radius at level ${level}`).toBeCloseTo(
        number('radius') + more * number('perLevel radius'),
        9,
      )
      expect(used.pierce, `pierce at level ${level}`).toBe(number('pierce') + more * number('perLevel pierce'))
      // A chain has no more links than there are enemies.
      expect(used.count, `count at level ${level}`).toBe(Math.min(isSeen, 9))
      if (used.count > 1 && number('spread') > 0) expect(used.spread).toBeCloseTo(number('spread'), 6)
      if (number('life') > 0) expect(used.life).toBe(number('life') * 60)
      if (number('speed') > 0 && !isOrbit) expect(used.speed).toBeCloseTo(number('speed'), 9)
    }
    if (!isOrbit) expect(cooldownOf(weapon)).toBe(Math.ceil(number('cooldown') * 60 - 1e-9))
  })
})
