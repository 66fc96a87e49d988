/** `hurtbox doctor`: what keeps players from a server, on its own machine or on the way to it, and what to do. */

import type { PeerConnectionClass } from '@hurtbox/colyseus/client'
import type { Finding } from '@hurtbox/server'
import { type FoundModule, findProject, loadModule } from 'hurtbox/module/node'
import { findCompanion, loadServer } from '../companions.ts'
import { orUsageError } from '../errors.ts'
import { createProgress, print, printJson } from '../output.ts'
import { readSettings } from '../settings.ts'
import { inColumns } from '../text.ts'

export type DoctorCommandOptions = {
  readonly game?: string
  readonly host?: string
  readonly port?: number
  readonly proxies?: number
  readonly dataDir?: string
  readonly udpPort?: number
  readonly playerToken?: string
  readonly json?: boolean
  readonly progress?: boolean
}

/** 1 when something is wrong; what could be better is no failure. */
export async function doctor(address: string | undefined, options: DoctorCommandOptions): Promise<number> {
  const { json, progress: isAskedFor, game, playerToken, ...settings } = options
  readSettings()
  const server = await loadServer('doctor')
  const progress = createProgress(isAskedFor === true)
  progress.show(() => `looking at ${address ?? 'this machine'}`)
  const findings =
    address === undefined
      ? await server.examineInside(settings)
      : await server.examineOutside(await visitOf(address, game, playerToken))
  progress.clear()
  for (const { name, verdict, says } of json ? findings : []) printJson('finding', { name, verdict, says })
  if (!json) printFindings(findings)
  return findings.some(({ verdict }) => verdict === 'wrong') ? 1 : 0
}

async function visitOf(address: string, game: string | undefined, playerToken: string | undefined) {
  const module = await orUsageError(() => (game === undefined ? servedGame() : loadModule(game)))
  const native = await findCompanion<{ RTCPeerConnection: PeerConnectionClass }>('node-datachannel/polyfill').catch(
    () => undefined,
  )
  const token = process.env.HURTBOX_TOKEN
  return {
    address,
    ...(module && { module }),
    ...(token && { token }),
    ...(playerToken !== undefined && { playerToken }),
    ...(native && { PeerConnection: native.RTCPeerConnection }),
  }
}

/** The first game of the project that is served. Elsewhere there is none, and no seat is taken. */
async function servedGame(): Promise<FoundModule | undefined> {
  for (const file of findProject().files) {
    const module = await loadModule(file)
    if (module.room !== undefined) return module
  }
  return undefined
}

const SIGNS = { ok: 'ok', warning: 'could be better', wrong: 'WRONG', skipped: 'not seen' } as const

function printFindings(findings: readonly Finding[]): void {
  print(
    inColumns(
      findings.map(({ name, verdict, says }) => [name, SIGNS[verdict], says]),
      '',
    ),
  )
  const count = findings.filter(({ verdict }) => verdict === 'wrong').length
  print(count === 0 ? 'Nothing is wrong.' : `${count} to mend.`)
}
