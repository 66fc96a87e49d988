import { describe, expect, test } from 'vitest'
import { bytesOf, expectRefusal } from '../../../test/support.ts'
import { snapshotFromBytes } from '../../host/tools/index.ts'
import {
  collide,
  despawn,
  emit,
  insert,
  moveTo,
  push,
  type Rule,
  restore,
  rows,
  snapshot,
  spawn,
  step,
} from '../../index.ts'
import { addBalls, declaration, shoot, start } from './fixtures/cases.ts'

describe('transactions', () => {
  test('[CO8] where things are is frozen: a push in one contact does not spare the next', () => {
    const world = start(
      collide(declaration, {
        shove: {
          between: ['ball', 'ball'],
          decide(_first, second) {
            expect(second.x).toBe(second.id - 1)
            push(second, 1000, 0)
            expect(second.x).toBe(second.id - 1)
          },
        },
      }),
    )
    const balls = addBalls(world, 3)
    step(world)
    // Ball 2 was pushed by both others, although the first push alone would have carried it away.
    expect(balls.map(({ x }) => x)).toEqual([0, 1001, 2002])
  })

  test('[CO8] moves happen in the order they were asked for: what is put somewhere is pushed on from there', () => {
    const world = start(
      collide(declaration, {
        jump: {
          between: ['ball', 'ball'],
          decide(first, second) {
            push(first, 0, 1)
            moveTo(second, 10 * second.id, 0)
            push(second, 0.5, 0.25)
          },
        },
      }),
    )
    const balls = addBalls(world, 3)
    step(world)
    // Ball 2 is put to 20 by ball 1 and pushed by ball 3's contact; ball 3 is put to 30 twice.
    expect(balls.map(({ x, y }) => [x, y])).toEqual([
      [0, 2],
      [20.5, 1.25],
      [30.5, 0.25],
    ])
  })

  test('[CO8] assigning a place in a rule is an error that says what to do', () => {
    for (const column of ['x', 'y'] as const) {
      const world = start(
        collide(declaration, {
          shove: {
            between: ['ball', 'ball'],
            decide(_first, second) {
              const movable: { x: number; y: number } = second
              movable[column] += 1
            },
          },
        }),
      )
      addBalls(world, 2)
      const before = world.memory.bytes.slice()
      expectRefusal(
        () => step(world),
        new RegExp(`: ${column} is frozen while rules decide.* Use push\\(thing, dx, dy\\) or moveTo\\(thing, x, y\\)`),
      )
      expect(world.memory.bytes).toEqual(before)
    }
  })

  test('[CO9] a refused rule leaves nothing behind', () => {
    const world = start(
      collide(declaration, {
        'half-hearted': {
          between: ['ball', 'ball'],
          once: true,
          decide(first, second, hit) {
            second.hp -= 50
            push(second, 9, 9)
            despawn(first)
            insert(hit.world, 'shards', { of: second })
            for (let i = 0; i < 3; i++) emit(hit.world, 'hurt', { victim: 1, attacker: 2, hpAfter: 3 })
            return 'changed my mind'
          },
        },
      }),
    )
    addBalls(world, 3)
    const before = bytesOf(world)
    step(world)
    const after = bytesOf(world)
    // Only tick and clock have moved.
    expect(after.slice(8)).toEqual(before.slice(8))
    expect([world.events.hurt.count, world.events.hurt.refused]).toEqual([0, 0])
  })

  test('[TK4] a rule that throws leaves the world as it was before the phase', () => {
    let contacts = 0
    const world = start(
      collide(declaration, {
        explode: {
          between: ['ball', 'ball'],
          once: 5,
          decide(first, second, hit) {
            if (++contacts === 3) throw new Error('bug in a rule')
            second.hp -= 50
            despawn(first)
            push(second, 1, 1)
            spawn(hit.world, 'rock', { hp: 5, x: 9 })
            insert(hit.world, 'shards', { of: first })
            emit(hit.world, 'hurt', { victim: 1, attacker: 2, hpAfter: 3 })
          },
        },
      }),
    )
    // The first two contacts are pairs of their own, so that neither takes part in the third.
    for (const x of [0, 1, 100, 101, 200, 201]) spawn(world, 'ball', { x, radius: 5, hp: 60 })
    // The block itself: a snapshot of a broken world is refused.
    const before = world.memory.bytes.slice()
    const used = usedPart(world)
    expect(() => step(world)).toThrow('bug in a rule')
    expect(contacts).toBe(3)
    expect(usedPart(world)).toEqual(used)
    expect(world.memory.bytes.length).toBe(before.length)
    expect(() => snapshot(world)).toThrow(/between two steps/)
    expect(world.events.hurt.count).toBe(0)
    expect(() => step(world)).toThrow(/Restore a snapshot/)
  })

  test('[TK4] without spawns a rule that throws leaves the whole block byte for byte', () => {
    let contacts = 0
    const world = start(
      collide(declaration, {
        explode: {
          between: ['ball', 'ball'],
          decide(_first, second, hit) {
            if (++contacts === 3) throw new Error('bug in a rule')
            second.hp -= 50
            second.order = 7
            second.invulnerableUntil = 9
            emit(hit.world, 'hurt', { victim: 1, attacker: 2, hpAfter: 3 })
          },
        },
      }),
    )
    addBalls(world, 3)
    const before = world.memory.bytes.slice()
    expect(() => step(world)).toThrow('bug in a rule')
    expect(world.memory.bytes).toEqual(before)
  })

  test('[CO10] a bullet used up by one victim hits no other', () => {
    const world = start(collide(declaration, { shot: shoot('enemy', 10) }))
    const enemies = [0, 1, 2].map((x) => spawn(world, 'enemy', { x, radius: 5, hp: 100 }))
    spawn(world, 'bullet', { x: 1, radius: 5 })
    step(world)
    expect(enemies.map(({ hp }) => hp)).toEqual([90, 100, 100])
  })

  test('[CO18] what rules spawn is there at once, in order, and meets nothing in this phase; a full table counts', () => {
    let asked = 0
    const shatter: Rule<typeof declaration, 'ball', 'ball'> = {
      between: ['ball', 'ball'],
      decide(first, second, hit) {
        asked++
        const shard = insert(hit.world, 'shards', { of: first.id * 10 + second.id })
        spawn(hit.world, 'ball', { x: 1, radius: 50, hp: 1 })
        const known = [...rows(hit.world, 'shards')].map(({ of }) => of)
        expect(known.at(-1)).toBe(shard.id === 0 ? 23 : first.id * 10 + second.id)
      },
    }
    const world = start(collide(declaration, { shatter }))
    addBalls(world, 4)
    step(world)
    const { shards, things } = world.tables
    expect([...shards.of.subarray(0, shards.count)]).toEqual([12, 13, 14, 23])
    expect([shards.refused, asked, things.count]).toEqual([2, 6, 10])
  })

  test("[TK4] a row that cannot be is refused while the rule decides, and the values are the rule's own copy", () => {
    const scratch = { of: 0 }
    const drop = (bad: boolean) =>
      collide(declaration, {
        drop: {
          between: ['bullet', 'enemy'],
          decide(_bullet, enemy, { world }) {
            enemy.hp -= 1
            scratch.of = bad ? -1 : enemy.id
            insert(world, 'shards', scratch)
          },
        },
      })
    for (const bad of [true, false]) {
      const world = start(drop(bad))
      for (let i = 0; i < 3; i++) spawn(world, 'enemy', { radius: 5, hp: 9 })
      spawn(world, 'bullet', { radius: 5 })
      const before = bytesOf(world)
      if (bad) {
        expect(() => step(world)).toThrow(/shards\.of/)
        restore(world, snapshotFromBytes(world.memory.layout, before))
        expect(bytesOf(world)).toEqual(before)
      } else {
        step(world)
        expect([...world.tables.shards.of.subarray(0, 3)]).toEqual([1, 2, 3])
      }
    }
  })

  const counting = (write: (thing: { order: number; hp: number; team: number }) => void) => {
    const world = start(
      collide(declaration, { tally: { between: ['bullet', 'enemy'], decide: (_bullet, enemy) => write(enemy) } }),
    )
    const enemy = spawn(world, 'enemy', { radius: 5, order: 10, team: 200 })
    spawn(world, 'bullet', { radius: 5 })
    return { world, enemy }
  }

  test('[CO24] whole numbers keep the low bits of what is written, in rules as in phases', () => {
    const writes: ((thing: { order: number; team: number }) => void)[] = [
      (thing) => void (thing.order -= 30),
      (thing) => void (thing.order += 5),
      (thing) => void (thing.order = 2 ** 40 + 3),
      (thing) => void (thing.order = 7.9),
      (thing) => void (thing.order = -1.5),
      (thing) => void (thing.order = Number.NaN),
      (thing) => void (thing.team += 100),
      (thing) => void (thing.team = -1),
    ]
    const results = writes.map((write) => {
      const byRule = counting(write)
      step(byRule.world)
      const byPhase = counting(() => {})
      write(byPhase.enemy)
      expect([byRule.enemy.order, byRule.enemy.team]).toEqual([byPhase.enemy.order, byPhase.enemy.team])
      return [byRule.enemy.order, byRule.enemy.team]
    })
    expect(results).toEqual([
      [0xffffffec, 200],
      [15, 200],
      [3, 200],
      [7, 200],
      [0xffffffff, 200],
      [0, 200],
      [10, 44],
      [10, 255],
    ])
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    '[CO24] a rule that writes %s is refused by an error that names rule and column, and the phase is undone',
    (bad) => {
      const { world } = counting((thing) => void (thing.hp = bad))
      const before = world.memory.bytes.slice()
      expectRefusal(() => step(world), 'things.hp, written by rule "tally", must be a finite number.')
      expect(world.memory.bytes).toEqual(before)
      const moved = start(
        collide(declaration, { shove: { between: ['ball', 'ball'], decide: (_a, b) => push(b, bad, 0) } }),
      )
      addBalls(moved, 2)
      expectRefusal(() => step(moved), /cannot be moved/)
    },
  )

  test('[CO24] a bad number that the same rule overwrites, and one in a rule that is refused, do no harm', () => {
    const mended = counting((thing) => {
      thing.hp = Number.NaN
      thing.hp = 4
    })
    step(mended.world)
    expect(mended.enemy.hp).toBe(4)
    const world = start(
      collide(declaration, {
        tally: {
          between: ['ball', 'ball'],
          decide(_first, second) {
            second.hp = Number.NaN
            return 'no'
          },
        },
      }),
    )
    const [ball] = addBalls(world, 2)
    step(world)
    expect(ball.hp).toBe(60)
  })
})

/** The state that counts: rows that were added and taken back leave their bytes in memory that nobody reads. */
function usedPart(world: ReturnType<typeof start>): unknown {
  const { header, tables, columns } = world.memory
  return [
    [...header],
    columns.filter(({ array }) => !tables.some((table) => table.columns.some((column) => column.array === array))),
    tables.map((table) => table.columns.map(({ array, width }) => [...array.subarray(0, table.count * width)])),
  ]
}
