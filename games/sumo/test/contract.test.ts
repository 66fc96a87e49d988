/** The contract in the README, line by line: order, timers, gates, edges. */

import { createWorld, each, players, runScene, step } from 'hurtbox'
import { expect, test } from 'vitest'
import { exchanged, linesOf, neighbours, testTable } from '../../test/contract.ts'
import { RING_HALF } from '../rules/content.ts'
import { abilities, STAGE, type SumoThing, type SumoWorld } from '../rules/declaration.ts'
import { STANDING } from '../rules/fighters.ts'
import { sumo } from '../rules/index.ts'
import { shortScenes } from '../scenes/index.ts'
import { type Fight, fight, fighterOf, type Input, place, tick, ticks } from './support.ts'

type Game = typeof sumo
const NEAR = [
  [0, 0],
  [2.4, 0],
] as const

/** What is measured is as expected, and is not when the two phases are exchanged. */
function seen(pair: string, expected: unknown, measure: (game: Game) => unknown): void {
  expect(measure(sumo)).toEqual(expected)
  expect(measure(exchanged(sumo, pair) as Game), 'exchanged').not.toEqual(expected)
}

/** Nobody can tell the two orders apart: bouts and brawls end alike, to the last bit. */
function unseen(pair: string): void {
  for (const scene of shortScenes) {
    const game = exchanged(sumo, pair)
    expect(runScene({ ...scene, ticks: 120, game }).hash).toBe(runScene({ ...scene, ticks: 120 }).hash)
  }
}

const bullets = ({ world }: Fight): SumoThing[] => [...each(world, 'projectile')]
const round4 = (value: number) => Math.round(value * 1e4) / 1e4

/** Two players of a match whose first round has been won by the second, in the breather. */
function breather(game: Game, before: (world: SumoWorld) => void = () => {}): SumoWorld {
  const world = createWorld(game)
  step(world, { controls: [0, 1].map((seat) => ({ control: 'join', seat }) as const) })
  while (world.globals.stage !== STAGE.play) step(world)
  before(world)
  const [player] = players(world)
  Object.assign(player.thing!, { x: RING_HALF + 3, z: 0.01, vz: -5 })
  step(world)
  return world
}

/** A fighter is about to be punched, in the tick that comes next: 0 punches 1. */
function aboutToHit(game: Game = sumo, places: Parameters<typeof fight>[0] = NEAR): Fight {
  const stage = fight(places, {}, game)
  tick(stage, { 0: { punch: 1 } })
  ticks(stage, 3)
  return stage
}

/** 0 holds 1, which it has grabbed. */
function holding(game: Game = sumo, more: readonly (readonly [number, number])[] = []): Fight {
  const stage = fight([...NEAR, ...more], {}, game)
  tick(stage, { 0: { grab: 1 } })
  ticks(stage, 12)
  expect(fighterOf(stage, 1).heldBy).toBe(stage.ids[0])
  return stage
}

testTable('SU45', 'sumo', 'Order', {
  'nextStage → fly': () =>
    seen('nextStage → fly', 0, (game) => {
      // A fireball whose time is over in the tick in which the next round begins is cleared away and has not missed.
      const world = breather(game, (match) => {
        step(match, { players: [{ seat: 0, fireball: 1 }] })
        for (let t = 0; t < 8; t++) step(match)
      })
      for (const bullet of each(world, 'projectile'))
        Object.assign(bullet, { y: 40, endsAt: world.globals.stageEndsAt })
      while (world.globals.round < 2) step(world)
      return world.arrays.whiffed[abilities.number.fireball]
    }),
  'fly → advance': () =>
    seen('fly → advance', 1.5, (game) => {
      const stage = fight([[0, 0]], {}, game)
      tick(stage, { 0: { fireball: 1 } })
      while (bullets(stage).length === 0) tick(stage)
      return round4(bullets(stage)[0].x)
    }),
  'advance → walk': () =>
    seen('advance → walk', 13, (game) => {
      const stage = fight([[0, 0]], {}, game)
      tick(stage, { 0: { punch: 1 } })
      for (let t = 1; t < 40; t++) {
        tick(stage, { 0: { moveX: 1 } })
        if (fighterOf(stage, 0).vx > 0) return t
      }
      return 0
    }),
  'walk → act': () =>
    seen('walk → act', [0, 1], (game) => {
      const stage = fight([[0, 0]], {}, game)
      tick(stage, { 0: { moveY: 1, punch: 1 } })
      const { facingX, facingY } = fighterOf(stage, 0)
      return [facingX, facingY]
    }),
  'act → move': () =>
    seen('act → move', true, (game) => {
      const stage = fight([[0, 0]], {}, game)
      ticks(stage, 2)
      tick(stage, { 0: { jump: 1 } })
      return fighterOf(stage, 0).z > STANDING + 0.05
    }),
  'move → push': () =>
    seen('move → push', true, (game) => {
      const stage = fight(
        [
          [0, 0],
          [2.01, 0],
        ],
        {},
        game,
      )
      fighterOf(stage, 0).vx = 5
      tick(stage, { 0: { moveX: 1 } })
      return fighterOf(stage, 1).x - fighterOf(stage, 0).x > 1.98
    }),
  'push → carry': () =>
    seen('push → carry', 0, (game) => {
      const stage = holding(game, [[-3, 0]])
      const ahead = () => fighterOf(stage, 1).x - fighterOf(stage, 0).x
      tick(stage)
      const before = ahead()
      place(stage, 2, fighterOf(stage, 0).x - 1.5, 0)
      tick(stage)
      return round4(ahead() - before)
    }),
  'carry → hits': () =>
    seen('carry → hits', true, (game) => {
      const stage = holding(game, [[-6, 5]])
      tick(stage, { 2: { punch: 1 } })
      ticks(stage, 3)
      // The holder is moved so that whom it carries comes into reach, and itself does not.
      place(stage, 0, -3.4, 7.3)
      Object.assign(fighterOf(stage, 0), { facingX: 0, facingY: -1 })
      return tick(stage).includes(`${stage.ids[2]}>${stage.ids[1]}`)
    }),
  'hits → settle': () =>
    seen('hits → settle', 1, (game) => {
      const stage = fight(NEAR, {}, game)
      tick(stage, { 0: { punch: 1 } })
      ticks(stage, 2)
      tick(stage, { 1: { uppercut: 1 } })
      expect(tick(stage)).toHaveLength(1)
      return stage.world.tables.casts.count
    }),
  'settle → credit': () =>
    seen('settle → credit', 256, (game) => {
      const stage = aboutToHit(game)
      const { clock } = stage.world
      tick(stage)
      return fighterOf(stage, 1).hitCountsUntil - clock
    }),
  'credit → ringOuts': () =>
    seen('credit → ringOuts', true, (game) => {
      const stage = fallingAsItIsHit(game)
      return stage.world.events.ringOut.by[0] === stage.ids[0]
    }),
  'ringOuts → tally': () =>
    seen('ringOuts → tally', 1, (game) => fallingAsItIsHit(game).world.arrays.ringOuts[abilities.number.punch]),
  'tally → judge': () => unseen('tally → judge'),
})

/** 1 is beside the ring and falls below its top in the tick in which 0 punches it. */
function fallingAsItIsHit(game: Game): Fight {
  const stage = aboutToHit(game, [
    [7.4, 0],
    [0, 5],
  ])
  Object.assign(fighterOf(stage, 1), { x: 9.4, y: 0, z: 0.01, vz: -5, grounded: 0 })
  expect(tick(stage)).toHaveLength(1)
  return stage
}

test('[SU45] Order: there is a line for each two neighbouring phases', () => {
  expect(linesOf('sumo', 'Order').map(([pair]) => pair)).toEqual(neighbours(fight([[0, 0]]).world))
})

/** Presses in tick 0 and plays on: the ticks in which something holds, first and last. */
function spanOf(stage: Fight, slot: keyof Input, last: number, holds: () => boolean): [number, number] {
  const found: number[] = []
  for (let t = 0; t <= last; t++) {
    tick(stage, t === 0 ? { 0: { [slot]: 1 } } : {})
    if (holds()) found.push(t)
  }
  return [found[0] ?? -1, found.at(-1) ?? -1]
}

/** Of an ability that misses, pressed in tick 0: when it is active, when it is over, when it can begin again. */
function phasesOf(slot: Exclude<keyof Input, 'moveX' | 'moveY'>): number[] {
  const stage = fight([[0, 0]])
  const { casts } = stage.world.tables
  const number = abilities.number[slot]
  const found: number[] = []
  let over = 0
  let again = 0
  for (let t = 0; t < 400 && again === 0; t++) {
    // A further press of a combo is its next step, so it waits until the combo is over.
    const isPressed = t === 0 || slot !== 'punch' || over > 0
    tick(stage, isPressed ? { 0: { [slot]: 1 } } : {})
    const { cast } = stage.world.events
    for (let n = 0; n < cast.count; n++) if (t > 0 && cast.ability[n] === number) again = t
    if (again > 0 && over === 0) over = t
    if (again > 0) break
    if (casts.count > 0 && casts.phase[0] === 2) found.push(t)
    if (casts.count === 0 && over === 0) over = t
  }
  return [found[0] ?? -1, found.at(-1) ?? -1, over, again]
}

testTable('SU45', 'sumo', 'Timers', {
  punch: () => phasesOf('punch'),
  fireball: () => phasesOf('fireball'),
  dash: () => phasesOf('dash'),
  jump: () => phasesOf('jump').slice(0, 3),
  uppercut: () => phasesOf('uppercut'),
  shockwave: () => phasesOf('shockwave'),
  barrier: () => phasesOf('barrier'),
  grab: () => phasesOf('grab'),
  'after a whole combo a punch': () => {
    const stage = fight([[0, 0]])
    for (let t = 0; t < 200; t++) {
      tick(stage, { 0: { punch: 1 } })
      const { cast } = stage.world.events
      if (t > 0 && cast.count > 0 && stage.world.tables.casts.step[0] === 1) return ['', '', '', t]
    }
    return [0, 0, 0, 0]
  },
  'a press is the next step of a combo': () => {
    const steps: number[] = []
    for (const press of [1, 13, 26, 27, 28]) {
      const stage = fight([[0, 0]])
      for (let t = 0; t <= press + 15; t++) {
        tick(stage, { 0: { punch: t === 0 || t === press ? 1 : 0 } })
        if (stage.world.tables.casts.count > 0 && stage.world.tables.casts.step[0] === 2) steps[press] = press
      }
    }
    const found = steps.filter((one) => one > 0)
    return [found[0], found.at(-1)!]
  },
  'a fireball flies': () => {
    const stage = fight([[0, 0]])
    return spanOf(stage, 'fireball', 220, () => bullets(stage).length > 0)
  },
  'a barrier holds': () => {
    const stage = fight([[0, 0]])
    return spanOf(stage, 'barrier', 120, () => fighterOf(stage, 0).shield > 0)
  },
  'a grab holds': () => {
    const stage = fight(NEAR)
    return spanOf(stage, 'grab', 130, () => fighterOf(stage, 1).heldBy !== 0)
  },
  'a dash is fast': () => {
    const stage = fight([[-5, 0]])
    return spanOf(stage, 'dash', 30, () => fighterOf(stage, 0).vx > 14)
  },
  'a fall is credited': () => {
    const found = [254, 255, 256, 257].filter((late) => {
      const stage = aboutToHit()
      tick(stage)
      const victim = fighterOf(stage, 1)
      expect(victim.hitBy).toBe(stage.ids[0])
      // Ticks are counted from the hit.
      stage.world.tables.things.hitCountsUntil[1] -= late - 1
      Object.assign(victim, { x: RING_HALF + 3, y: 0, z: -0.1 })
      tick(stage)
      return stage.world.events.ringOut.by[0] === stage.ids[0]
    })
    return [1, found.at(-1)!]
  },
  'nobody acts in a countdown': () => {
    const world = createWorld(sumo)
    step(world, { controls: [0, 1].map((seat) => ({ control: 'join', seat }) as const) })
    const found: number[] = []
    for (let t = 1; t < 80; t++) {
      if (world.globals.stage === STAGE.countdown) found.push(t)
      step(world, { players: [{ seat: 0, moveX: 1 }] })
    }
    return [found[0], found.at(-1)!]
  },
  'a breather lasts': () => {
    const world = breather(sumo)
    let count = 0
    while (world.globals.stage === STAGE.breather) {
      step(world)
      count++
    }
    return [1, count]
  },
  'a round of 1 s lasts': () => {
    const world = createWorld(sumo, { tuning: { roundTime: 1 } })
    step(world, { controls: [0, 1].map((seat) => ({ control: 'join', seat }) as const) })
    while (world.globals.stage !== STAGE.play) step(world)
    let count = 1
    while (world.globals.stage === STAGE.play) {
      step(world)
      count++
    }
    return [1, count]
  },
})

/** Whether a blow of 0 strikes 1 when this is changed before it. */
function strikesWhen(slot: 'punch' | 'fireball' | 'shockwave', change: (stage: Fight) => void): string {
  const stage = fight(NEAR)
  change(stage)
  const strikes = spanOf(stage, slot, 40, () => stage.world.events.strike.count > 0)
  return strikes[0] < 0 ? 'spared' : 'hit'
}

const sameTeam = (stage: Fight) => {
  for (const fighter of each(stage.world, 'character')) fighter.team = 1
}
const twoTeams = (stage: Fight) => {
  for (const [n, fighter] of [...each(stage.world, 'character')].entries()) fighter.team = n + 1
}
const outOfIt = (stage: Fight) => void (fighterOf(stage, 1).out = 1)

/** How often one fighter is struck by one swing. */
function strikesOf(slot: 'punch' | 'fireball' | 'shockwave'): string {
  const stage = fight(NEAR)
  fighterOf(stage, 1).invMass = 1e-6
  tick(stage, { 0: { [slot]: 1 } })
  return `${ticks(stage, 40).length} hit`
}

testTable('SU45', 'sumo', 'Gates', {
  'a fist and its own fighter': () => [soloStrikes('punch')],
  'a fireball and who threw it': () => [soloStrikes('fireball')],
  'a shockwave and who made it': () => [soloStrikes('shockwave')],
  'a fist and a fighter of the same team': () => [strikesWhen('punch', sameTeam)],
  'a fireball and a fighter of the same team': () => [strikesWhen('fireball', sameTeam)],
  'a shockwave and a fighter of the same team': () => [strikesWhen('shockwave', sameTeam)],
  'a fist and a fighter of another team': () => [strikesWhen('punch', twoTeams)],
  'a fireball and a fighter of another team': () => [strikesWhen('fireball', twoTeams)],
  'anything and a fighter that is out': () => [
    [strikesWhen('punch', outOfIt), strikesWhen('fireball', outOfIt), strikesWhen('shockwave', outOfIt)].every(
      (one) => one === 'spared',
    )
      ? 'spared'
      : 'hit',
  ],
  'a fist and whom it has struck': () => [strikesOf('punch')],
  'a fireball and whom it has struck': () => [strikesOf('fireball')],
  'a shockwave and whom it has struck': () => [strikesOf('shockwave')],
  'a fireball and the second in its way': () => {
    const stage = fight([
      [0, 0],
      [4, 0.2],
      [4, -0.2],
    ])
    tick(stage, { 0: { fireball: 1 } })
    return [`${ticks(stage, 40).length} hit`]
  },
  'a fighter that is out and its own presses': () => {
    const stage = fight(NEAR)
    fighterOf(stage, 0).out = 1
    tick(stage, { 0: { punch: 1 } })
    return [stage.world.tables.casts.count === 0 ? 'refused' : 'taken']
  },
  'a jump in the air': () => {
    const stage = fight([[0, 0]])
    Object.assign(fighterOf(stage, 0), { z: 4, grounded: 0 })
    tick(stage, { 0: { jump: 1 } })
    return [stage.world.tables.casts.count === 0 ? 'refused' : 'taken']
  },
  'a throw with empty hands': () => {
    const stage = fight([[0, 0]])
    tick(stage, { 0: { grab: 1 } })
    return [stage.world.tables.casts.ability[0] === abilities.number.grab ? 'a grab' : 'a throw']
  },
  'a carried fighter and room': () => {
    const stage = holding(sumo, [[-6, 5]])
    const held = fighterOf(stage, 1)
    const { x } = held
    place(stage, 2, x + 1, 0)
    tick(stage)
    return [round4(held.x - x) === 0 ? 'passed through' : 'pushed']
  },
})

function soloStrikes(slot: 'punch' | 'fireball' | 'shockwave'): string {
  const stage = fight([[0, 0]])
  return spanOf(stage, slot, 40, () => stage.world.events.strike.count > 0)[0] < 0 ? 'spared' : 'hit'
}

/** Whether a punch reaches a fighter whose middle is so far ahead, or aside. */
function reaches(x: number, y = 0): string {
  const stage = aboutToHit(sumo, [
    [0, 0],
    [x, y],
  ])
  return tick(stage).length > 0 ? 'hit' : 'missed'
}

testTable('SU45', 'sumo', 'Edges', {
  'ahead, for a punch: 3 m': () => [reaches(2.9999), reaches(3), reaches(3.0001)],
  'the middle below the top of the ring': () =>
    [0.0001, 0, -0.0001].map((z) => {
      const stage = fight([[0, 0]], { tuning: { gravity: 0 } })
      Object.assign(fighterOf(stage, 0), { x: RING_HALF + 3, z })
      tick(stage)
      return stage.world.events.ringOut.count === 1 ? 'out' : 'in'
    }),
  'apart in the plane, for a push straight up: 0.01 m': () =>
    [0.0099, 0.01, 0.0101].map((apart) => {
      const stage = fight(NEAR)
      const hover = () => {
        place(stage, 1, apart, 0)
        fighterOf(stage, 1).z = STANDING + 3.5
      }
      hover()
      tick(stage, { 0: { shockwave: 1 } })
      for (let t = 0; t < 30; t++) {
        hover()
        if (tick(stage).length > 0) break
      }
      return Math.abs(fighterOf(stage, 1).vx) < 1e-9 ? 'up' : 'away'
    }),
  'health when time is over': () =>
    [99.9, 100, 100.1].map((hp) => {
      const world = createWorld(sumo, { tuning: { roundTime: 1 } })
      step(world, { controls: [0, 1].map((seat) => ({ control: 'join', seat }) as const) })
      while (world.globals.stage !== STAGE.play) step(world)
      const [left, right] = each(world, 'character')
      Object.assign(left, { x: -5, y: 0, hp })
      Object.assign(right, { x: 5, y: 0 })
      const ids = [0, left.id, right.id]
      while (world.globals.stage === STAGE.play) step(world)
      return ['draw', 'wins', 'loses'][ids.indexOf(world.events.roundOver.winner[0])]
    }),
  'rounds won, of five: 3': () =>
    [2, 3, 4].map((wins) => {
      const world = breather(sumo)
      const [first, second] = players(world)
      second.wins = wins
      first.wins = 0
      while (world.globals.stage === STAGE.breather) step(world)
      return world.globals.stage === STAGE.over ? 'over' : 'goes on'
    }),
  'what is left of a barrier, against a blow of 4': () =>
    [3.9, 4, 4.1].map((shield) => {
      const stage = aboutToHit()
      Object.assign(fighterOf(stage, 1), { shield, shieldUntil: 1e6 })
      tick(stage)
      return fighterOf(stage, 1).vx > 0 ? 'pushed' : 'held'
    }),
})

test('[SU49] with arts=pull the shockwave draws in, and strength takes the place of the barrier', () => {
  const pulled = (['push', 'pull'] as const).map((arts) => {
    const stage = fight(NEAR, { options: { arts } })
    tick(stage, { 0: { shockwave: 1 } })
    while (tick(stage).length === 0);
    return fighterOf(stage, 1).vx
  })
  expect(pulled[0]).toBeGreaterThan(1)
  expect(pulled[1]).toBeLessThan(-1)
  const buffed = (['push', 'pull'] as const).map((arts) => {
    const stage = fight(NEAR, { options: { arts } })
    tick(stage, { 0: { barrier: 1 } })
    ticks(stage, 30)
    const { shield } = fighterOf(stage, 0)
    tick(stage, { 0: { punch: 1 } })
    while (tick(stage).length === 0);
    const { vx } = fighterOf(stage, 1)
    for (let t = 0; t < 40; t++) tick(stage, { 0: { moveY: 1 } })
    return { shield, vx, speed: round4(fighterOf(stage, 0).vy) }
  })
  expect(buffed[0]).toMatchObject({ shield: 16, speed: 5 })
  expect(buffed[1]).toMatchObject({ shield: 0, speed: 6.5 })
  expect(buffed[1].vx / buffed[0].vx).toBeCloseTo(1.5, 9)
})
