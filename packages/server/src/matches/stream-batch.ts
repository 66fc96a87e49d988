/**
 * Entries for many streams in one command.
 *
 * Every room adds an entry in every tick, and a command of its own for each would cost half as much as the tick. All entries of
 * one turn of the event loop go to Redis together, packed into one argument of a script that adds them one by one. Nothing
 * waits longer for it: the process could not read an answer before the end of its turn.
 */

import type { Redis } from 'ioredis'

type StreamEntry = {
  readonly key: string
  readonly id: string
  /** Names and values in turn. */
  readonly fields: readonly (string | Uint8Array)[]
  /** Whether a stream that is not there is made. */
  readonly mayMake: boolean
}

/** Without an error and not added: there is no such stream. */
type Answer = (error: Error | undefined, isAdded: boolean) => void

/** Adds an entry with the others of this turn. They are added, and answered, in the order of the calls. */
export type AddEntry = (entry: StreamEntry, answer: Answer) => void

/** Returns the number of each entry that was not added, and why; nothing for "there is no such stream". */
const SCRIPT = `
local packed, at, number, failed = ARGV[1], 1, 0, {}
while at <= #packed do
  local mayMake, parts, key, id
  mayMake, parts, key, id, at = struct.unpack('>BBI4c0I4c0', packed, at)
  local entry = mayMake == 1 and { key, id } or { key, 'NOMKSTREAM', id }
  for _ = 3, parts do
    entry[#entry + 1], at = struct.unpack('>I4c0', packed, at)
  end
  local added = redis.pcall('XADD', unpack(entry))
  if type(added) ~= 'string' then
    failed[#failed + 1] = number
    failed[#failed + 1] = added and added.err or ''
  end
  number = number + 1
end
return failed`

export function createStreamBatch(redis: Redis): AddEntry {
  let entries: StreamEntry[] = []
  let answers: Answer[] = []
  const flush = () => {
    const asked = answers
    const packed = pack(entries)
    entries = []
    answers = []
    // Not by its hash: after NOSCRIPT it would be sent again, behind entries that come after it.
    redis.eval(SCRIPT, 0, packed).then(
      (failed) => answerAll(asked, failed as (number | string)[]),
      (error: Error) => {
        for (const answer of asked) answer(error, false)
      },
    )
  }
  return (entry, answer) => {
    if (entries.push(entry) === 1) process.nextTick(flush)
    answers.push(answer)
  }
}

function answerAll(answers: readonly Answer[], failed: readonly (number | string)[]): void {
  let next = 0
  answers.forEach((answer, number) => {
    if (failed[next] !== number) {
      answer(undefined, true)
      return
    }
    const problem = String(failed[next + 1])
    next += 2
    answer(problem === '' ? undefined : new Error(problem), false)
  })
}

function pack(entries: readonly StreamEntry[]): Buffer {
  const parts = entries.map(({ key, id, fields }) => [key, id, ...fields])
  let size = 0
  for (const list of parts) for (const part of list) size += 4 + part.length
  const packed = Buffer.allocUnsafe(size + 2 * entries.length)
  let at = 0
  entries.forEach(({ mayMake }, i) => {
    at = packed.writeUInt8(mayMake ? 1 : 0, at)
    at = packed.writeUInt8(parts[i].length, at)
    for (const part of parts[i]) {
      at = packed.writeUInt32BE(part.length, at)
      if (typeof part === 'string') packed.write(part, at, 'latin1')
      else packed.set(part, at)
      at += part.length
    }
  })
  return packed
}
