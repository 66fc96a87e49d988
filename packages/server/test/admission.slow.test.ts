/** Admission depends on what the process can carry: its own measured load, not a number of rooms. */

import { afterEach, describe, expect, test } from 'vitest'
import { createProcessLoad } from '../src/process-load.ts'
import { metricOf, reserve, type ServerProcess, startServerProcess } from './support.ts'

let server: ServerProcess | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

const limits = {
  rooms: 100,
  roomsPerAddress: { burst: 1_000, perSecond: 0 },
  seatsPerAddress: { burst: 1_000, perSecond: 0 },
  reservationsPerAddress: 1_000,
}

describe('[SV40] the load of a process', () => {
  /** Rooms of the given share each, in a process that does nothing else. */
  function setUp(roomShare: number) {
    let rooms = 0
    const state = { delayMs: 0 }
    const load = createProcessLoad(
      { load: 0.8, loopDelayMs: 30 },
      () => rooms,
      () => {
        const active = Math.min(1, rooms * roomShare)
        return { activeMs: 500 * active, idleMs: 500 * (1 - active), ...state }
      },
    )
    const open = (count: number) => {
      for (let i = 0; i < count; i++) {
        load.opened()
        rooms++
      }
    }
    const measure = (times: number) => {
      for (let i = 0; i < times; i++) load.measure()
    }
    return { load, open, measure, close: (count: number) => (rooms -= count), state }
  }

  test('is what is measured, and new rooms count at once as much as the others cost', () => {
    const { load, open, measure } = setUp(0.1)
    expect(load.share()).toBe(0)
    open(4)
    measure(20)
    expect(load.share()).toBeCloseTo(0.4, 2)
    open(2)
    expect(load.share()).toBeCloseTo(0.6, 2)
    for (let i = 0; i < 12; i++) {
      measure(1)
      expect(load.share(), `after ${i + 1} measurements`).toBeCloseTo(0.6, 1)
    }
  })

  test('lets in again when rooms have closed', () => {
    const { load, open, measure, close } = setUp(0.1)
    open(9)
    measure(20)
    expect(load.isBusy()).toBe(true)
    close(5)
    measure(10)
    expect(load.isBusy()).toBe(false)
  })

  test('is too high as well when timers fire late, whatever the cause', () => {
    const { load, measure, state } = setUp(0.1)
    state.delayMs = 50
    measure(1)
    expect(load.isBusy(), 'a single stall is none').toBe(false)
    measure(5)
    expect(load.isBusy()).toBe(true)
  })
})

describe('[SV40] a process that is busy opens no more rooms', () => {
  test('rooms of a tenth of the process each: refused long before a hundred, with a reason', async () => {
    server = await startServerProcess({ limits })
    const statuses: number[] = []
    let last = ''
    while (statuses.length < 16 && statuses.at(-1) !== 503) {
      const reply = await reserve(server, 'create', 'heavy')
      statuses.push(reply.status)
      last = reply.body
      await new Promise((resolve) => setTimeout(resolve, 700))
    }
    const load = await metricOf(server, 'hurtbox_load')
    console.log(`${statuses.length - 1} rooms opened, load ${load.toFixed(2)}`)
    expect(statuses.at(-1)).toBe(503)
    expect(last).toMatch(/the server is busy; try again later/)
    expect(statuses[0]).toBe(200)
    expect(await metricOf(server, 'hurtbox_refused_total', '"load"')).toBe(1)
    // There is a room. Joining it costs little, so it is allowed.
    expect((await reserve(server, 'join', 'heavy')).status).toBe(200)
  })

  test('many at once: those that were let in a moment ago count before they can be measured', async () => {
    server = await startServerProcess({ limits })
    const replies = await Promise.all(Array.from({ length: 80 }, () => reserve(server!, 'create', 'heavy')))
    const opened = replies.filter(({ status }) => status === 200).length
    console.log(`80 rooms asked for at once, ${opened} opened`)
    expect(opened).toBeGreaterThan(0)
    expect(opened).toBeLessThan(60)
  })
})
