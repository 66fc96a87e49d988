/**
 * What must be when the trouble is over: every client is back in its seat and sees new ticks, and everything that any of them was
 * ever told is in the final replay.
 */

import { hashWorld, seek } from 'hurtbox'
import { loadReplay, sessionFromReplay, verifyReplay } from 'hurtbox/replay'
import { finishHost } from '../../src/host/host.ts'
import { tag } from '../support.ts'
import type { OwnedRoom, SystemClient } from './parts.ts'

export type SystemEnd = {
  readonly owner: OwnedRoom
  readonly clients: readonly SystemClient[]
  /** The last tick that each client had seen when the trouble ended. */
  readonly atEnd: readonly number[]
}

/** Ends the match and adds what is wrong to `problems`. Returns how many hashes of clients were compared. */
export function judge({ owner, clients, atEnd }: SystemEnd, problems: string[]): { readonly hashes: number } {
  clients.forEach((client, i) => {
    const name = `client ${client.number} (${client.mode})`
    if (client.line?.room !== owner || client.returning !== undefined) problems.push(`${name} is not back in its seat`)
    else if (client.seenTick <= atEnd[i]) problems.push(`${name} has seen nothing new since the trouble ended`)
    if ((client.mirror?.stats.mismatches ?? 0) > 0) problems.push(`${name} had another state than the host`)
  })
  const { host, replay } = owner
  finishHost(host)
  const bytes = new Uint8Array(Buffer.concat([...replay, ...host.replay]))
  try {
    return { hashes: compareWithReplay(bytes, clients, problems) }
  } catch (error) {
    problems.push(`the replay cannot be read: ${error}`)
    return { hashes: 0 }
  }
}

function compareWithReplay(bytes: Uint8Array, clients: readonly SystemClient[], problems: string[]): number {
  const whole = loadReplay(tag, bytes)
  if (!whole.complete) problems.push(`the replay is not whole: ${whole.problems.join(' ')}`)
  if (verifyReplay(tag, whole).mismatch !== undefined) problems.push('the replay does not verify')
  const session = sessionFromReplay(tag, whole)
  const wanted = new Map<number, { client: number; hash: string }[]>()
  for (const { number, seen, seenTick } of clients) {
    if (seenTick > whole.ticks) problems.push(`client ${number} saw tick ${seenTick}, the match has ${whole.ticks}`)
    for (const [tick, hash] of seen) wanted.set(tick, [...(wanted.get(tick) ?? []), { client: number, hash }])
  }
  let hashes = 0
  for (const tick of [...wanted.keys()].filter((tick) => tick <= whole.ticks).sort((a, b) => a - b)) {
    seek(session, tick)
    const own = hashWorld(session.world)
    for (const { client, hash } of wanted.get(tick)!) {
      hashes++
      if (hash !== own) problems.push(`client ${client} saw another state after tick ${tick} than the final log has`)
    }
  }
  return hashes
}
