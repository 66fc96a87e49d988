/**
 * Shorter replays: up to a tick, or without keyframes.
 *
 * Both give whole, valid files. Cutting a damaged replay at its last good tick repairs it.
 */

import { HurtboxError, requireInteger } from '../../base/errors.ts'
import { seek } from '../session/session.ts'
import { createByteWriter, takeBytes, writeBytes } from '../wire/bytes.ts'
import { createCursor, encodeChecksum, encodeTicks } from './blocks.ts'
import { type Checksum, checksumOf } from './checksum.ts'
import { CHUNK, plainBytes, readChunk, startFile } from './format.ts'
import { openReplay, writeHeader } from './header.ts'
import type { Replay } from './load.ts'
import { sessionFromReplay } from './session.ts'
import { sealEnd, sealKeyframe, sealTicks } from './writer.ts'

/** The first `ticks` ticks of a replay, as a file of its own: the one that would be, had the match ended there. */
export function cutReplay(replay: Replay, ticks: number): Uint8Array {
  requireInteger(ticks, 'ticks', 0, replay.ticks)
  const { game, setup, log } = replay
  const { preamble, chain } = startFile()
  const cursor = createCursor(game)
  const keyframes = new Map(replay.keyframes.map(({ tick, bytes }) => [tick, bytes]))
  const out = createByteWriter()
  writeBytes(out, preamble)
  writeBytes(out, writeHeader(game, setup, chain))
  for (const checksum of checksumsUpTo(replay, ticks)) {
    writeBytes(out, sealTicks(chain, encodeTicks(cursor, log, checksum.tick), encodeChecksum(checksum)))
    const keyframe = keyframes.get(checksum.tick)
    if (keyframe !== undefined) writeBytes(out, sealKeyframe(chain, checksum.tick, keyframe))
  }
  writeBytes(out, sealEnd(chain, cursor.tick))
  return takeBytes(out)
}

/** The same replay without its keyframes: smaller, and slower to seek in for the first time. */
export function dropKeyframes(bytes: Uint8Array): Uint8Array {
  const file = plainBytes(bytes)
  const { at, chain } = openReplay(file)
  const out = createByteWriter(file.length)
  writeBytes(out, file.subarray(0, at))
  for (let next = at; next < file.length; ) {
    const chunk = readChunk(file, next, chain)
    next = chunk.end
    // Keep the damaged chunk. The loader reports it.
    if (chunk.type !== CHUNK.keyframe || chunk.state !== 'good') writeBytes(out, file.subarray(chunk.at, chunk.end))
  }
  return takeBytes(out)
}

/** The recorded checksums up to `ticks`, and one for the cut itself where none was recorded. */
function checksumsUpTo(replay: Replay, ticks: number): Checksum[] {
  const checksums = replay.checksums.filter((checksum) => checksum.tick <= ticks)
  const last = checksums[checksums.length - 1]
  if (last.tick === ticks) return checksums
  const session = sessionFromReplay(replay.game, replay)
  seek(session, last.tick)
  if (checksumOf(session.world).hash !== last.hash) {
    throw new HurtboxError(
      'desync',
      `the replay does not play as recorded, so its state at tick ${ticks} is not known. Verify it to see where.`,
    )
  }
  seek(session, ticks)
  return [...checksums, checksumOf(session.world)]
}
