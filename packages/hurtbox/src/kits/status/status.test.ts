import { describe, expect, test } from 'vitest'
import { randomOf } from '../../../test/random.ts'
import {
  advance,
  collide,
  createSession,
  createWorld,
  declareGame,
  defineGame,
  despawn,
  each,
  listEvents,
  rememberHits,
  spawn,
  step,
  syncTest,
  type Thing,
  thing,
  type World,
  why,
} from '../../index.ts'
import { advanceAbilities, defineAbilities, isStopped } from '../abilities/index.ts'
import { defineCombat } from '../combat/index.ts'
import { cleanse, defineStatus, inflict, isStunned, makeImmune, runStatus, speedFactor, strengthOf } from './index.ts'

const combat = defineCombat({ damageTypes: ['blow', 'venom'] })
const status = defineStatus(
  {
    poison: { damage: 2, type: 'venom', every: 3, ticks: 10, stacking: 'add', most: 4 },
    burn: { damage: 1, every: 2, ticks: 7, stacking: 'independent' },
    acid: { damage: 1, every: 4, ticks: 9, stacking: 'strongest' },
    mending: { heal: 2, every: 5, ticks: 20 },
    chill: { speed: 0.5, ticks: 8, stacking: 'strongest' },
    haste: { speed: 1.5, ticks: 12, stacking: 'add', most: 2 },
    stun: { stuns: true, ticks: 5 },
  },
  { damageTypes: combat.typeNames, capacity: 200 },
)
const NAMES = status.names
const declaration = declareGame({
  id: 'ward',
  tickRate: 60,
  layers: { body: ['dart'], dart: [] },
  capacity: 64,
  things: { ...combat.columns, ...status.columns },
  tables: { ...status.tables },
  events: { ...combat.events, ...status.events },
})
type Ward = typeof declaration
type Body = Thing<Ward>

/** A game whose first or last phase is the test's own. */
function ward(act: (world: World<Ward>) => void = () => {}, isLast = false) {
  const phases = isLast ? { run: runStatus(status), act } : { act, run: runStatus(status) }
  return defineGame(declaration, { phases })
}

const HEALTH = 16

/** What was given to one thing, told one after the other. */
type Given = { kind: number; strength: number; from: number; endsAt: number; by: number; order: number; begins: number }

/** The oracle: every gift ever, and what they come to at a time. It knows no rows. */
class Story {
  gifts: Given[] = []
  immune = new Map<number, number>()
  hp = HEALTH
  killer = 0
  order = 0

  running(kind: number, clock: number): Given[] {
    return this.gifts.filter((gift) => gift.kind === kind && gift.endsAt > clock)
  }

  give(kind: number, strength: number, ticks: number, by: number, clock: number): boolean {
    if (this.hp <= 0 || (this.immune.get(kind) ?? 0) > clock) return false
    const { stacking, most } = status.kinds[kind]
    const old = this.running(kind, clock)
    const gift = { kind, strength, from: clock, endsAt: clock + ticks + 1, by, order: this.order++, begins: clock }
    if (stacking === 'independent' || old.length === 0) {
      this.gifts.push({ ...gift, strength: stacking === 'add' ? Math.min(strength, most) : strength })
    } else if (stacking === 'strongest') {
      this.gifts.push({ ...gift, begins: old[0].begins })
    } else {
      const sum = stacking === 'add' ? Math.min(old[0].strength + strength, most) : strength
      Object.assign(old[0], { strength: sum, by, endsAt: Math.max(old[0].endsAt, gift.endsAt) })
    }
    return true
  }

  /** Those that count, in the order in which they came. */
  counting(clock: number): Given[] {
    return NAMES.flatMap((_, kind) => {
      const all = this.running(kind, clock)
      if (status.kinds[kind].stacking !== 'strongest' || all.length === 0) return all
      const most = Math.max(...all.map(({ strength }) => strength))
      const best = all.filter(({ strength }) => strength === most)
      return [best.reduce((one, other) => (other.endsAt > one.endsAt ? other : one))]
    }).sort((one, other) => one.order - other.order)
  }

  tick(clock: number): void {
    for (const { kind, strength, begins, by } of this.counting(clock)) {
      const { every, damage, heal } = status.kinds[kind]
      if (every === 0 || clock === begins || (clock - begins) % every !== 0 || this.hp <= 0) continue
      this.hp = Math.max(0, this.hp - damage * strength)
      if (this.hp === 0) this.killer = by
      else this.hp = Math.max(this.hp, Math.min(HEALTH, this.hp + heal * strength))
    }
    if (this.hp <= 0) this.gifts = []
  }
}

/** Plays a random story in the world and in the oracle, and compares them after every tick. */
function compare(seed: number, isLast: boolean, ticks: number): { kills: number; most: number } {
  const random = randomOf(seed)
  const among = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]
  const stories = new Map<number, Story>()
  let kills = 0
  let most = 0
  const game = ward((world) => {
    const { clock } = world
    for (const body of each(world, 'body')) actOn(body, clock)
  }, isLast)
  function actOn(body: Body, clock: number): void {
    const story = stories.get(body.id)!
    if (random() < 0.25) {
      const kind = Math.floor(random() * NAMES.length)
      const [strength, ticks] = [among([0.5, 1, 2]), among([3, 6, status.kinds[kind].ticks])]
      const by = { id: 100 + Math.floor(random() * 9), owner: among([0, 77, 78]) }
      const given = inflict(status, body, NAMES[kind], { by, strength, ticks })
      expect(given).toBe(story.give(kind, strength, ticks, by.owner || by.id, clock))
    }
    if (random() < 0.02) {
      const kind = Math.floor(random() * NAMES.length)
      const had = story.running(kind, clock).length > 0
      story.gifts = story.gifts.filter((gift) => gift.kind !== kind)
      expect(cleanse(status, body, NAMES[kind])).toBe(had)
    }
    if (random() < 0.02) {
      const kind = Math.floor(random() * NAMES.length)
      makeImmune(status, body, NAMES[kind], 6)
      story.immune.set(kind, Math.max(story.immune.get(kind) ?? 0, clock + 7))
    }
    if (random() < 0.004) {
      cleanse(status, body)
      story.gifts = []
    }
  }
  const world = createWorld(game)
  for (let i = 0; i < 4; i++) stories.set(spawn(world, 'body', { hp: HEALTH, maxHp: HEALTH }).id, new Story())
  for (let tick = 0; tick < ticks; tick++) {
    const { clock } = world
    // Damage first and gifts later in the tick, or the other way round: the story follows the game's phases.
    if (isLast) for (const story of stories.values()) story.tick(clock)
    step(world)
    if (!isLast) for (const story of stories.values()) story.tick(clock)
    for (const event of listEvents(world)) {
      if (event.kind !== 'kill') continue
      kills++
      expect(event.attacker, `seed ${seed}, tick ${tick}`).toBe(stories.get(event.victim)!.killer)
    }
    for (const [id, story] of stories) {
      const body = thing(world, id)!
      const now = `seed ${seed}, tick ${tick}, thing ${id}`
      expect(body.hp, now).toBe(story.hp)
      const counting = story.counting(world.clock)
      most = Math.max(most, counting.length)
      expect(
        NAMES.map((name) => strengthOf(status, body, name)),
        now,
      ).toEqual(
        NAMES.map((_, kind) => counting.reduce((sum, gift) => sum + (gift.kind === kind ? gift.strength : 0), 0)),
      )
      expect(speedFactor(status, body), now).toBe(
        counting.reduce(
          (all, { kind, strength }) => all * Math.max(0, 1 + (status.kinds[kind].speed - 1) * strength),
          1,
        ),
      )
      expect(isStunned(status, body), now).toBe(counting.some(({ kind }) => status.kinds[kind].stuns))
      if (body.hp > 0 || random() < 0.9) continue
      despawn(body)
      stories.delete(id)
      stories.set(spawn(world, 'body', { hp: HEALTH, maxHp: HEALTH }).id, new Story())
    }
  }
  return { kills, most }
}

/** A body with its world, outside of which nothing happens. */
function alone(hp = 100) {
  const world = createWorld(ward())
  return { world, body: spawn(world, 'body', { hp, maxHp: 100 }) }
}

function play(world: World<Ward>, ticks: number): void {
  for (let tick = 0; tick < ticks; tick++) step(world)
}

describe('status effects', () => {
  const seeds = process.env.HURTBOX_LONG === undefined ? 20 : 4000
  test.each([false, true])(
    '[SF1] health, strengths, speed, stuns and credit are those of a story without rows (%s)',
    (isLast) => {
      let [kills, most] = [0, 0]
      for (let seed = 1; seed <= seeds; seed++) {
        const seen = compare(seed, isLast, 150)
        kills += seen.kills
        most = Math.max(most, seen.most)
      }
      expect(kills).toBeGreaterThan(seeds / 2)
      expect(most).toBeGreaterThan(5)
    },
  )

  test('[SF2] an effect acts at each interval up to its last tick, and renewing it keeps the rhythm', () => {
    const { world, body } = alone()
    const lost: number[] = []
    inflict(status, body, 'poison')
    for (let tick = 0; tick < 14; tick++) {
      if (tick === 5) inflict(status, body, 'poison')
      step(world)
      lost.push(100 - body.hp)
    }
    // Every third tick, 2 and then twice as much; the renewal at 5 lets it go on to 15.
    expect(lost).toEqual([0, 0, 0, 2, 2, 2, 6, 6, 6, 10, 10, 10, 14, 14])
  })

  test('[SF3] begun and ended are told once for a thing and an effect, however many run', () => {
    const { world, body } = alone()
    const told: string[] = []
    for (let tick = 0; tick < 14; tick++) {
      if (tick < 3) inflict(status, body, 'burn')
      step(world)
      // What is called between two ticks belongs to the next one, whose events it opens.
      for (const event of listEvents(world))
        if (event.kind === 'statusEnded') told.push(`${tick} ${NAMES[event.effect]}`)
    }
    expect(told).toEqual(['10 burn'])
    const begun: number[] = []
    const second = createWorld(ward((world) => void inflict(status, thing(world, 1)!, 'burn')))
    spawn(second, 'body', { hp: 100 })
    for (let tick = 0; tick < 5; tick++) {
      step(second)
      for (const event of listEvents(second)) if (event.kind === 'statusBegan') begun.push(tick)
    }
    expect(begun).toEqual([0])
  })

  test('[SF4] who is dead or gone has no effects, and gets none', () => {
    const { world, body } = alone(3)
    inflict(status, body, 'stun', { ticks: 100 })
    inflict(status, body, 'poison', { strength: 2 })
    play(world, 4)
    expect([body.hp, body.statusCount, world.tables.status.count]).toEqual([0, 0, 0])
    expect(inflict(status, body, 'stun')).toBe(false)
    body.hp = 5
    expect(inflict(status, body, 'stun')).toBe(true)
    despawn(body)
    play(world, 2)
    expect(world.tables.status.count).toBe(0)
  })

  test('[SF5] healing ends at full health and is told with what it came to', () => {
    const { world, body } = alone(97)
    inflict(status, body, 'mending', { by: { id: 9, owner: 0 } })
    const told: number[][] = []
    for (let tick = 0; tick < 22; tick++) {
      step(world)
      for (const event of listEvents(world)) if (event.kind === 'healed') told.push([tick, event.by, event.amount])
    }
    expect(told).toEqual([
      [5, 9, 2],
      [10, 9, 1],
    ])
    expect(body.hp).toBe(100)
  })

  test('[SF6] in a rule it is part of the hit: refused, nothing has happened; why names what it changed', () => {
    const rules = (isRefused: boolean) =>
      defineGame(declaration, {
        phases: {
          run: runStatus(status),
          hits: collide(declaration, {
            'dart hits body': {
              between: ['dart', 'body'],
              decide(dart, body) {
                inflict(status, body, 'acid', { by: dart })
                inflict(status, body, 'acid', { by: dart, strength: 2 })
                cleanse(status, body, 'poison')
                makeImmune(status, body, 'stun')
                if (isRefused) return 'not now'
              },
            },
          }),
        },
        setup(world) {
          inflict(status, spawn(world, 'body', { hp: 50, radius: 9 }), 'poison')
          spawn(world, 'dart', { radius: 3 })
        },
      })
    for (const isRefused of [true, false]) {
      const session = createSession(rules(isRefused))
      advance(session)
      const { world } = session
      const body = thing(world, 1)!
      const names = NAMES.filter((name) => strengthOf(status, body, name) > 0)
      expect([names, strengthOf(status, body, 'acid')]).toEqual(isRefused ? [['poison'], 0] : [['acid'], 2])
      expect(listEvents(world).map(({ kind }) => kind)).toEqual(isRefused ? [] : ['statusBegan', 'statusEnded'])
      expect(inflict(status, body, 'stun')).toBe(isRefused)
      const [{ verdict, changes }] = why(session, 0, 2, 1)
      expect(verdict).toBe(isRefused ? 'not now' : 'accepted')
      if (!isRefused) expect(changes).toContain('status id 2 is added')
    }
  })

  test('[SF7] immune for a time or for ever; what runs runs on', () => {
    const { world, body } = alone()
    inflict(status, body, 'burn')
    makeImmune(status, body, 'burn', 3)
    makeImmune(status, body, 'stun')
    expect([inflict(status, body, 'burn'), strengthOf(status, body, 'burn')]).toEqual([false, 1])
    play(world, 3)
    expect(inflict(status, body, 'burn')).toBe(false)
    play(world, 1)
    expect(inflict(status, body, 'burn')).toBe(true)
    // A shorter immunity never ends a longer one.
    makeImmune(status, body, 'stun', 1)
    play(world, 100)
    expect(inflict(status, body, 'stun')).toBe(false)
  })

  test('[SF8] without room nothing is given and nothing changes', () => {
    const { world, body } = alone()
    for (let i = 0; i < 200; i++) expect(inflict(status, body, 'burn')).toBe(true)
    expect([inflict(status, body, 'burn'), body.statusCount]).toEqual([false, 200])
    play(world, 9)
    expect(body.statusCount).toBe(0)
  })

  test('[SF9] what makes no sense is refused where it is defined, and an unknown effect where it is given', () => {
    expect(() => defineStatus({ poison: { damage: 1, ticks: 10 } })).toThrow(/every of poison/)
    expect(() => defineStatus({ poison: { damage: -1, every: 1, ticks: 10 } })).toThrow(/damage of poison/)
    expect(() => defineStatus({ slow: { speed: Number.NaN, ticks: 10 } })).toThrow(/speed of slow/)
    expect(() => defineStatus({ slow: { speed: 0.5, ticks: 0 } })).toThrow(/ticks of slow/)
    expect(() => defineStatus({ slow: { speed: 0.5, ticks: 9, stacking: 'most' as 'add' } })).toThrow(
      /stacking of slow/,
    )
    expect(() =>
      defineStatus({ rot: { damage: 1, every: 2, ticks: 9, type: 'bite' as 'rot' } }, { damageTypes: ['rot'] }),
    ).toThrow(/type of rot/)
    const { body } = alone()
    expect(() => inflict(status, body, 'poisn' as 'poison')).toThrow(/poisn/)
    const bare = declareGame({
      id: 'bare',
      tickRate: 60,
      things: { ...status.columns },
      tables: status.tables,
      events: status.events,
    })
    expect(() => createWorld(defineGame(bare, { phases: { run: runStatus(status) } }))).toThrow(/defineCombat/)
  })

  test('[SF12] effects run on during hit stop: who stands still is bitten at the same ticks, and is stunned no longer', () => {
    const abilities = defineAbilities({
      source: 'status.test.ts',
      damageTypes: combat.typeNames,
      slots: { punch: ['punch'] },
      abilities: { punch: { startup: 1, active: 1, recovery: 1, cooldown: 0, effects: [] } },
    })
    const declared = declareGame({
      ...declaration,
      things: { ...declaration.things, ...abilities.columns },
      tables: { ...status.tables, casts: abilities.casts },
      hits: rememberHits(16),
      events: { ...declaration.events, ...abilities.events },
      globals: abilities.globals,
    })
    const phases = { advance: advanceAbilities(abilities), run: runStatus(status) }
    const world = createWorld(defineGame(declared, { phases }))
    const [free, still] = [0, 6].map((ticks) => {
      const body = spawn(world, 'body', { hp: 100, maxHp: 100, stillUntil: ticks })
      inflict(status, body, 'poison')
      inflict(status, body, 'stun')
      return body
    })
    let stopped = 0
    for (let tick = 0; tick < 12; tick++) {
      step(world)
      stopped += Number(isStopped(still))
      expect([still.hp, isStunned(status, still)], `tick ${tick}`).toEqual([free.hp, isStunned(status, free)])
    }
    // Poison hurts at ticks 3, 6 and 9: the first of them in the hit stop.
    expect([stopped, free.hp]).toEqual([5, 94])
  })

  test('[SF10] rolled back on every tick, effects end with the same bits', () => {
    const game = defineGame(declaration, {
      phases: {
        run: runStatus(status),
        act(world) {
          for (const body of each(world, 'body')) {
            const pick = (world.clock * 7 + body.id * 3) % 23
            if (pick < NAMES.length) inflict(status, body, NAMES[pick], { strength: 1 + (pick % 3) / 4, by: body })
            if (pick === 9) cleanse(status, body)
            if (body.hp <= 0) body.hp = 30
          }
        },
      },
      setup(world) {
        for (let i = 0; i < 8; i++) spawn(world, 'body', { hp: 30, maxHp: 30 })
      },
    })
    const session = createSession(game)
    for (let tick = 0; tick < 150; tick++) advance(session)
    for (const depth of [1, 8, 30]) expect(syncTest(session, depth).mismatch).toBeUndefined()
  })
})
