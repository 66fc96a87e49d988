import { type EventRecord, listEvents, type Scene, syncTest, why } from 'hurtbox'
import { playScene, requireInSync, startScene } from 'hurtbox/tools'
import { describe, expect, test } from 'vitest'
import { withPoisonedGlobals } from '../../scripts/engines/poison.ts'
import { scene as attach } from '../scenes/attach.ts'
import { scene as combos } from '../scenes/combos.ts'
import { scene as grabs } from '../scenes/grabs.ts'
import { scene as iFrames } from '../scenes/i-frames.ts'
import { scene as knockback } from '../scenes/knockback.ts'
import { scene as matchFlow } from '../scenes/match-flow.ts'
import { scene as melee } from '../scenes/melee.ts'
import { scene as projectiles } from '../scenes/projectiles.ts'
import { scene as separation } from '../scenes/separation.ts'
import { scene as shields } from '../scenes/shields.ts'
import { scene as sideView } from '../scenes/side-view.ts'
import { scene as spells } from '../scenes/spells.ts'
import { scene as status } from '../scenes/status.ts'
import { scene as zones } from '../scenes/zones.ts'

const scenes = [
  ...[iFrames, knockback, melee, combos, projectiles, separation, shields, sideView, grabs, spells],
  ...[matchFlow, status, zones, attach],
]

function play(scene: Scene) {
  const session = startScene(scene)
  const events: EventRecord[] = []
  for (let tick = 0; tick < scene.ticks; tick++) {
    playScene(scene, session, 1)
    events.push(...listEvents(session.world))
  }
  return { things: session.world.tables.things, events, hurts: events.filter(({ kind }) => kind === 'damage') }
}

describe('the scenes of the cookbook', () => {
  test.each(scenes.map((scene) => [scene.name, scene] as const))('[DC1] %s can be rolled back anywhere', (_, scene) => {
    withPoisonedGlobals(() => {
      const session = startScene(scene)
      playScene(scene, session, scene.ticks)
      for (const depth of [1, 16]) requireInSync(syncTest(session, depth))
    })
  })

  test('[DC2] i-frames: one bite a second, 5 hp each, however many biters', () => {
    const { hurts } = play(iFrames)
    expect(hurts.map(({ hpAfter }) => hpAfter)).toEqual([95, 90, 85, 80, 75, 70, 65, 60, 55, 50])
    expect(hurts.slice(1).every(({ tick }, i) => Number(tick) - Number(hurts[i].tick) === 30)).toBe(true)
  })

  test('[DC2] knockback: moved at once, pushed over time, shoved by mass', () => {
    const { things } = play(knockback)
    const pushedBy = (row: number) => things.x[row] + 40
    expect(pushedBy(0)).toBeCloseTo(60, 9)
    expect(pushedBy(2)).toBeCloseTo(60, 0)
    // 60 of momentum, a tenth lost per tick: 6 and 1.5 px per tick to begin with.
    expect(pushedBy(4) / pushedBy(6)).toBeCloseTo(4, 3)
  })

  test('[DC2] melee: one swing hits a post once, several swings hit it again', () => {
    const { hurts } = play(melee)
    const swings = hurts.map(({ tick, victim }) => `${Math.floor(Number(tick) / 40)} ${victim}`)
    expect(new Set(swings).size).toBe(swings.length)
    expect(hurts.filter(({ victim }) => victim === 3).length).toBeGreaterThan(1)
  })

  test('[DC2] side view: on the slope, on the ledge, on the lift', () => {
    const session = startScene(sideView)
    const seen = new Set<string>()
    for (let tick = 0; tick < sideView.ticks; tick++) {
      playScene(sideView, session, 1)
      const { count, y, halfHeight, standsOn, grounded } = session.world.tables.things
      for (let row = 0; row < 3 && row < count; row++) {
        if (grounded[row] === 0) continue
        const feet = Math.round(y[row] + halfHeight[row])
        seen.add(
          standsOn[row] > 0 ? 'lift' : feet === 0 ? 'ledge' : feet === 90 ? 'floor' : feet > 50 ? 'slope' : 'top',
        )
      }
    }
    expect([...seen].sort()).toEqual(['floor', 'ledge', 'lift', 'slope', 'top'])
  })

  test('[DC2] match flow: rounds by points and by time, returns in waves, a winner', () => {
    const session = startScene(matchFlow)
    const told: string[] = []
    const returned = new Set<number>()
    for (let tick = 0; tick < matchFlow.ticks; tick++) {
      const { things } = session.world.tables
      const before = Float64Array.from(things.hp)
      playScene(matchFlow, session, 1)
      for (const { kind } of listEvents(session.world)) if (/round|match|sudden/.test(kind)) told.push(kind)
      // The six fighters are the first rows for good.
      for (let row = 0; row < 6; row++) if (before[row] <= 0 && things.hp[row] > 0) returned.add(tick)
    }
    expect(told.at(-1)).toBe('matchOver')
    expect(told.filter((kind) => kind === 'roundOver').length).toBeGreaterThan(1)
    expect(returned.size).toBeGreaterThan(3)
  })

  test('[DC2] status effects: hurt by swamp and fire, healed and cured by the well, slipped on the ice', () => {
    const { hurts, things } = play(status)
    // Fire, venom.
    expect(new Set(hurts.map(({ type }) => type))).toEqual(new Set([0, 1]))
    const session = startScene(status)
    const seen = new Set<string>()
    for (let tick = 0; tick < status.ticks; tick++) {
      playScene(status, session, 1)
      for (const event of listEvents(session.world)) {
        if (event.kind !== 'damage') seen.add(event.kind === 'healed' ? 'healed' : `${event.kind} ${event.effect}`)
      }
    }
    // Each of the six begins and ends.
    expect(seen.size).toBeGreaterThan(12)
    expect(things.hp.some((hp: number) => hp > 0)).toBe(true)
  })

  test('[DC2] zones: the head counts twice, shield and plate break, a cracked plate counts more', () => {
    const { hurts, events } = play(zones)
    expect([...new Set(hurts.map(({ asked }) => asked))].sort()).toEqual([0, 1.25, 10, 5, 7.5])
    const broken = events.filter(({ kind }) => kind === 'zoneBroken').map(({ zone }) => zone)
    expect(new Set(broken)).toEqual(new Set([1, 2]))
  })

  test('[DC2] attach: both carry the flag on their backs, throw it over the shoulder and lose it to the orbs', () => {
    const session = startScene(attach)
    const [RUNNERS, FLAG, ORBS, SPARK] = [[1, 2], 3, [5, 6], 7]
    const seen = new Set<string>()
    let before = 0
    for (let tick = 0; tick < attach.ticks; tick++) {
      playScene(attach, session, 1)
      const { id, x, y, vx, vy, facingX, attachedTo } = session.world.tables.things
      const rowOf = (one: number) => id.indexOf(one)
      const flag = rowOf(FLAG)
      const holder = attachedTo[flag]
      if (holder !== 0) {
        seen.add(`carried by ${holder}`)
        const on = rowOf(holder)
        expect([x[flag] - x[on], y[flag] - y[on]]).toEqual([expect.closeTo(-10 * facingX[on], 9), -22])
      }
      if (holder === 0 && before !== 0) {
        const byOrb = ORBS.some((orb) => why(session, tick, orb, before).some(({ verdict }) => verdict === 'accepted'))
        const isBack = vx[flag] * facingX[rowOf(before)] < 0
        // Up, either way; from the shoulder also back.
        expect([vy[flag] < -200, isBack]).toEqual([true, !byOrb])
        seen.add(byOrb ? 'knocked away' : 'thrown')
      }
      before = holder
      const [orb, spark] = [rowOf(ORBS[1]), rowOf(SPARK)]
      const apart = (x[spark] - x[orb]) ** 2 + (y[spark] - y[orb]) ** 2
      expect(Math.sqrt(apart), 'never a tick late').toBeCloseTo(15, 6)
    }
    expect([...seen].sort()).toEqual([...RUNNERS.map((runner) => `carried by ${runner}`), 'knocked away', 'thrown'])
  })

  test('[DC2] combos: three blows a round, the third does more and throws', () => {
    const { hurts, things } = play(combos)
    expect(hurts.map(({ taken }) => taken)).toEqual([4, 4, 12, 4, 4, 12, 4, 4, 12, 4, 4, 12])
    expect(things.x[1]).toBeGreaterThan(90)
  })

  test('[DC2] grabs: thrown up and ahead, to the left as to the right', () => {
    const session = startScene(grabs)
    const thrown: string[] = []
    for (let tick = 0; tick < grabs.ticks; tick++) {
      playScene(grabs, session, 1)
      const { count, id, vx, vy } = session.world.tables.things
      for (const { kind, victim, ability } of listEvents(session.world)) {
        if (kind !== 'strike' || ability !== 1) continue
        const row = id.indexOf(Number(victim))
        expect(row).toBeLessThan(count)
        expect(vy[row]).toBeLessThan(-300)
        thrown.push(vx[row] < 0 ? 'left' : 'right')
      }
    }
    expect(thrown).toEqual(['left', 'right', 'left', 'right'])
  })

  test('[DC2] spells: of a fan three bolts hit, the meteor thirty ticks after it was cast', () => {
    const { hurts } = play(spells)
    const firstRound = hurts.filter(({ tick }) => Number(tick) < 120)
    expect(firstRound.map(({ tick, taken }) => [tick, taken])).toEqual([
      [31, 4],
      [31, 4],
      [38, 4],
      [84, 15],
    ])
  })

  test('[DC2] projectiles: each bolt hits two bodies, never its shooter, though it is faster than they are wide', () => {
    const { hurts } = play(projectiles)
    expect(hurts.filter(({ victim }) => victim === 1)).toEqual([])
    const perBolt = new Map<unknown, number>()
    for (const { source } of hurts) perBolt.set(source, (perBolt.get(source) ?? 0) + 1)
    expect([...perBolt.values()]).toEqual(Array(10).fill(2))
  })

  test('[DC2] shields: the shield absorbs first, armour halves, the rest is health', () => {
    const { hurts } = play(shields)
    const third = hurts.filter(({ tick }) => tick === 60)
    expect(third.map(({ asked, absorbed, taken }) => [asked, absorbed, taken])).toEqual([
      [8, 0, 8],
      [8, 4, 4],
      [8, 0, 4],
    ])
  })

  test('[DC2] separation: the stone stays, and all stay inside the bounds', () => {
    const { things } = play(separation)
    expect([things.x[0], things.y[0]]).toEqual([0, 0])
    for (let row = 1; row < things.count; row++) expect(Math.abs(things.x[row])).toBeLessThanOrEqual(200)
  })
})
