/**
 * When two boxes meet, from 0 to 1: what measuring a pair answers besides yes or no.
 *
 * Scratch in a file of its own: those who measure write it, those who search read it, and neither needs the other. It is not
 * returned, because V8 puts a double that is returned on the heap.
 */
export const met = { time: Number.NaN }
