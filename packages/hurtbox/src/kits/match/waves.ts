/** Waves: by the clock, or each when the one before is beaten. */

/** The number of the wave that comes in this tick, by the clock: the first at tick `first`, the next ones `every` so many ticks. 0: none. */
export function waveAt({ clock }: { readonly clock: number }, first: number, every: number): number {
  const since = clock - first
  return since >= 0 && since % every === 0 ? since / every + 1 : 0
}

/** A world with the globals `matchFlow.waves`. */
export type WaveWorld = { readonly clock: number; readonly globals: { wave: number; waveAt: number } }

/**
 * The number of the wave that comes in this tick, when the one before is beaten: `pause` ticks after `left`, how many of it there still are,
 * is 0. 0: none. Call it in every tick.
 */
export function nextWave({ clock, globals }: WaveWorld, left: number, pause = 0): number {
  if (left > 0) return 0
  if (globals.waveAt === 0 && pause > 0) globals.waveAt = clock + pause
  if (globals.waveAt > clock) return 0
  globals.waveAt = 0
  globals.wave++
  return globals.wave
}
