import { describe, expect, test } from 'vitest'
import { arena, enter, fighter, phaseOf, press, tick, ticks } from './fixtures/arena.ts'
import { type AbilitySpec, startAbility } from './index.ts'

// Rules AB1 to AB9; see docs/spec.md, section "Abilities".

const punch: AbilitySpec = {
  startup: 4,
  active: 3,
  recovery: 6,
  cooldown: 16,
  steps: 3,
  window: 20,
  effects: [{ on: 'active', melee: { box: [0.5, 0.75, 1], ahead: 1.5 } }],
}
const once: AbilitySpec = { ...punch, steps: 1, window: 0 }

/** The phases of a caster over some ticks, with presses in the ticks given. */
function phasesOf(spec: AbilitySpec, count: number, presses: readonly number[]): string[] {
  const stage = arena({ punch: spec })
  const caster = enter(stage, 0)
  return Array.from({ length: count }, (_, t) => {
    if (presses.includes(t)) press(stage, caster, 'punch')
    tick(stage)
    return phaseOf(stage, caster)
  })
}

function repeat(...parts: readonly (readonly [string, number])[]): string[] {
  return parts.flatMap(([phase, times]) => Array<string>(times).fill(phase))
}

const STEP = (step: number) =>
  [
    [`startup ${step}`, 4],
    [`active ${step}`, 3],
    [`recovery ${step}`, 6],
  ] as const

describe('phases', () => {
  test('[AB1] pressed at T: active from T+4 to T+6, recovery from T+7, over at T+13', () => {
    expect(phasesOf(once, 16, [0])).toEqual(repeat(...STEP(1), ['-', 3]))
  })

  test('[AB1] a press in a step brings the next one at T+13, and so on to the last', () => {
    for (const [first, second] of [
      [1, 14],
      [4, 18],
      [12, 25],
      [13, 26],
    ]) {
      const phases = phasesOf(punch, 42, [0, first, second])
      expect(phases, `${first}, ${second}`).toEqual(repeat(...STEP(1), ...STEP(2), ...STEP(3), ['-', 3]))
    }
  })

  test('[AB2] a phase without length passes in the tick in which it begins', () => {
    const spec = (startup: number, active: number, recovery: number) => ({ ...once, startup, active, recovery })
    expect(phasesOf(spec(0, 2, 1), 4, [0])).toEqual(['active 1', 'active 1', 'recovery 1', '-'])
    expect(phasesOf(spec(1, 0, 1), 3, [0])).toEqual(['startup 1', 'recovery 1', '-'])
    expect(phasesOf(spec(1, 1, 0), 3, [0])).toEqual(['startup 1', 'active 1', '-'])
    expect(phasesOf(spec(0, 0, 0), 2, [0])).toEqual(['-', '-'])
  })

  test('[AB2] steps without startup and recovery follow each other without a gap, each with a hit set of its own', () => {
    const stage = arena({ punch: { ...punch, startup: 0, recovery: 0, active: 1 } })
    const caster = enter(stage, 0)
    enter(stage, 2.5)
    press(stage, caster, 'punch', 3)
    expect([tick(stage).length, tick(stage).length, tick(stage).length]).toEqual([1, 1, 0])
    const again = arena({ punch: { ...punch, startup: 0, recovery: 0, active: 1 } })
    const other = enter(again, 0)
    enter(again, 2.5)
    const hits = Array.from({ length: 4 }, (_, t) => {
      if (t < 3) press(again, other, 'punch')
      return tick(again).length
    })
    expect(hits).toEqual([1, 1, 1, 0])
  })
})

describe('presses', () => {
  test('[AB3] the press that starts an ability is used up: it does not bring the next step as well', () => {
    expect(phasesOf(punch, 30, [0]).filter((phase) => phase.endsWith('2'))).toEqual([])
  })

  test('[AB3] of two presses in one tick the second brings the next step; a third waits for nothing', () => {
    const stage = arena({ punch })
    const caster = enter(stage, 0)
    press(stage, caster, 'punch', 3)
    const phases = Array.from({ length: 30 }, () => {
      tick(stage)
      return phaseOf(stage, caster)
    })
    expect(phases).toEqual(repeat(...STEP(1), ...STEP(2), ['waiting 2', 4]))
  })

  test('[AB3] a refused press is lost', () => {
    expect(phasesOf({ ...once, cooldown: 0 }, 16, [0, 12])).toEqual(repeat(...STEP(1), ['-', 3]))
  })
})

describe('combos', () => {
  test('[AB4] a press counts for 20 ticks from the start of recovery, T+7 to T+26, also when the step is over', () => {
    for (const late of [13, 20, 26]) {
      const waiting = late - 13
      const expected = repeat(...STEP(1), ['waiting 1', waiting], ...STEP(2)).slice(0, 40)
      expect(phasesOf(punch, expected.length, [0, late]), `pressed at ${late}`).toEqual(expected)
    }
  })

  test('[AB4] after that it starts over', () => {
    expect(phasesOf(punch, 40, [0, 27])).toEqual(repeat(...STEP(1), ['waiting 1', 14], ...STEP(1)))
  })

  test('[AB4] a window that ends within recovery adds nothing to the step', () => {
    const short = { ...punch, window: 5 }
    expect(phasesOf(short, 14, [0])).toEqual(repeat(...STEP(1), ['-', 1]))
    expect(phasesOf(short, 26, [0, 12])).toEqual(repeat(...STEP(1), ...STEP(2)))
  })

  test('[AB4] the last step has nothing to follow; the cooldown is counted from the first', () => {
    const phases = phasesOf(punch, 50, [0, 1, 14, 30, 39])
    expect(phases).toEqual(repeat(...STEP(1), ...STEP(2), ...STEP(3), ...STEP(1)).slice(0, 50))
  })

  test('[AB4] another ability ends the wait', () => {
    const stage = arena({ punch, other: { ...once, startup: 1, active: 1, recovery: 1 } })
    const caster = enter(stage, 0)
    press(stage, caster, 'punch')
    ticks(stage, 15)
    expect(phaseOf(stage, caster)).toBe('waiting 1')
    press(stage, caster, 'other')
    ticks(stage, 4)
    expect(phaseOf(stage, caster)).toBe('-')
    press(stage, caster, 'punch')
    tick(stage)
    expect(phaseOf(stage, caster)).toBe('startup 1')
  })
})

describe('readiness', () => {
  test('[AB5] an ability that still runs is not cast again, however short its cooldown', () => {
    const presses = Array.from({ length: 26 }, (_, t) => t)
    expect(phasesOf({ ...once, cooldown: 0 }, 26, presses)).toEqual(repeat(...STEP(1), ...STEP(1)))
    // Not even if its content says that it cuts itself short.
    const eager: AbilitySpec = { ...once, cooldown: 0, cancels: { punch: 'always' } }
    expect(phasesOf(eager, 26, presses)).toEqual(repeat(...STEP(1), ...STEP(1)))
  })

  test('[AB6] ready again as many ticks after the press as the cooldown says', () => {
    const presses = Array.from({ length: 30 }, (_, t) => t)
    const phases = phasesOf(once, 30, presses)
    expect(phases.indexOf('-')).toBe(13)
    expect(phases.indexOf('startup 1', 13)).toBe(16)
  })

  test('[AB7] one ability at a time, unless its content lets another one cut it short, and not before that time', () => {
    const cut: AbilitySpec = { ...once, startup: 3, active: 3, recovery: 3, cooldown: 0 }
    const allowed = (when: 'always' | 'active' | 'hit' | 'recovery' | 'never', at: number, isHit: boolean): boolean => {
      const stage = arena({ slow: { ...cut, cancels: { fast: when }, effects: punch.effects }, fast: cut })
      const caster = enter(stage, 0)
      if (isHit) enter(stage, 2.5)
      press(stage, caster, 'slow')
      ticks(stage, at)
      press(stage, caster, 'fast')
      tick(stage)
      const { things, casts } = stage.world.tables
      return casts.ability[casts.id.indexOf(things.busyWith[0])] === 1
    }
    const times = [1, 3, 4, 6, 8]
    const table = (['never', 'always', 'active', 'hit', 'recovery'] as const).map((when) =>
      [false, true].map((isHit) => times.map((at) => (allowed(when, at, isHit) ? '×' : '·')).join('')),
    )
    expect(table).toEqual([
      ['·····', '·····'],
      ['×××××', '×××××'],
      ['·××××', '·××××'],
      ['·····', '··×××'],
      ['···××', '···××'],
    ])
  })

  test('[AB7] an ability that is started without a press ends what kept its caster busy', () => {
    const stage = arena({ punch, other: once })
    const caster = enter(stage, 0)
    press(stage, caster, 'punch')
    ticks(stage, 3)
    startAbility(stage.abilities, fighter(stage, caster), 'other')
    const { things, casts } = stage.world.tables
    tick(stage)
    expect([casts.count, casts.ability[0], things.busyWith[0] === casts.id[0]]).toEqual([1, 1, true])
  })

  test('[AB8] a slot tries its abilities in order: the first that is ready and whose requirements are met', () => {
    const quick = { startup: 0, active: 1, recovery: 0, cooldown: 10, effects: [] }
    const stage = arena(
      { air: { ...quick, requires: ['airborne'] }, ground: { ...quick, requires: ['grounded'] }, spare: quick },
      { slots: { any: ['air', 'ground', 'spare'] } },
    )
    const caster = enter(stage, 0)
    const used: number[] = []
    for (const grounded of [0, 0, 1, 1]) {
      stage.world.tables.things.grounded![0] = grounded
      press(stage, caster, 'any')
      tick(stage)
      const { cast } = stage.world.events
      used.push(cast.count === 0 ? -1 : cast.ability[0])
      tick(stage)
    }
    expect(used).toEqual([0, 2, 1, -1])
  })

  test('[AB9] each step that begins emits an event, and each that hits nothing', () => {
    const stage = arena({ punch })
    const caster = enter(stage, 0)
    press(stage, caster, 'punch', 2)
    const emitted: string[] = []
    for (let t = 0; t < 30; t++) {
      tick(stage)
      const { cast, whiff } = stage.world.events
      if (cast.count > 0) emitted.push(`${t} cast ${cast.step[0]}`)
      if (whiff.count > 0) emitted.push(`${t} whiff ${whiff.step[0]}`)
    }
    expect(emitted).toEqual(['0 cast 1', '7 whiff 1', '13 cast 2', '20 whiff 2'])
  })
})
