/** On what the figures were measured; without it they mean nothing. */

import { availableParallelism, cpus } from 'node:os'

export function machineLine(): string {
  return `${cpuName()}, ${availableParallelism()} cores, Node ${process.versions.node}`
}

/** A file name for the machine. */
export function machineSlug(): string {
  const words = `${cpuName()} ${availableParallelism()} cores`.toLowerCase().match(/[a-z0-9.]+/g) ?? ['unknown']
  return words.join('-')
}

function cpuName(): string {
  return (cpus()[0]?.model ?? 'unknown CPU')
    .replace(/\((?:r|tm)\)|\bCPU\b/gi, '')
    .replace(/\s+/g, ' ')
    .trim()
}
