/**
 * Objects whose fields are only known at run time and that every hot loop reads: tables, views, worlds.
 *
 * V8 keeps an object as a hash table when it got an accessor of its own or some dozens of fields under computed names,
 * and reading a column then costs 30 ns instead of next to nothing. Copied by a spread it gets a fixed layout; its
 * accessors come from a prototype.
 */
export function fastObject<P extends object>(accessors: P, fields: Readonly<Record<string, unknown>>): P {
  return Object.setPrototypeOf({ ...fields }, accessors) as P
}

/** A property of a prototype or of a small record that is computed; without `set` it is read only. */
export function defineAccessor(object: object, name: string, get: unknown, set?: unknown): void {
  Object.defineProperty(object, name, { get: get as () => unknown, set: set as () => void, enumerable: true })
}
