import { each, listEvents } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { logLines } from '../log.ts'
import { DAMAGE_DIVISOR, MATERIAL, massOf, SHIP, type VinylThing, type VinylWorld } from '../rules/declaration.ts'
import { IMPACT } from '../rules/report.ts'
import { stationOf } from '../rules/setup.ts'
import { announcerText } from '../rules/text.ts'
import { distance } from '../rules/torus.ts'
import { type Frame, states, type Thing } from '../trace/format.ts'
import { playTrace } from '../trace/play.ts'
import { newest } from './golden.ts'
import { emptyWorld, gunner, rock, rocks, ship, tick, totals } from './support.ts'

/** What a recorded scenario of the newest server comes to, there and here. */
function bothEnds(scenario: string, until: (frame: Frame) => boolean): [Thing[], Thing[]] {
  const recorded = newest.find((trace) => trace.scenario === scenario)!
  const played = playTrace(recorded, { preset: 'document' })
  return [recorded, played].map(({ frames }) => {
    const end = frames.findIndex(until)
    const all = [...states(frames.slice(0, end + 1))].at(-1)!
    return [...all.values()]
  }) as [Thing[], Thing[]]
}

const rocksOf = (things: readonly Thing[]) => things.filter(({ kind }) => kind === 'asteroid')
const shields = (things: readonly Thing[]) => things.filter(({ kind }) => kind === 'ship').map(({ shield }) => shield)

describe('the preset `document` against the newest server', () => {
  test.each(['ship_fragments_vinyl40', 'laser_asteroid_shatter', 'two_lasers_one_asteroid'])(
    '[VF14] %s: three fragments of a third each, 120° apart around what the rock would do whole',
    (scenario) => {
      const [theirs, ours] = bothEnds(scenario, (frame) => frame.gone !== undefined)
      const pieces = rocksOf(ours)
      expect(pieces.length).toBe(3)
      for (const [i, { mass, speed, heading, name }] of pieces.entries()) {
        expect(mass).toBeCloseTo(40 / 3, 12)
        expect(name).toBe('Vinyl 13.3')
        expect(speed).toBeCloseTo(rocksOf(theirs)[i].speed, 9)
        expect(heading).toBeCloseTo(rocksOf(theirs)[i].heading, 9)
      }
      const v = pieces.map(({ speed, heading }) => ({ x: speed * Math.cos(heading), y: speed * Math.sin(heading) }))
      const [baseX, baseY] = [(v[0].x + v[1].x + v[2].x) / 3, (v[0].y + v[1].y + v[2].y) / 3]
      const angles = v.map(({ x, y }) => (Math.atan2(y - baseY, x - baseX) * 180) / Math.PI)
      expect((angles[1] - angles[0] + 360) % 360).toBeCloseTo(120, 6)
      expect((angles[2] - angles[1] + 360) % 360).toBeCloseTo(120, 6)
    },
  )

  test('[VF14] the momentum of a broken rock and its ship is still (1080, 0) at birth', () => {
    const [, ours] = bothEnds('ship_fragments_vinyl40', (frame) => frame.gone !== undefined)
    const moving = ours.filter(({ kind }) => kind !== 'station')
    const px = moving.reduce((sum, { mass, speed, heading }) => sum + mass * speed * Math.cos(heading), 0)
    const py = moving.reduce((sum, { mass, speed, heading }) => sum + mass * speed * Math.sin(heading), 0)
    expect(px).toBeCloseTo(1080, 8)
    expect(py).toBeCloseTo(0, 8)
  })

  test.each(['ship_ship_unequal', 'ship_fragments_vinyl40'])('[VF15] %s: shields after the impact', (scenario) => {
    const [theirs, ours] = bothEnds(scenario, (frame) => frame.turn === 2 && frame.step === 4)
    expect(Math.min(...(shields(ours) as number[]))).toBeLessThan(15)
    shields(ours).forEach((shield, i) => {
      expect(shield).toBeCloseTo(shields(theirs)[i]!, 9)
    })
  })
})

describe('a rock hit by many at once', () => {
  function crowd(preset: Parameters<typeof emptyWorld>[0]) {
    const world = emptyWorld(preset)
    rock(world, MATERIAL.vinyl, 40, { x: 0, y: 0 })
    ship(world, 0, { x: -20, y: 0, vx: 5 })
    ship(world, 0, { x: 0, y: -22, vy: 5 })
    ship(world, 1, { x: 20, y: 8, vx: -5 })
    gunner(world, 1, { x: 0, y: 100 }, -Math.PI / 2, 300)
    gunner(world, 1, { x: 100, y: -4 }, Math.PI, 300)
    return world
  }

  test('[VF16] dies once and leaves three fragments', () => {
    const world = crowd({})
    tick(world)
    expect(rocks(world).length).toBe(3)
    expect(totals(world).mass).toBeCloseTo(5 * 70 - 2 * 6 + 40, 9)
    const { fragment } = world.events
    expect([fragment.count, ...fragment.number.subarray(0, 3)]).toEqual([3, 0, 1, 2])
  })

  test('[VF16] two lasers alone break it once too', () => {
    const world = emptyWorld()
    rock(world, MATERIAL.vinyl, 40, { x: 0, y: 0 })
    gunner(world, 0, { x: 0, y: 100 }, -Math.PI / 2, 300)
    gunner(world, 1, { x: 100, y: 0 }, Math.PI, 300)
    tick(world)
    expect(world.events.laser.count).toBe(1)
    expect(rocks(world).length).toBe(3)
  })

  test('[VF17] in the legacy engine it breaks once for every ship and laser: the old bug', () => {
    const world = crowd({ legacyCollisionHandling: true })
    tick(world)
    expect(rocks(world).length).toBeGreaterThan(6)
  })

  test('[VF18] three rocks cannot vanish into a hold for two', () => {
    const world = emptyWorld()
    const eater = ship(world, 0, { x: 0, y: 0, vx: 10 })
    for (const y of [0, 1, -1]) rock(world, MATERIAL.vinyl, 13, { x: 16, y })
    const before = totals(world).mass
    tick(world)
    expect(eater.cargo).toBe(26)
    expect(rocks(world).length).toBe(3)
    expect(totals(world).mass).toBeCloseTo(before, 9)
  })
})

describe('docking comes before impacts, impacts before lasers', () => {
  const atDock = { x: 256, y: 230 }

  test('[VF19] a ship that touches a station and a rock docks, and does not eat', () => {
    const world = emptyWorld()
    const docking = ship(world, 1, atDock)
    rock(world, MATERIAL.vinyl, 6, { x: 256, y: 215 })
    tick(world)
    expect([docking.docked, docking.cargo, stationOf(world, 1)!.vinyl]).toEqual([1, 0, 0])
    expect(rocks(world).length).toBe(1)
  })

  test('[VF19] a ship that docks is not hit by the laser that was aimed at it', () => {
    const world = emptyWorld()
    const docking = ship(world, 1, atDock)
    const enemy = gunner(world, 0, { x: 256, y: 130 }, Math.PI / 2, 300)
    tick(world)
    expect(enemy.aim).toBe(docking.id)
    expect([docking.docked, docking.shield, world.events.laser.count]).toEqual([1, 15, 0])
  })

  test.each([
    ['eaten', 6, { cargo: 6, rocks: 0 }],
    ['broken', 40, { cargo: 0, rocks: 3 }],
  ])('[VF19] a rock that a ship has %s is not hit by a laser too', (_, mass, expected) => {
    const world = emptyWorld()
    const { id } = rock(world, MATERIAL.vinyl, mass, { x: 0, y: 0 })
    const ram = ship(world, 0, { x: -15, y: 0, vx: 10 })
    const enemy = gunner(world, 1, { x: 100, y: 0 }, Math.PI, 300)
    tick(world)
    expect(enemy.aim).toBe(id)
    expect({ cargo: ram.cargo, rocks: rocks(world).length }).toEqual(expected)
    expect([world.events.contact.count, world.events.laser.count]).toEqual([1, 0])
  })
})

describe('momentum, as it stands in the world', () => {
  const lines = (world: VinylWorld) =>
    listEvents(world).flatMap((event) => {
      if (event.kind !== 'momentum') return []
      const { impact, beforeX, beforeY, afterX, afterY } = event
      return [{ impact, before: [beforeX, beforeY], after: [afterX, afterY] }]
    })

  test('[VF47] every line of an impact has the momentum of its things before it and after it', () => {
    const worlds: [string, number, () => VinylWorld][] = [
      ['bump', IMPACT.elastic, () => withShips({ vx: 9 }, { x: 22, vx: -4 })],
      ['eaten', IMPACT.inelastic, () => withRock(6, { x: 14, vx: -3 })],
      ['broken', IMPACT.elastic, () => withRock(40, { x: 20, vx: -3 })],
      ['bounced', IMPACT.elastic, () => withRock(8, { x: 15, vx: -3 }, MATERIAL.generic)],
    ]
    for (const [name, impact, make] of worlds) {
      const world = make()
      const { px, py } = totals(world)
      tick(world)
      const after = totals(world)
      const [line, ...others] = lines(world)
      expect(others, name).toEqual([])
      expect(line, name).toEqual({
        impact,
        before: [expect.closeTo(px, 9), expect.closeTo(py, 9)],
        after: [expect.closeTo(after.px, 9), expect.closeTo(after.py, 9)],
      })
      expect(line.after, `${name}: conserved`).toEqual(line.before.map((value) => expect.closeTo(value, 9)))
    }
  })

  test('[VF47] light that is swallowed moves on with its target, in lines as in the world', () => {
    const shoot = (make: (world: VinylWorld) => VinylThing) => {
      const world = emptyWorld()
      gunner(world, 0, { x: 0, y: 0 }, 0, 200)
      make(world)
      tick(world)
      const light = world.events.laser.figures[8]
      const moved = [...each(world)].filter(({ layer, x }) => layer !== 'station' && x > 40)
      const mass = moved.reduce((sum, thing) => sum + massOf(thing), 0)
      const px = moved.reduce((sum, thing) => sum + massOf(thing) * thing.vx, 0)
      const [line] = lines(world)
      expect(line.before[0]).toBeCloseTo(light * 30, 6)
      expect(line.after[0]).toBeCloseTo((px / mass) * (mass + light), 6)
      return line
    }
    const ship1 = shoot((world) => ship(world, 1, { x: 80, y: 0 }))
    expect([ship1.impact, ship1.after[0]]).toEqual([IMPACT.inelastic, expect.closeTo(ship1.before[0], 6)])
    const rock1 = shoot((world) => rock(world, MATERIAL.vinyl, 40, { x: 80, y: 0 }))
    expect([rock1.impact, rock1.after[0]]).toEqual([IMPACT.split, expect.closeTo(rock1.before[0], 6)])
  })

  test('[VF47] a rock whose pieces would be dust is pushed by a laser, not burnt: no mass is lost', () => {
    const world = emptyWorld()
    gunner(world, 0, { x: 0, y: 0 }, 0, 200)
    rock(world, MATERIAL.vinyl, 8, { x: 80, y: 0 })
    tick(world)
    expect(rocks(world).map(({ mass, vx }) => [mass, vx > 29])).toEqual([[8, true]])
    const [line] = lines(world)
    expect(line.after[0]).toBeCloseTo(line.before[0], 6)
  })

  test('[VF48] what the speed limit takes is logged as lost, in the tick in which it takes it', () => {
    const world = emptyWorld()
    const fast = ship(world, 0, { x: 0, y: 100, vx: 0 })
    Object.assign(fast, { vx: 42, knownVx: 42, speed: 42, heading: 0 })
    tick(world)
    expect(lines(world)).toEqual([{ impact: IMPACT.limit, before: [70 * 42, 0], after: [70 * 30, 0] }])
    expect(logLines(world).filter((line) => line.startsWith('MOMENTUM'))).toEqual([
      'MOMENTUM: Turn 0: limit before=(2940.000000, 0.000000) after=(2100.000000, 0.000000) lost to the speed limit=840.000000',
    ])
    tick(world)
    expect(lines(world)).toEqual([])
  })

  function withShips(a: { vx: number }, b: { x: number; vx: number }): VinylWorld {
    const world = emptyWorld()
    ship(world, 0, { x: 0, y: 0, vx: a.vx, vy: 2 })
    ship(world, 1, { x: b.x, y: 4, vx: b.vx }, { cargo: 13 })
    return world
  }

  function withRock(mass: number, at: { x: number; vx: number }, material: number = MATERIAL.vinyl): VinylWorld {
    const world = emptyWorld()
    ship(world, 0, { x: 0, y: 0, vx: 8 })
    rock(world, material, mass, { x: at.x, y: 2, vx: at.vx, vy: 1 })
    return world
  }
})

describe('contacts by the document', () => {
  test('[VF20] circles that only touch do not meet; in the original they do', () => {
    for (const preset of ['document', 'original'] as const) {
      const world = emptyWorld({ preset })
      ship(world, 0, { x: 0, y: 0 })
      ship(world, 1, { x: 24, y: 0 })
      tick(world)
      expect(world.events.contact.count, preset).toBe(preset === 'document' ? 0 : 1)
    }
  })

  test('[VF21] a ship that docks takes no part in anything else, and leaves its cargo', () => {
    const world = emptyWorld()
    const other = ship(world, 0, { x: 256, y: 230 - 15 })
    const docking = ship(world, 1, { x: 256, y: 230 }, { cargo: 7 })
    tick(world)
    expect([docking.docked, docking.x, docking.y]).toEqual([1, 256, 256])
    expect([docking.shield, other.shield, docking.cargo]).toEqual([15, 15, 0])
    expect(stationOf(world, 1)?.vinyl).toBe(7)
    expect(announcerText(world)).toBe('S1-0 delivered 7.0 vinyl to Test Station')
  })

  test('[VF22] ships in the same place with the same velocity part along one seeded angle', () => {
    const angles = [1, 2].map((seed) => {
      const world = emptyWorld({}, seed)
      const a = ship(world, 0, { x: 511, y: 0, vx: 3 })
      const b = ship(world, 1, { x: 511, y: 0, vx: 3 })
      tick(world)
      expect(distance(a, b)).toBeCloseTo(30, 9)
      expect([a.shield, b.shield]).toEqual([15, 15])
      return Math.atan2(a.y, a.x)
    })
    expect(angles[0]).not.toBe(angles[1])
  })

  test('[VF23] a ship dies once, and the log names what took its last shield', () => {
    const world = emptyWorld()
    const victim = ship(world, 0, { x: 0, y: 0 })
    ship(world, 1, { x: -20, y: 0, vx: 25 })
    ship(world, 1, { x: 20, y: 0, vx: -25 })
    victim.shield = 0.5
    tick(world)
    expect(world.events.destroyed.count).toBe(1)
    expect(announcerText(world)).toContain('S0-0 destroyed by S1-0')
    expect(announcerText(world)).not.toContain('S0-0 destroyed by S1-1')
  })

  test.each([false, true])(
    '[VF24] stations are immune to lasers; in the original they lose vinyl; old engine: %s',
    (legacyCollisionHandling) => {
      for (const preset of ['document', 'original'] as const) {
        const world = emptyWorld({ preset, legacyCollisionHandling })
        const station = stationOf(world, 1)!
        station.vinyl = 10
        gunner(world, 0, { x: 156, y: 256 }, 0, 200)
        tick(world)
        expect(world.events.laser.count).toBe(1)
        expect(station.vinyl).toBeCloseTo(preset === 'document' ? 10 : 10 - (30 * 101) / DAMAGE_DIVISOR, 9)
      }
    },
  )

  test('[VF25] messages beyond the announcer’s 2048 bytes are counted, not lost in silence', () => {
    const world = emptyWorld({ teams: 2 })
    for (let i = 0; i < 40; i++) {
      const x = -500 + (i % 10) * 60
      const y = -120 + Math.floor(i / 10) * 60
      ship(world, 0, { x, y, vx: 20 })
      ship(world, 1, { x: x + 23, y, vx: -20 })
    }
    tick(world)
    const said = announcerText(world)
    expect(said.length).toBeLessThan(2048)
    expect(said.split('\n').length + world.globals.messagesLost).toBe(80)
    expect(world.globals.messagesLost).toBeGreaterThan(0)
  })

  test('[VF26] across the seam a bump is the same as anywhere', () => {
    const results = [0, 508].map((x) => {
      const world = emptyWorld()
      const a = ship(world, 0, { x, y: 3, vx: 12 })
      const b = ship(world, 1, { x: x + 20 > 511 ? x + 20 - 1024 : x + 20, y: -4, vx: -6 }, { cargo: 11 })
      tick(world)
      return [a, b].flatMap(({ vx, vy, shield, y }) => [vx, vy, shield, y])
    })
    results[0].forEach((value, i) => {
      expect(results[1][i]).toBeCloseTo(value, 9)
    })
  })
})

describe('options for the future list of the document', () => {
  const glancingBump = (options: Parameters<typeof emptyWorld>[0]) => {
    const world = emptyWorld(options)
    const a = ship(world, 0, { x: 0, y: 0, vx: 10 })
    const b = ship(world, 1, { x: 12, y: 16, vx: -10 })
    const before = totals(world)
    tick(world)
    return { a, b, before, after: totals(world) }
  }

  test('[VF27] glancing: damage shrinks by the cosine of the angle between impact and centre line', () => {
    const [straight, glancing] = [glancingBump({}), glancingBump({ glancing: true })]
    const lost = ({ a }: typeof straight) => 15 - a.shield
    // After 0.2 s the ships are 8 apart in x and 16 in y; they close at 20 along x.
    expect(lost(glancing) / lost(straight)).toBeCloseTo(8 / Math.sqrt(8 * 8 + 16 * 16), 9)
  })

  test('[VF28] spin: a rubbing impact turns both, keeps momentum and costs energy; off, nothing turns', () => {
    const [off, on] = [glancingBump({}), glancingBump({ spin: true })]
    expect(off.a.spinRate).toBe(0)
    expect(on.after.px).toBeCloseTo(on.before.px, 9)
    expect(on.after.py).toBeCloseTo(on.before.py, 9)
    // The lower ship is passed on its far side, in the direction of +y: both turn the same way, to the right of their flight.
    expect(on.a.spinRate).toBeGreaterThan(0)
    // Torque = r × F: half the sliding speed of 20 · sin, on the reduced mass of 35, at discs of ½ m r².
    const pull = 0.5 * 35 * 20 * (16 / Math.sqrt(320))
    expect(Math.abs(on.a.spinRate)).toBeCloseTo((2 * pull) / (70 * SHIP.radius), 9)
    expect(on.b.spinRate).toBeCloseTo(on.a.spinRate, 12)
    const turning = [on.a, on.b].reduce(
      (sum, { mass, radius, spinRate }) => sum + 0.25 * (mass + 30) * radius ** 2 * spinRate ** 2,
      0,
    )
    expect(on.after.energy + turning).toBeLessThan(on.before.energy)
  })

  test('[VF28] spin: a rock that breaks takes its part, and its pieces keep it; the ship turns as it does on a whole one', () => {
    const hit = (mass: number, options: Parameters<typeof emptyWorld>[0]) => {
      const world = emptyWorld(options)
      const ram = ship(world, 0, { x: 0, y: 0, vx: 10 })
      const stone = rock(world, MATERIAL.generic, mass, { x: 12, y: 14 })
      const { radius } = stone
      const before = totals(world)
      tick(world)
      return { ram, radius, pieces: rocks(world), before, after: totals(world) }
    }
    const [off, on] = [hit(40, {}), hit(40, { spin: true })]
    expect([off.pieces.length, on.pieces.length]).toEqual([3, 3])
    expect([off.ram.spinRate, off.pieces[0].spinRate]).toEqual([0, 0])
    expect(on.ram.spinRate).not.toBe(0)
    expect(on.after.px).toBeCloseTo(on.before.px, 9)
    expect(on.after.py).toBeCloseTo(on.before.py, 9)
    // Pull × radius on both discs: ½ m r² ω of the ship, and of all pieces together, are pull × their arm.
    const pull = (on.ram.spinRate * 70 * SHIP.radius) / 2
    const turned = on.pieces.reduce(
      (sum, { mass, radius, spinRate }) => sum + (mass * radius * radius * spinRate) / 2,
      0,
    )
    expect(turned).toBeCloseTo(pull * on.radius, 9)
    // A rock too small to break takes the same pull per mass.
    expect(Math.sign(hit(8, { spin: true }).ram.spinRate)).toBe(Math.sign(on.ram.spinRate))
  })

  test('[VF29] swept: of two rocks on its way a ship meets the nearer one first, though the other is older', () => {
    const world = emptyWorld({ swept: true })
    const eater = ship(world, 0, { x: 0, y: 0, vx: 30 }, { cargo: 21 })
    rock(world, MATERIAL.vinyl, 6, { x: 21, y: 0 })
    rock(world, MATERIAL.vinyl, 7, { x: 19.5, y: 0 })
    tick(world)
    // There is room for one: the near one of 7 t, and not the far one of 6 t.
    expect(eater.cargo).toBe(28)
  })

  test('[VF29] swept: what passes within a tick meets, what does not look ahead misses', () => {
    // Both pass in 0.2 s from 6 on one side of the other to 6 on the other side, a little less than they reach away.
    const pass = (swept: boolean) => {
      const world = emptyWorld({ swept })
      ship(world, 0, { x: 0, y: 0, vx: 30 })
      ship(world, 1, { x: 6, y: 23.5, vx: -30 })
      tick(world)
      return world.events.contact.count
    }
    expect([pass(false), pass(true)]).toEqual([0, 1])
    const fast = (swept: boolean) => {
      const world = emptyWorld({ swept })
      ship(world, 0, { x: 0, y: 0, vx: 30 })
      rock(world, MATERIAL.vinyl, 3, { x: 6, y: 17.5, vx: -30 })
      tick(world)
      return rocks(world).length
    }
    expect([fast(false), fast(true)]).toEqual([1, 0])
  })
})
