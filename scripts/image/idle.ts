/** What a created project's server needs before anybody plays on it, as docs/guide/online.md promises. Read from what Linux says of a process. */

export type Needs = { readonly rssMb: number; readonly packagesMb: number; readonly startCpuSeconds: number }

export const MOST: Needs = { rssMb: 200, packagesMb: 50, startCpuSeconds: 2 }

/** Linux counts CPU time in hundredths of a second. */
const TICKS_PER_SECOND = 100

/** From `/proc/<pid>/status` and `/proc/<pid>/stat`. */
export function needsOfProcess(status: string, stat: string): Omit<Needs, 'packagesMb'> {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(status)!
  // The name of the program may have spaces in it; what follows it has none.
  const fields = stat.replace(/^.*\) /s, '').split(' ')
  return {
    rssMb: Number(kilobytes) / 1024,
    startCpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
  }
}
