import { describe, expect, test } from 'vitest'
import { parseScript, scriptTeam } from '../bots/script.ts'
import { sendOrders } from '../bots/send.ts'
import { dumpUranium, dumpVinyl, laser, shield, thrust, turn } from '../bots/team.ts'
import { ORDER, ORDERS } from '../rules/declaration.ts'
import { asSent, setOrder } from '../rules/orders.ts'
import { oneDecimal } from '../rules/text.ts'
import { hypot, wrapCoordinate, wrapHeading } from '../rules/torus.ts'
import { atan2, direction } from '../rules/trig.ts'
import { emptyWorld, seeded, ship } from './support.ts'

const set = (kind: number, value: number, load = {}, before: readonly number[] = [0, 0, 0, 0, 0]) => {
  const world = emptyWorld()
  const orders = new Map(before.entries())
  const cost = setOrder(ship(world, 0, { x: 0, y: 0 }, load), orders, kind, value, false)
  return { cost, orders: [...orders.values()] }
}

describe('orders', () => {
  test('[VF3] are cut toward zero to thousandths on their way', () => {
    expect([1.5708, -2.35619, 0.0009, -0.0009, 512].map(asSent)).toEqual([1.57, -2.356, 0, 0, 512])
  })

  test('[VF4] are capped by what the ship has', () => {
    expect(set(ORDER.shield, -3).orders[ORDER.shield]).toBe(0)
    expect(set(ORDER.shield, 100, { fuel: 7 })).toMatchObject({ cost: 7, orders: [7, 0, 0, 0, 0] })
    expect(set(ORDER.laser, 9999)).toMatchObject({ cost: 512 / 50, orders: [0, 512, 0, 0, 0] })
    expect(set(ORDER.laser, 400, { fuel: 2 })).toMatchObject({ cost: 2, orders: [0, 100, 0, 0, 0] })
    expect(set(ORDER.thrust, 500).orders[ORDER.thrust]).toBe(60)
    expect(set(ORDER.thrust, -500).orders[ORDER.thrust]).toBe(-60)
    expect(set(ORDER.jettison, 2.9).orders[ORDER.jettison]).toBe(0)
    expect(set(ORDER.jettison, -9, { cargo: 5 })).toMatchObject({ cost: 0, orders: [0, 0, 0, 0, -5] })
    expect(set(ORDER.turn, 7).orders[ORDER.turn]).toBeCloseTo(7 - 2 * Math.PI, 12)
  })

  test('[VF5] thrust, turn and jettison exclude each other; zero takes nothing back', () => {
    expect(set(ORDER.turn, 1, {}, [1, 2, 3, 0, 0]).orders).toEqual([1, 2, 0, 1, 0])
    expect(set(ORDER.thrust, 5, {}, [1, 2, 0, 3, 4]).orders).toEqual([1, 2, 5, 0, 0])
    expect(set(ORDER.jettison, 5, {}, [1, 2, 3, 4, 0]).orders).toEqual([1, 2, 0, 0, 5])
    expect(set(ORDER.thrust, 0, {}, [0, 0, 3, 0, 0]).orders).toEqual([0, 0, 3, 0, 0])
    expect(ORDERS).toBe(5)
  })

  test('[VF5] sent in the order given, the last one stands', () => {
    const world = emptyWorld()
    ship(world, 0, { x: 0, y: 0 })
    expect(sendOrders(world, 0, [turn(0, 1), thrust(0, 5.00099)])).toMatchObject({ turn0: 0, thrust0: 5 })
    expect(sendOrders(world, 0, [thrust(0, 5), turn(0, 1), laser(0, 80)])).toMatchObject({
      turn0: 1,
      thrust0: 0,
      laser0: 80,
    })
    expect(sendOrders(world, 0, [dumpVinyl(0, 5), dumpUranium(0, 4)])).toMatchObject({ jettison0: 4 })
    expect(sendOrders(world, 0, [shield(0, 4), thrust(0, 5)])).toMatchObject({ shield0: 4, thrust0: 5 })
    expect(sendOrders(world, 0, [thrust(3, 5)])).toEqual({})
  })
})

describe('order files', () => {
  test('[VF6] names with or without O_, comments, remarks after the number', () => {
    const { orders, problems } = parseScript(
      '# a file\n\n0,1,THRUST,100.0\r\n 1 , 2 , O_TURN , 1.57 # quarter\n3,4,laser,.5e2\n',
    )
    expect(problems).toEqual([])
    expect(orders).toEqual([
      { ship: 0, turn: 1, kind: ORDER.thrust, value: 100 },
      { ship: 1, turn: 2, kind: ORDER.turn, value: 1.57 },
      { ship: 3, turn: 4, kind: ORDER.laser, value: 50 },
    ])
    expect(scriptTeam('x', { orders, problems }).turn({ globals: { turn: 2 } } as never, 0, 0)).toEqual([
      { ship: 1, kind: ORDER.turn, value: 1.57 },
    ])
  })

  test('[VF7] a bad line is reported with number and reason, and skipped', () => {
    const lines = [
      'prose',
      '0,1,THRUST',
      '4,1,THRUST,1',
      '0,0,THRUST,1',
      '0,1,WARP,1',
      '0,1,THRUST,fast',
      'x,1,TURN,1',
      '0,1,THRUST,1e99',
    ]
    const { orders, problems } = parseScript([...lines, '0,1,THRUST,1'].join('\n'))
    expect(orders.length).toBe(1)
    expect(problems.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(problems.map(({ reason }) => reason.split(' ')[0])).toEqual([
      'has',
      'has',
      'ship',
      'turn',
      'there',
      'magnitude',
      'ship',
      'magnitude',
    ])
  })
})

describe('numbers', () => {
  test('[VF8] one decimal as C prints it: the exact value, ties to even', () => {
    const values = [0.25, 0.75, 0.35, 12.09, 1e-9, 13.333333, 40, 2.25, 2.75, 0.05, -0.25]
    expect(values.map(oneDecimal)).toEqual([
      '0.2',
      '0.8',
      '0.3',
      '12.1',
      '0.0',
      '13.3',
      '40.0',
      '2.2',
      '2.8',
      '0.1',
      '-0.2',
    ])
  })

  test('[VF9] places wrap to −512 … 512, headings to −π … π', () => {
    expect([512, -512, 513, -513, 1536, 0].map(wrapCoordinate)).toEqual([-512, -512, -511, 511, -512, 0])
    expect(wrapCoordinate(-512 - 1e-14)).toBeLessThan(512)
    expect([Math.PI, -Math.PI].map(wrapHeading)).toEqual([Math.PI, -Math.PI])
    expect(wrapHeading(4)).toBeCloseTo(4 - 2 * Math.PI, 12)
    expect(wrapHeading(-4)).toBeCloseTo(2 * Math.PI - 4, 12)
  })

  test('[VF9] sine, cosine, arc tangent and length lie within one last place of the machine’s', () => {
    const random = seeded(9)
    for (let i = 0; i < 20_000; i++) {
      const angle = random(-Math.PI, Math.PI)
      const [x, y] = [random(-600, 600), random(-600, 600) * 10 ** random(-9, 0)]
      expect(near(sin(angle), Math.sin(angle)) && near(cos(angle), Math.cos(angle)), `angle ${angle}`).toBe(true)
      expect(near(atan2(y, x), Math.atan2(y, x)) && near(hypot(x, y), Math.sqrt(x * x + y * y)), `${x} ${y}`).toBe(true)
    }
    expect([sin(0), cos(0), atan2(0, 1), atan2(0, -1), atan2(-1, 0), hypot(0, -3)]).toEqual([
      0,
      1,
      0,
      Math.PI,
      -Math.PI / 2,
      3,
    ])
  })
})

function cos(angle: number): number {
  direction({ heading: angle }, way)
  return way.x
}

function sin(angle: number): number {
  direction({ heading: angle }, way)
  return way.y
}

const way = { x: 0, y: 0 }

function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= 2.3e-16 * Math.abs(b)
}
