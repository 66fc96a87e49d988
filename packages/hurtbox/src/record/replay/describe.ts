/** A replay in words, without its game: which game, which rules, how it started, how long it is, what its state held. */

import { createByteReader, readVarint } from '../wire/bytes.ts'
import { CHUNK, nameChunk, plainBytes, readChunk } from './format.ts'
import { openReplay, type ReplayHeader } from './header.ts'

export function describeReplay(bytes: Uint8Array): string {
  const file = plainBytes(bytes)
  const { header, at, chain } = openReplay(file)
  let ticks = 0
  let keyframes = 0
  let end = 'without an end marker'
  for (let next = at; next < file.length; ) {
    const chunk = readChunk(file, next, chain)
    next = chunk.end
    if (chunk.state !== 'good') {
      end = `then ${nameChunk(chunk)} is ${chunk.state}`
      break
    }
    if (chunk.type === CHUNK.ticks) ticks += readVarint(createByteReader(chunk.payload))
    if (chunk.type === CHUNK.keyframe) keyframes++
    if (chunk.type === CHUNK.end) {
      end = 'complete'
      break
    }
  }
  const { game, rulesVersion, engine, tickRate, setup, fingerprint } = header
  const seconds = tickRate > 0 ? Math.round((ticks / tickRate) * 10) / 10 : 0
  return [
    `${game}, rules ${rulesVersion}, engine ${engine}, fingerprint ${fingerprint.hash}`,
    `${ticks} ticks at ${tickRate} a second (${seconds} s), ${end}; ${keyframes} keyframes, ${file.length} bytes`,
    `seed ${setup.seed}, options ${JSON.stringify(setup.options)}, tuning ${JSON.stringify(setup.tuning)}`,
    ...describeTables(header),
  ]
    .map(printable)
    .join('\n')
}

/** Texts of a file are untrusted, and some characters control a terminal. */
function printable(line: string): string {
  return line.replace(/[^ -~×]/g, '?')
}

function describeTables({ layout }: ReplayHeader): string[] {
  const columnsOf = (table: number) =>
    layout.regions
      .filter((region) => region[0] === table)
      .map(([, column, type, width, rows]) => {
        const values = width === 1 ? type : `${type}×${width}`
        return table < 0 ? `${column} ${values} × ${rows}` : `${column} ${values}`
      })
      .join(', ')
  return [
    ...layout.tables.map(([name, capacity], table) => `table ${name} (${capacity} rows): ${columnsOf(table)}`),
    `arrays: ${columnsOf(-1)}`,
  ]
}
