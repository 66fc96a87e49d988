/** How tuning values and options are read and shown: brought along by the first that is made. */

import { unknownName } from '../base/errors.ts'
import { defineAccessor } from '../base/fast.ts'
import { READ, type Settings, settings } from './settings.ts'

function readSetting<T>(specs: Settings<T>, what: string, name: string, value: unknown, tickRate: number): T {
  if (!Object.hasOwn(specs, name)) throw unknownName(what, name, Object.keys(specs))
  return specs[name][READ](value, name, tickRate)
}

function readSettings<T>(
  specs: Settings<T>,
  what: string,
  given: Readonly<Record<string, unknown>>,
  tickRate: number,
): Record<string, T> {
  const values: Record<string, T> = {}
  for (const name of Object.keys({ ...specs, ...given })) {
    const value = given[name] === undefined ? specs[name]?.value : given[name]
    values[name] = readSetting(specs, what, name, value, tickRate)
  }
  return values
}

/** By index. All worlds share them: V8 gives an object with accessors of its own the layout of others only if they have the same. */
const getters: unknown[] = []

/** Reads named values out of a typed array: `tuning.shipRadius` is `values[0]`. */
function viewTuning(specs: Settings<number>, values: Float64Array): Readonly<Record<string, number>> {
  const view = { $: values }
  Object.keys(specs).forEach((name, index) => {
    defineAccessor(
      view,
      name,
      (getters[index] ??= function (this: typeof view) {
        return this.$[index]
      }),
    )
  })
  return Object.freeze(view) as never
}

const kinds = { readSetting, readSettings, viewTuning }
export type SettingKinds = typeof kinds

export function useSettings(): void {
  settings.used = kinds
}
