/**
 * Runs code in a world without clocks, chance or approximate maths.
 *
 * The lint sees what is written; this sees what is called, also through an alias, a library or a computed name. Each
 * forbidden global is replaced by one that throws, and put back whatever happens. Two things cannot be poisoned, since
 * they are syntax: `**` and `for … in`. Those are the lint's alone.
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

/**
 * Returns what `run` returns. Throws when `run` touches a forbidden global. `run` must be synchronous: while it waited,
 * everybody else in the process would find the clocks poisoned.
 */
export function withPoisonedGlobals<T>(run: () => T): T {
  const originals = FORBIDDEN.flatMap(([owner, object, names]) =>
    names.flatMap((name) => {
      const original = Object.getOwnPropertyDescriptor(object, name)
      return original === undefined ? [] : [{ object, name, original, label: owner + name }]
    }),
  )
  try {
    for (const { object, name, label } of originals) {
      Object.defineProperty(object, name, { value: poisoned(label), configurable: true, writable: true })
    }
    const result = run()
    if (result instanceof Promise)
      throw new TypeError('withPoisonedGlobals takes a synchronous function, got a promise.')
    return result
  } finally {
    for (const { object, name, original } of originals) Object.defineProperty(object, name, original)
  }
}

/** Throws when it is called, constructed (so it is no arrow function) or asked for anything. */
function poisoned(label: string): object {
  function refuse(): never {
    throw new Error(`${label} was used inside the simulation; docs/determinism.md says what to use instead.`)
  }
  return new Proxy(refuse, { get: refuse })
}
