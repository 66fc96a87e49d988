/** What the tests of `collide` share: a game of everything that can meet, and two rules for it. */

import { addCircle, type Boxes, declareGame, emit, rule, spawn, type World } from '../../src/index.ts'
import { worldWith } from '../support.ts'

/** A table of everything the small games need. Each test lists the rules it is about. */
export const declaration = declareGame({
  id: 'cases',
  rulesVersion: 1,
  tickRate: 60,
  seats: { min: 0, max: 1 },
  layers: {
    player: ['enemy', 'bullet'],
    enemy: ['bullet'],
    bullet: [],
    fighter: ['fighter'],
    ship: ['rock'],
    rock: [],
    ball: ['ball'],
  },
  tables: {
    things: {
      capacity: 64,
      columns: { hp: 'f64', hittableFrom: 'timer', mass: 'f64', hold: 'f64', room: 'f64', order: 'u32' },
    },
    hits: { capacity: 16, columns: {} },
    shards: { capacity: 4, columns: { of: 'id' } },
  },
  events: { hurt: { victim: 'id', attacker: 'id', hpAfter: 'f64' } },
  eventCapacity: 8,
})

export type Case = World<typeof declaration>
export const LAYER = { player: 0, enemy: 1, bullet: 2, fighter: 3, ship: 4, rock: 5, ball: 6 }

/** What gates and rules of this game look at while other contacts of the tick change it. */
export const takes = { things: ['hp', 'hittableFrom', 'hold', 'room'] } as const

export function start(phase: (world: Case) => void): Case {
  return worldWith(declaration, phase)
}

/** Balls in a row that all overlap. */
export function addBalls({ tables: { things } }: Case, count: number): void {
  for (let i = 0; i < count; i++) spawn(things, { layer: LAYER.ball, x: i, radius: 5, hp: 60 })
}

/** Poses every thing as so many equal circles, one upon the other. */
export function equalBoxes(count: number) {
  return ({ tables: { things } }: Case, row: number, boxes: Boxes): void => {
    for (let box = 0; box < count; box++) addCircle(boxes, row, things.layer[row], 0, 0, 1)
  }
}

/** 5 hp, protected for 60 ticks, pushed by 100 px. */
export const bite = rule(declaration, {
  name: 'enemy-bites-player',
  attacker: 'enemy',
  victim: 'player',
  gates: ['dead', 'attacker-dead', 'invulnerable'],
  decide(view, { attacker, victim }, outcome) {
    const { things } = view.tables
    outcome.add(things.hp, victim, -5)
    outcome.put(things.hittableFrom, victim, view.clock + 60)
    const dx = things.x[victim] - things.x[attacker]
    const dy = things.y[victim] - things.y[attacker]
    const distance = Math.sqrt(dx * dx + dy * dy)
    outcome.push(victim, (100 * dx) / distance, (100 * dy) / distance)
    emit(view.events.hurt, { victim: things.id[victim], attacker: things.id[attacker], hpAfter: things.hp[victim] - 5 })
    return 'hit'
  },
})

/** Takes hp and is used up. */
export function shoot(victim: 'player' | 'enemy', damage: number) {
  return rule(declaration, {
    name: `bullet-hits-${victim}`,
    attacker: 'bullet',
    victim,
    gates: ['owner', 'team', 'dead'],
    decide(view, contact, outcome) {
      const { things } = view.tables
      outcome.add(things.hp, contact.victim, -Math.min(damage, things.hp[contact.victim]))
      outcome.despawn(contact.attacker)
      emit(view.events.hurt, {
        victim: things.id[contact.victim],
        attacker: things.id[contact.attacker],
        hpAfter: things.hp[contact.victim],
      })
      return 'hit'
    },
  })
}
