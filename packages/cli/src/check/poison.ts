/**
 * Runs code in a world without clocks, chance or approximate maths.
 *
 * The lint sees what is written; this sees what is called, also through an alias, a library or a computed name. Each
 * forbidden global is replaced by one that throws, or by one that is noted, and put back whatever happens. Two things
 * cannot be poisoned, since they are syntax: `**` and `for … in`. Those are the lint's alone.
 */

/** By the object they live on. What a runtime does not have is passed over. */
const FORBIDDEN: readonly (readonly [owner: string, object: object, names: readonly string[]])[] = [
  [
    'Math.',
    Math,
    // Like the lint: everything but what is exact, so that a new function is forbidden until someone has looked at it.
    Object.getOwnPropertyNames(Math).filter((name) => typeof Reflect.get(Math, name) === 'function' && !isExact(name)),
  ],
  [
    '',
    globalThis,
    [
      'Date',
      'performance',
      'crypto',
      'Intl',
      'setTimeout',
      'setInterval',
      'setImmediate',
      'queueMicrotask',
      'requestAnimationFrame',
      'WeakRef',
      'FinalizationRegistry',
    ],
  ],
  ['String.prototype.', String.prototype, ['localeCompare', 'toLocaleLowerCase', 'toLocaleUpperCase']],
  ['Number.prototype.', Number.prototype, ['toLocaleString']],
  ['BigInt.prototype.', BigInt.prototype, ['toLocaleString']],
  ['Array.prototype.', Array.prototype, ['toLocaleString']],
  ['Object.prototype.', Object.prototype, ['toLocaleString']],
  ['TypedArray.prototype.', Object.getPrototypeOf(Uint8Array.prototype) as object, ['toLocaleString']],
]

function isExact(name: string): boolean {
  return /^(?:abs|ceil|clz32|floor|fround|imul|max|min|round|sign|sqrt|trunc)$/.test(name)
}

type OnUse = (name: string, global: string) => void

export type Poison = {
  /** Gives what `run` gives; `onUse` is told when `run` touches a forbidden global. */
  watch<T>(run: () => T, onUse: OnUse): T
  /** Puts everything back. */
  remove(): void
}

/**
 * Replaces the forbidden globals by ones that work as ever until they are watched. A module that is loaded afterwards and keeps a
 * function for later (`const { sin } = Math`) keeps one that can be watched.
 */
export function installPoison(): Poison {
  let heard: OnUse | undefined
  const originals = FORBIDDEN.flatMap(([owner, object, names]) =>
    names.flatMap((name) => {
      const original = Object.getOwnPropertyDescriptor(object, name)
      return original === undefined ? [] : [{ object, name, original, label: owner + name }]
    }),
  )
  for (const { object, name, label } of originals) {
    const value = poisoned(Reflect.get(object, name) as object, label, (...use) => heard?.(...use))
    Object.defineProperty(object, name, { value, configurable: true, writable: true })
  }
  return {
    watch(run, onUse) {
      heard = onUse
      try {
        return run()
      } finally {
        heard = undefined
      }
    },
    remove() {
      for (const { object, name, original } of originals) Object.defineProperty(object, name, original)
    },
  }
}

/**
 * Gives what `run` gives, and throws when `run` touches a forbidden global. `run` must be synchronous: while it waited, everybody
 * else in the process would find the clocks poisoned.
 */
export function withPoisonedGlobals<T>(run: () => T): T {
  const poison = installPoison()
  try {
    const result = poison.watch(run, refuse)
    if (result instanceof Promise)
      throw new TypeError('withPoisonedGlobals takes a synchronous function, got a promise.')
    return result
  } finally {
    poison.remove()
  }
}

function refuse(_name: string, global: string): never {
  throw new Error(`${global} was used inside the simulation; docs/determinism.md says what to use instead.`)
}

/** Tells when it is called, constructed or asked for anything, then does what the original does. */
function poisoned(original: object, label: string, onUse: OnUse): object {
  return new Proxy(original, {
    apply(target, self, args) {
      onUse(label, label)
      return Reflect.apply(target as () => unknown, self, args)
    },
    construct(target, args) {
      onUse(label, label)
      return Reflect.construct(target as new () => object, args)
    },
    get(target, property) {
      onUse(typeof property === 'string' ? `${label}.${property}` : label, label)
      const value: unknown = Reflect.get(target, property)
      // Methods of clocks and of crypto want their own object.
      return typeof value === 'function' && property !== 'prototype' && typeof target !== 'function'
        ? value.bind(target)
        : value
    },
  })
}
