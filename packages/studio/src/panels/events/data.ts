import type { EventRecord } from 'hurtbox'

/** The event as the engine has it. */
export function fieldsOf({ tick: _tick, kind: _kind, n: _n, ...fields }: EventRecord): string {
  return Object.entries(fields)
    .filter(([, value]) => typeof value === 'number')
    .map(([name, value]) => `${name} ${Math.round((value as number) * 100) / 100}`)
    .join('  ')
}
