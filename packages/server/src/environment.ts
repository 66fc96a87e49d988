/**
 * Settings from the environment, in one place for `serve`, `hurtbox serve` and the servers of generated projects.
 *
 * What a program or a command line gives goes before. Secrets come from here alone: on a command line every process can read them. A
 * variable that is empty counts as not set.
 */

import { HurtboxError } from 'hurtbox'
import type { Udp } from './datagrams.ts'

export type Environment = {
  readonly host?: string
  readonly port?: number
  readonly origins?: readonly string[]
  readonly proxies?: number
  readonly publicAddress?: string
  readonly udpPort?: number
  readonly udpHost?: string
  readonly udpAddresses?: readonly string[]
  readonly dataDir?: string
  readonly udp?: Udp
  readonly iceSecret?: string
  readonly token?: string
  readonly redisUrl?: string
}

export function readEnvironment(variables: Readonly<Record<string, string | undefined>> = process.env): Environment {
  const { HOST, PORT, ORIGINS, PROXIES, PUBLIC_ADDRESS, DATA_DIR, HURTBOX_TOKEN, REDIS_URL, ICE_SECRET } = variables
  const { UDP, UDP_PORT, UDP_HOST, UDP_ADDRESSES } = variables
  return {
    ...(HOST && { host: HOST }),
    ...(PORT && { port: wholeNumber('PORT', PORT, 65_535) }),
    ...(ORIGINS && { origins: listIn(ORIGINS) }),
    ...(PROXIES && { proxies: wholeNumber('PROXIES', PROXIES, 16) }),
    ...(PUBLIC_ADDRESS && { publicAddress: PUBLIC_ADDRESS }),
    ...(UDP_PORT && { udpPort: wholeNumber('UDP_PORT', UDP_PORT, 65_535) }),
    ...(UDP_HOST && { udpHost: UDP_HOST }),
    ...(UDP_ADDRESSES && { udpAddresses: listIn(UDP_ADDRESSES) }),
    ...(DATA_DIR && { dataDir: DATA_DIR }),
    // Checked with the other settings of datagrams.
    ...(UDP && { udp: UDP as Udp }),
    ...(ICE_SECRET && { iceSecret: ICE_SECRET }),
    ...(HURTBOX_TOKEN && { token: HURTBOX_TOKEN }),
    ...(REDIS_URL && { redisUrl: REDIS_URL }),
  }
}

function listIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '')
}

function wholeNumber(name: string, text: string, max: number): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= max) return Number(text)
  throw new HurtboxError('bad-argument', `${name} must be a whole number from 0 to ${max}, got ${text}.`)
}
