/** What the tests of `collide` share: a game of everything that can meet, and two rules for it. */

import {
  addCircle,
  type Boxes,
  declareGame,
  despawn,
  emit,
  type Phase,
  push,
  type Rule,
  spawn,
  type Thing,
  type World,
} from '../../src/index.ts'
import { worldWith } from '../support.ts'

/** A table of everything the small games need. Each test lists the rules it is about. */
export const declaration = declareGame({
  id: 'cases',
  tickRate: 60,
  layers: {
    player: ['enemy', 'bullet'],
    enemy: ['bullet'],
    bullet: [],
    fighter: ['fighter'],
    ship: ['rock'],
    rock: [],
    ball: ['ball'],
  },
  capacity: 64,
  things: { hp: 'f64', invulnerableUntil: 'timer', mass: 'f64', hold: 'f64', room: 'f64', order: 'u32' },
  hits: 16,
  tables: { shards: { capacity: 4, columns: { of: 'id' } } },
  events: { hurt: { victim: 'id', attacker: 'id', hpAfter: 'f64' } },
  eventCapacity: 8,
})

export interface Case extends World<typeof declaration> {}
export interface CaseThing extends Thing<typeof declaration> {}
export type CaseRule = Rule<typeof declaration>

export function start(phase: Phase<typeof declaration>): Case {
  return worldWith(declaration, phase)
}

/** Balls in a row that all overlap. */
export function addBalls(world: Case, count: number): CaseThing[] {
  return Array.from({ length: count }, (_, x) => spawn(world, 'ball', { x, radius: 5, hp: 60 }))
}

/** Poses every thing as so many equal circles, one upon the other. */
export function equalBoxes(count: number) {
  return (_thing: CaseThing, boxes: Boxes): void => {
    for (let box = 0; box < count; box++) addCircle(boxes, { x: 0, y: 0, radius: 1 })
  }
}

/** 5 hp, protected for 60 ticks, pushed by 100 px. */
export const bite: Rule<typeof declaration, 'enemy', 'player'> = {
  between: ['enemy', 'player'],
  gates: ['dead', 'attacker-dead', 'invulnerable'],
  decide(enemy, player, { world }) {
    player.hp -= 5
    player.invulnerableUntil = world.clock + 60
    const dx = player.x - enemy.x
    const dy = player.y - enemy.y
    const distance = Math.sqrt(dx * dx + dy * dy)
    push(player, (100 * dx) / distance, (100 * dy) / distance)
    emit(world, 'hurt', { victim: player, attacker: enemy, hpAfter: player.hp })
  },
}

/** Takes hp and is used up. */
export function shoot<V extends 'player' | 'enemy'>(victim: V, damage: number): Rule<typeof declaration, 'bullet', V> {
  return {
    between: ['bullet', victim],
    gates: ['owner', 'team', 'dead'],
    decide(bullet, target, { world }) {
      const hpBefore = target.hp
      target.hp -= Math.min(damage, target.hp)
      despawn(bullet)
      emit(world, 'hurt', { victim: target, attacker: bullet, hpAfter: hpBefore })
    },
  }
}
