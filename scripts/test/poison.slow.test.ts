import { describe, expect, test } from 'vitest'
import { withPoisonedGlobals } from '../engines/poison.ts'
import { ground } from '../engines/probes.ts'

// Rule [EM11] is in docs/spec.md, section "Engine matrix".

const USES: Readonly<Record<string, () => unknown>> = {
  'Math.sin': () => Math.sin(1),
  'Math.random': () => Math.random(),
  'Math.pow': () => [2].map(Reflect.get(Math, 'pow')),
  Date: () => new Date(),
  'Date, called': () => Date(),
  'Date.now': () => Date.now(),
  performance: () => performance.now(),
  crypto: () => crypto.randomUUID(),
  Intl: () => new Intl.NumberFormat(),
  setTimeout: () => setTimeout(() => {}, 0),
  setInterval: () => setInterval(() => {}, 1000),
  queueMicrotask: () => queueMicrotask(() => {}),
  WeakRef: () => new WeakRef({}),
  'String.prototype.localeCompare': () => 'a'.localeCompare('b'),
  'Number.prototype.toLocaleString': () => (1.5).toLocaleString(),
  'Array.prototype.toLocaleString': () => [1.5].toLocaleString(),
  'TypedArray.prototype.toLocaleString': () => Float64Array.of(1.5).toLocaleString(),
  'Object.prototype.toLocaleString': () => ({}).toLocaleString(),
}

describe('poisoned globals', () => {
  test.each(Object.keys(USES))('[EM11] %s throws inside, works again outside', (name) => {
    const use = USES[name]!
    expect(() => withPoisonedGlobals(use)).toThrow(`${name.split(/[,]|\.now/)[0]} was used inside the simulation`)
    expect(use).not.toThrow()
  })

  test('[EM11] what is exact still works, and the result comes back', () => {
    expect(withPoisonedGlobals(() => Math.sqrt(16) + Math.floor(1.5))).toBe(5)
  })

  test('[EM11] everything is as before, also after a throw', () => {
    const before = snapshotGlobals()
    expect(() =>
      withPoisonedGlobals(() => {
        throw new Error('a rule failed')
      }),
    ).toThrow('a rule failed')
    const after = snapshotGlobals()
    expect(after.filter(([name, value], i) => name !== before[i]![0] || !Object.is(value, before[i]![1]))).toEqual([])
  })

  test('[EM11] a promise is refused: while it waits, everybody would be poisoned', () => {
    expect(() => withPoisonedGlobals(async () => 1)).toThrow('synchronous')
  })

  test.each(ground.map((probe) => [probe.scene, probe] as const))(
    '[EM11] scene %s runs poisoned to the same hash',
    (_, probe) => {
      expect(withPoisonedGlobals(() => probe.run().hash)).toBe(probe.run().hash)
    },
  )
})

/** Every property that could have been poisoned, as `name.part` and its value, compared by identity. */
function snapshotGlobals(): [name: string, value: unknown][] {
  return Object.entries({ globalThis, Math, String: String.prototype, Number: Number.prototype }).flatMap(
    ([name, object]) =>
      Object.entries(Object.getOwnPropertyDescriptors(object)).flatMap(([property, descriptor]) =>
        Object.entries(descriptor).map(([part, value]): [string, unknown] => [`${name}.${property}.${part}`, value]),
      ),
  )
}
