import { each, step } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { CHAMPIONS, WARES } from '../rules/content/champions.ts'
import { FOUNTAINS, SIDE } from '../rules/content/map.ts'
import { KIND } from '../rules/content/units.ts'
import { declaration, type SiegeWorld } from '../rules/declaration.ts'
import {
  addStanding,
  arena,
  builtOf,
  championOf,
  disarm,
  distanceOf,
  field,
  isThere,
  ofKind,
  type PlayerInput,
  playerIn,
  run,
} from './support.ts'

/** A blue champion at the origin, alone. */
function alone(name: string): SiegeWorld {
  return disarm(arena([{ side: SIDE.blue, name, x: 0, y: 0 }]))
}

/** A champion of blue and a gorath of red at some distance. Both stand. */
function duel(name: string, distance: number): SiegeWorld {
  const blue = { side: SIDE.blue, name, x: 0, y: 0 }
  return disarm(arena([blue, { side: SIDE.red, name: 'gorath', x: distance, y: 0 }]))
}

const stay = (x: number) => ({ seat: 1, order: 'move' as const, go: { x, y: 0 } })
const still = { seat: 0, order: 'move' as const, go: { x: 0, y: 0 } }

describe('basic attacks', () => {
  test('[SG32] land after the wind-up, again after the cooldown, and armour keeps its part off', () => {
    const world = duel('warrior', 100)
    const events = run(world, 100, {
      players: [{ seat: 0, order: 'attack', target: championOf(world, 1).id }, stay(100)],
    })
    const hurts = ofKind(events, 'damage').filter(({ victim }) => victim === championOf(world, 1).id)
    const first = hurts[0].tick
    expect(first).toBe(3 + Math.ceil((0.2 / 0.65) * 30))
    expect(hurts.map(({ tick }) => tick - first)).toEqual([0, 47])
    expect(hurts[0].taken).toBeCloseTo(60 * (100 / 135), 9)
  })

  test('[SG32] are broken by a stun: the arm is raised anew when it is over', () => {
    const world = arena([
      { side: SIDE.blue, name: 'warrior', x: 0, y: 600 },
      { side: SIDE.red, name: 'gorath', x: 60, y: 600 },
    ])
    const [warrior, gorath] = [championOf(world, 0), championOf(world, 1)]
    gorath.stunnedUntil = world.clock + 300
    const order = { players: [{ seat: 0, order: 'attack' as const, target: gorath.id }] }
    run(world, 1, order)
    expect(warrior.strikesAt).toBeGreaterThan(world.clock)
    warrior.stunnedUntil = world.clock + 20
    run(world, 20)
    warrior.attacksAt = world.clock + 10
    run(world, 10)
    expect(gorath.hp).toBe(gorath.maxHp)
    run(world, 30)
    expect(gorath.hp).toBeLessThan(gorath.maxHp)
  })

  test('[SG32] are cancelled by an order to move', () => {
    const world = duel('warrior', 100)
    run(world, 5, { players: [{ seat: 0, order: 'attack', target: championOf(world, 1).id }, stay(100)] })
    expect(championOf(world, 0).strikesAt).toBeGreaterThan(0)
    const events = run(world, 30, { players: [still] })
    expect(ofKind(events, 'damage')).toEqual([])
  })

  test('[SG32] two champions that kill each other in one tick both fall', () => {
    const world = arena([
      { side: SIDE.blue, name: 'warrior', x: 0, y: 0 },
      { side: SIDE.red, name: 'warrior', x: 60, y: 0 },
    ])
    const [blue, red] = [championOf(world, 0), championOf(world, 1)]
    blue.hp = red.hp = 1
    const events = run(world, 30, {
      players: [
        { seat: 0, order: 'attack', target: red.id },
        { seat: 1, order: 'attack', target: blue.id },
      ],
    })
    expect(ofKind(events, 'championKilled').length).toBe(2)
  })

  test('[SG32] attackMove attacks on the way, hold attacks what comes into range', () => {
    for (const order of ['attackMove', 'hold'] as const) {
      const world = alone('elara')
      const minion = addStanding(world, SIDE.red, 300, 0)
      const events = run(world, 60, { players: [{ seat: 0, order, go: { x: 900, y: 0 } }] })
      expect(
        ofKind(events, 'shot').map(({ target }) => target),
        order,
      ).toContain(minion.id)
    }
  })
})

describe('abilities', () => {
  test('[SG33] there are at least four champions, all different, with skillshots, dashes and a knockback', () => {
    const effects = CHAMPIONS.map(({ abilities }) => abilities.map(({ effect }) => effect).join())
    expect(CHAMPIONS.length).toBeGreaterThanOrEqual(4)
    expect(effects.join()).toMatch(/missile.*dash|dash.*missile/)
    expect(CHAMPIONS.some(({ abilities }) => abilities.some((each) => 'knockback' in each))).toBe(true)
    expect(new Set(CHAMPIONS.map(({ abilities }) => JSON.stringify(abilities))).size).toBe(CHAMPIONS.length)
  })

  test('[SG33] a missile hits the first it meets, one that pierces hits each once, and neither its own side', () => {
    const cast = (name: string) => {
      const world = alone(name)
      const ids = [150, 250, 350, 450, 550].map((x) => addStanding(world, x === 150 ? SIDE.blue : SIDE.red, x, 0).id)
      const events = run(world, 60, { players: [{ ...still, first: 1, aim: { x: 700, y: 0 } }] })
      return ofKind(events, 'damage').map(({ victim }) => ids.indexOf(victim))
    }
    expect(cast('magnus')).toEqual([1])
    expect(cast('elara')).toEqual([1, 2, 3, 4])
  })

  test('[SG33] no missile flies through a unit, and all end at their range', () => {
    // 1400 a second are 47 in a tick: more than the 40 of a minion.
    for (let offset = 0; offset < 47; offset += 5) {
      const world = alone('elara')
      addStanding(world, SIDE.red, 300 + offset, 44)
      const events = run(world, 30, { players: [{ ...still, first: 1, aim: { x: 900, y: 0 } }] })
      expect(ofKind(events, 'damage').length, `offset ${offset}`).toBe(0)
      const hit = alone('elara')
      addStanding(hit, SIDE.red, 300 + offset, 39)
      expect(ofKind(run(hit, 30, { players: [{ ...still, first: 1, aim: { x: 900, y: 0 } }] }), 'damage').length).toBe(
        1,
      )
    }
    const far = alone('magnus')
    addStanding(far, SIDE.red, 900, 0)
    expect(ofKind(run(far, 90, { players: [{ ...still, first: 1, aim: { x: 900, y: 0 } }] }), 'damage')).toEqual([])
  })

  test('[SG34] a dash goes its way at its speed, hits each unit it passes once, and stuns', () => {
    const world = alone('warrior')
    const victim = addStanding(world, SIDE.red, 150, 70)
    const beyond = addStanding(world, SIDE.red, 150, 200)
    const events = run(world, 8, { players: [{ ...still, first: 1, aim: { x: 1000, y: 0 } }] })
    // 300 in 0.25 s are eight ticks, 40 each.
    expect(championOf(world, 0).x).toBeCloseTo(320, 6)
    expect(ofKind(events, 'damage').map((hurt) => hurt.victim)).toEqual([victim.id])
    expect(victim.stunnedUntil).toBeGreaterThan(world.clock)
    expect(beyond.stunnedUntil).toBe(0)
  })

  test('[SG35] a slam throws enemies 160 away and stuns them; structures and allies stay', () => {
    const world = arena([{ side: SIDE.red, name: 'gorath', x: -350, y: 250 }])
    const tower = builtOf(world, 3)
    tower.damage = 0
    const enemy = addStanding(world, SIDE.blue, -250, 250)
    const ally = addStanding(world, SIDE.red, -450, 250)
    run(world, 8, { players: [{ seat: 0, order: 'move', go: { x: -350, y: 250 }, first: 1, aim: { x: 0, y: 0 } }] })
    expect(enemy.x).toBeCloseTo(-250 + 160, 6)
    expect(ally.x).toBe(-450)
    expect(tower).toMatchObject({ x: -350, y: 350, hp: 3500 })
    // Thrown and stunned it neither walks nor strikes.
    expect(enemy.walks).toBe(0)
  })

  test('[SG36] a meteor falls where it was aimed 0.6 s later, hits what is there then, and slows', () => {
    const world = alone('magnus')
    const victim = addStanding(world, SIDE.red, 400, 0)
    const early = run(world, 18, { players: [{ ...still, second: 1, aim: { x: 400, y: 0 } }] })
    expect(ofKind(early, 'damage')).toEqual([])
    expect(ofKind(run(world, 1), 'damage').map((hurt) => hurt.victim)).toEqual([victim.id])
    expect(victim.slowedUntil).toBe(world.clock + 45)
    expect(ofKind(run(world, 30), 'damage')).toEqual([])
  })

  test('[SG36] the slowed walk at half speed', () => {
    const walked = (slowed: boolean) => {
      const world = alone('warrior')
      const champion = championOf(world, 0)
      if (slowed) champion.slowedUntil = world.clock + 100
      run(world, 30, { players: [{ seat: 0, order: 'move', go: { x: 1000, y: 0 } }] })
      return champion.x
    }
    expect(walked(false)).toBeCloseTo(340, 6)
    expect(walked(true)).toBeCloseTo(170, 6)
  })

  test('[SG37] a shield absorbs first and ends by itself', () => {
    const world = arena([{ side: SIDE.blue, name: 'gorath', x: 0, y: 0 }])
    const gorath = championOf(world, 0)
    run(world, 1, { players: [{ ...still, second: 1 }] })
    expect(gorath.shield).toBe(120)
    addStanding(world, SIDE.red, 46, 0).damage = 20
    run(world, 40)
    expect(gorath.hp).toBe(gorath.maxHp)
    expect(gorath.shield).toBeLessThan(120)
    run(world, 60)
    expect(gorath.shield).toBe(0)
  })

  test('[SG37] knives fly three abreast', () => {
    const world = alone('vex')
    run(world, 1, { players: [{ ...still, second: 1, aim: { x: 500, y: 0 } }] })
    const angles = [...each(world, 'blow')]
      .filter(({ kind }) => kind === KIND.missile)
      .map(({ vx, vy }) => Math.round(Math.atan2(vy, vx) * 100) / 100)
    expect(angles).toEqual([-0.26, 0, 0.26])
  })

  test('[SG37] each has its cooldown, and stunned and dead champions cast nothing', () => {
    const world = alone('magnus')
    const magnus = championOf(world, 0)
    const casts = (ticks: number) => {
      let count = 0
      for (let i = 0; i < ticks; i++)
        count += ofKind(run(world, 1, { players: [{ ...still, first: 1, aim: { x: 9, y: 9 } }] }), 'cast').length
      return count
    }
    expect(casts(180)).toBe(1)
    expect(casts(1)).toBe(1)
    magnus.readyAt.set(2 * magnus.champion, 0)
    magnus.stunnedUntil = world.clock + 10
    expect(casts(10)).toBe(0)
    expect(casts(1)).toBe(1)
    magnus.readyAt.set(2 * magnus.champion, 0)
    magnus.hp = 0
    expect(casts(1)).toBe(0)
  })
})

/** Plays on until an event of this kind; gives its tick. */
function tickOf(world: SiegeWorld, kind: 'championKilled' | 'returned', input: PlayerInput): number {
  for (let i = 0; i < 3000; i++) {
    step(world, { players: [input, stay(100)] })
    if (world.events[kind].count > 0) return world.tick - 1
  }
  return Number.NaN
}

describe('coming and going', () => {
  test('[SG38] what can be picked and bought are the champions and wares there are', () => {
    expect(declaration.input.pick.names).toEqual(['any', ...CHAMPIONS.map(({ name }) => name)])
    expect(declaration.input.buy.names).toEqual(WARES.map(({ name }) => name))
  })

  test('[SG38] players are given the smaller side and may pick a champion until the first wave', () => {
    const world = field({ tuning: { firstWave: 2 } })
    step(world, { controls: [0, 1, 2].map((seat) => ({ control: 'join', seat })) })
    expect([0, 1, 2].map((seat) => playerIn(world, seat).team)).toEqual([SIDE.blue, SIDE.red, SIDE.blue])
    expect([0, 1, 2].map((seat) => championOf(world, seat).champion)).toEqual([0, 1, 1])
    run(world, 1, { players: [{ seat: 0, pick: 'vex' }] })
    expect(CHAMPIONS[championOf(world, 0).champion].name).toBe('vex')
    run(world, 70, { players: [{ seat: 0, pick: 'vex' }] })
    run(world, 1, { players: [{ seat: 0, pick: 'elara' }] })
    expect(CHAMPIONS[championOf(world, 0).champion].name).toBe('vex')
    const { id } = championOf(world, 0)
    run(world, 1, { controls: [{ control: 'leave', seat: 0 }] })
    expect(world.tables.players.count).toBe(2)
    expect(isThere(world, id)).toBe(false)
  })

  test('[SG39] a recall takes 8 s and brings home; an order, a cast or a hurt breaks it', () => {
    const hold = { seat: 0, order: 'hold' as const }
    const recalling = () => {
      const world = alone('elara')
      run(world, 1, { players: [{ ...hold, recall: 1 }] })
      expect(championOf(world, 0).recallAt).toBe(world.clock - 1 + 240)
      return world
    }
    const world = recalling()
    expect(ofKind(run(world, 239), 'recalled')).toEqual([])
    expect(ofKind(run(world, 1), 'recalled').length).toBe(1)
    expect(championOf(world, 0)).toMatchObject(FOUNTAINS[1])

    const walking = recalling()
    run(walking, 1, { players: [{ seat: 0, order: 'move', go: { x: 5, y: 5 } }] })
    expect(championOf(walking, 0).recallAt).toBe(0)
    const casting = recalling()
    run(casting, 1, { players: [{ ...hold, first: 1, aim: { x: 5, y: 5 } }] })
    expect(championOf(casting, 0).recallAt).toBe(0)
    const hurt = recalling()
    addStanding(hurt, SIDE.red, 46, 0).damage = 1
    run(hurt, 30)
    expect(championOf(hurt, 0).recallAt).toBe(0)
  })

  test('[SG39] a recall ends what was going on: nothing of it is left at home', () => {
    const world = arena([{ side: SIDE.blue, name: 'warrior', x: 0, y: 600 }])
    const warrior = championOf(world, 0)
    const late = world.clock + 999
    const times = { wantedUntil: late, launchedUntil: late, stunnedUntil: late, slowedUntil: late, shieldUntil: late }
    Object.assign(warrior, { recallAt: 1, vx: 3, vy: 3, shield: 5, target: 1, hurtBy: 1, hurtAt: 1, ...times })
    run(world, 1, { players: [{ seat: 0, order: 'hold' }] })
    const { x, y } = FOUNTAINS[SIDE.blue]
    const nothing = { target: 0, strikesAt: 0, walks: 0, vx: 0, vy: 0, recallAt: 0, hurtAt: 0, hurtBy: 0, shield: 0 }
    expect(warrior).toMatchObject({
      x,
      y,
      ...nothing,
      ...Object.fromEntries(Object.keys(times).map((name) => [name, 0])),
    })
  })

  test('[SG40] dead champions return to their fountain with full health after 6 s and 2 s more per level, 60 s at most', () => {
    const awayFor = (level: number) => {
      const world = duel('warrior', 100)
      const victim = Object.assign(championOf(world, 1), { level, hp: 1 })
      const killed = tickOf(world, 'championKilled', { seat: 0, order: 'attack', target: victim.id })
      const returned = tickOf(world, 'returned', still)
      expect(victim.hp).toBe(victim.maxHp)
      expect(distanceOf(victim, builtOf(world, 13))).toBeLessThan(250)
      return returned - killed
    }
    expect(awayFor(1)).toBe(6 * 30)
    expect(awayFor(5)).toBe(14 * 30)
    expect(awayFor(18)).toBe(40 * 30)
  })

  test('[SG41] health comes back, faster outside a fight, fastest at the fountain', () => {
    const healed = (x: number, y: number, isFighting: boolean) => {
      const world = arena([{ side: SIDE.blue, name: 'warrior', x, y }], { tuning: { regeneration: 1.5 } })
      const champion = championOf(world, 0)
      champion.hp = 100
      if (isFighting) champion.hurtAt = world.clock
      run(world, 30)
      return champion.hp - 100
    }
    expect(healed(0, 0, true)).toBeCloseTo(1.5, 6)
    expect(healed(0, 0, false)).toBeCloseTo(3.75, 6)
    expect(healed(-1100, 1100, false)).toBeCloseTo(3.75 + 116, 6)
  })
})

describe('gold and levels', () => {
  test('[SG42] the last hit is paid: 21 for a melee minion, 14 for a caster, to that champion only', () => {
    const world = alone('elara')
    const player = playerIn(world, 0)
    for (const [kind, gold] of [
      [KIND.melee, 21],
      [KIND.caster, 14],
    ]) {
      const before = player.gold
      const minion = addStanding(world, SIDE.red, 200, 0, kind)
      minion.hp = 1
      const events = run(world, 90, { players: [{ seat: 0, order: 'attack', target: minion.id }] })
      expect(ofKind(events, 'lastHit').map((hit) => hit.gold)).toEqual([gold])
      expect(player.gold - before).toBe(gold)
    }
    expect(player.lastHits).toBe(2)
    const lost = addStanding(world, SIDE.red, 200, 0).id
    addStanding(world, SIDE.blue, 160, 0).damage = 1000
    run(world, 60, { players: [still] })
    expect(isThere(world, lost)).toBe(false)
    expect(player.lastHits).toBe(2)
  })

  test('[SG43] a kill pays 300, also to the champion that had hurt one that a minion finished', () => {
    const world = duel('elara', 100)
    const [blue, red] = [playerIn(world, 0), playerIn(world, 1)]
    const victim = championOf(world, 1)
    run(world, 25, { players: [{ seat: 0, order: 'attack', target: victim.id }, stay(100)] })
    expect(victim.hp).toBeLessThan(victim.maxHp)
    addStanding(world, SIDE.blue, 146, 0).damage = 1e4
    const events = run(world, 60, { players: [still] })
    expect(ofKind(events, 'championKilled').map(({ killer }) => killer)).toEqual([blue.thing!.id])
    expect(blue.gold).toBe(300)
    expect([blue.kills, red.deaths, world.arrays.championsKilled[SIDE.blue]]).toEqual([1, 1, 1])
  })

  test('[SG44] experience goes to enemies near by, in equal shares; 280 make the second level, 380 the third', () => {
    const world = arena([
      { side: SIDE.blue, name: 'elara', x: 0, y: 0 },
      { side: SIDE.blue, name: 'elara', x: 0, y: 100 },
      { side: SIDE.blue, name: 'elara', x: -1500, y: 0 },
    ])
    const minion = addStanding(world, SIDE.red, 200, 0)
    minion.hp = 1
    run(world, 60, { players: [{ seat: 0, order: 'attack', target: minion.id }] })
    expect([0, 1, 2].map((seat) => playerIn(world, seat).xp)).toEqual([30, 30, 0])
    const [player, elara] = [playerIn(world, 0), championOf(world, 0)]
    const { hp, hpPerLevel, damage, damagePerLevel } = CHAMPIONS[1]
    player.xp = 279
    run(world, 1)
    expect(elara.level).toBe(1)
    player.xp = 280 + 380
    elara.hp = 100
    const events = run(world, 1)
    expect(ofKind(events, 'levelUp').map(({ level }) => level)).toEqual([2, 3])
    expect([elara.maxHp, elara.damage]).toEqual([hp + 2 * hpPerLevel, damage + 2 * damagePerLevel])
    expect(elara.hp).toBeCloseTo(100 + 2 * hpPerLevel, 6)
    player.xp = 1e6
    run(world, 1)
    expect(elara.level).toBe(18)
  })

  test('[SG45] gold buys at the fountain only', () => {
    const world = alone('warrior')
    const [player, warrior] = [playerIn(world, 0), championOf(world, 0)]
    player.gold = 700
    run(world, 5, { players: [{ ...still, buy: 'blade' }] })
    expect(player.gold).toBe(700)
    Object.assign(warrior, FOUNTAINS[1])
    const events = run(world, 5, { players: [{ seat: 0, buy: 'blade' }] })
    expect(ofKind(events, 'bought').length).toBe(2)
    expect([player.gold, warrior.damage]).toEqual([100, 60 + 24])
  })
})
