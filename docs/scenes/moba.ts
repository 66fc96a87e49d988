/** A lane: waves of minions that meet in the middle, two towers, and a champion whose blast slows. */

import {
  collide,
  declareGame,
  defineGame,
  despawn,
  each,
  rememberHits,
  type Scene,
  spawn,
  type Thing,
  thing,
  type World,
} from 'hurtbox'
import { defineCombat, expire, hurt, spawnFrom } from 'hurtbox/combat'
import { waveAt } from 'hurtbox/match'
import { length } from 'hurtbox/math'
import { separate } from 'hurtbox/motion'
import { defineStatus, inflict, runStatus, speedFactor } from 'hurtbox/status'

const combat = defineCombat({ damageTypes: ['blow', 'magic'] })
const status = defineStatus(
  { slow: { speed: 0.4, ticks: 60, stacking: 'strongest' } },
  { damageTypes: combat.typeNames },
)
const declaration = declareGame({
  id: 'moba',
  tickRate: 60,
  layers: { unit: [], tower: [], shot: ['unit', 'tower'], blast: ['unit'] },
  capacity: 256,
  things: { ...combat.columns, ...status.columns, invMass: 'f64', target: 'id', again: 'timer', power: 'f64' },
  tables: { ...status.tables },
  hits: rememberHits(256),
  events: { ...combat.events, ...status.events },
})

// #region recipe
const strike = {
  decide(shot: Lane<'shot'>, victim: Lane<'unit' | 'tower'>) {
    if (shot.target !== victim.id) return 'not its target'
    hurt(victim, shot.power, shot) // who gets the gold: the owner, in the event `kill`
    despawn(shot)
  },
} as const
const hits = collide(declaration, {
  'shot hits unit': { between: ['shot', 'unit'], gates: ['dead'], ...strike },
  'shot hits tower': { between: ['shot', 'tower'], gates: ['dead'], ...strike },
  'blast hits unit': {
    between: ['blast', 'unit'],
    gates: ['owner', 'team', 'dead'],
    once: true, // each victim once, however long the blast stands
    decide(blast, unit) {
      hurt(unit, 14, blast, combat.type.magic)
      inflict(status, unit, 'slow', { by: blast })
    },
  },
})
// #endregion recipe

type Lane<L extends 'unit' | 'tower' | 'shot'> = Thing<typeof declaration, L>
const REACH = 70

const game = defineGame(declaration, {
  setup(world) {
    for (const team of [1, 2]) {
      const side = team === 1 ? -1 : 1
      spawn(world, 'tower', { team, x: 170 * side, radius: 16, hp: 400, maxHp: 400, power: 12 })
    }
    spawn(world, 'unit', { team: 1, x: -120, y: 40, radius: 11, invMass: 0.2, hp: 200, maxHp: 200, power: 9 })
  },
  phases: {
    status: runStatus(status),
    arrive(world) {
      if (waveAt(world, 30, 540) === 0) return
      for (let i = 0; i < 8; i++) {
        const [team, side] = i < 4 ? [1, -1] : [2, 1]
        const place = { x: (190 + 12 * (i % 4)) * side, y: -12 + 8 * (i % 4) }
        spawn(world, 'unit', { ...place, team, radius: 7, invMass: 1, hp: 40, maxHp: 40, power: 5 })
      }
    },
    blast(world) {
      if (world.clock % 150 !== 60) return
      const [champion] = each(world, 'unit')
      const foe = nearestFoe(world, champion, 160)
      const place = { x: foe?.x ?? champion.x, y: foe?.y ?? champion.y }
      if (foe !== undefined) spawnFrom(champion, 'blast', { ...place, radius: 34, endsAt: world.clock + 6 })
    },
    act,
    separate: separate({ takesRoom: ({ tables }, row) => tables.things.maxHp[row] > 0 }),
    fly,
    hits,
    expire,
    bury(world) {
      const [champion] = each(world, 'unit')
      for (const dead of [...each(world, 'unit'), ...each(world, 'tower')]) {
        if (dead.hp > 0) continue
        // The champion is back at its tower, and towers stand up again for the next visitor.
        if (dead.id === champion.id) Object.assign(dead, { x: -150, y: 0, hp: dead.maxHp })
        else if (dead.maxHp > 100) dead.hp = dead.maxHp
        else despawn(dead)
      }
    },
  },
})

/** Walks down the lane until somebody is in reach, and then shoots at it. */
function act(world: World<typeof declaration>): void {
  for (const unit of each(world)) {
    if (unit.power === 0 || unit.maxHp === 0) continue
    const foe = nearestFoe(world, unit, REACH)
    if (foe === undefined) {
      if (unit.maxHp === 400) continue
      unit.x += (unit.team === 1 ? 1 : -1) * 0.7 * speedFactor(status, unit)
      unit.y *= 0.995
    } else if (unit.again <= world.clock) {
      unit.again = world.clock + 45
      spawnFrom(unit, 'shot', { radius: 2, target: foe.id, power: unit.power })
    }
  }
}

function nearestFoe(world: World<typeof declaration>, from: { team: number; x: number; y: number }, reach: number) {
  let [found, nearest] = [undefined as Lane<'unit' | 'tower'> | undefined, reach]
  for (const other of [...each(world, 'unit'), ...each(world, 'tower')]) {
    const way = length(other.x - from.x, other.y - from.y)
    if (other.team !== from.team && other.hp > 0 && way < nearest) [found, nearest] = [other, way]
  }
  return found
}

/** A shot follows its target, and is gone when that is. */
function fly(world: World<typeof declaration>): void {
  for (const shot of each(world, 'shot')) {
    const target = thing(world, shot.target)
    if (target === undefined) {
      despawn(shot)
      continue
    }
    const [dx, dy] = [target.x - shot.x, target.y - shot.y]
    const way = Math.max(4, length(dx, dy))
    shot.x += (dx / way) * 4
    shot.y += (dy / way) * 4
  }
}

export const scene: Scene = { name: 'moba', about: 'a lane, two towers, a champion', game, seed: 1, ticks: 1800 }
