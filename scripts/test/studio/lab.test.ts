import { restore } from 'hurtbox'
import { readModule } from 'hurtbox/module'
import { type AnyWorld, createEmptyWorld, snapshotTick } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import jetRaiders from '../../../games/jet-raiders/index.ts'
import {
  advanceLab,
  createLab,
  DEFAULT_CONDITIONS,
  seenAt,
  setConditions,
} from '../../../packages/studio/src/lab/lab.ts'

test('[ST19] the lab shows on the server what each client saw when it acted for the tick', () => {
  const lab = createLab(readModule({ default: jetRaiders }, 'jet-raiders'), 5, DEFAULT_CONDITIONS)
  setConditions(lab, { ...DEFAULT_CONDITIONS, latencyMs: 200, jitterMs: 0, loss: 0 })
  advanceLab(lab, 4000)
  const { host, clients } = lab
  const seen: AnyWorld = createEmptyWorld(host.game, { options: host.world.options } as never)
  clients.forEach(({ mirror }, i) => {
    // The client runs ahead by the way of its inputs; what it saw for this tick it saw that long ago.
    expect(mirror.world.tick - host.world.tick).toBeGreaterThan(3)
    const then = seenAt(lab, i, host.world.tick)!
    expect(snapshotTick(then)).toBe(host.world.tick)
    restore(seen, then)
    // Its own ship it saw where it is; somebody else's not quite.
    const gap = (seat: number) => {
      const { x, y } = seen.tables.things
      return Math.hypot(x[seat] - host.world.tables.things.x[seat], y[seat] - host.world.tables.things.y[seat])
    }
    expect(gap(i)).toBeLessThan(1e-9)
    expect(Math.max(...[0, 1, 2, 3].map(gap))).toBeGreaterThan(1)
  })
  expect(seenAt(lab, 0, 0)).toBeUndefined()
})
