/**
 * Where clients are told to find the UDP port.
 *
 * What is listened on and what is told are two things: containers, routers and clouds map addresses and numbers. Given addresses are told as
 * they are given, and nothing else is; without them the port's own are, and the host of the public address. Clients get numbers, so names are
 * looked up, at the start and every minute, because they change. While a name has no answer its last one counts.
 */

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Address } from '@hurtbox/datagrams'
import { isLoopback } from './addresses.ts'
import type { Logger } from './log.ts'

export type UdpAddresses = {
  /** What a client is told, of the addresses that the port has. */
  tell(own: readonly Address[]): readonly Address[]
  /** For people: what was given, with what it stands for. */
  readonly shown: string
  stop(): void
}

export type UdpAddressOptions = {
  /** What the operator gives; names or IP addresses. */
  readonly given: readonly { readonly host: string; readonly port: number }[]
  /** Whether the port's own addresses are told, too. */
  readonly tellsOwn: boolean
  /** Whether players are on other machines: then a name that leads to this one is of no use. */
  readonly isElsewhere: boolean
  readonly log: Logger
  /** All addresses of a name. Default: the system's. */
  readonly resolve?: (name: string) => Promise<readonly string[]>
}

const LOOK_MS = 60_000
/** A name that has no answer is asked for again sooner. */
const LOOK_AGAIN_MS = 5_000
/** So many are told; browsers try each. */
const MAX_TOLD = 16

export async function createUdpAddresses(options: UdpAddressOptions): Promise<UdpAddresses> {
  const { given, tellsOwn, isElsewhere, log, resolve = lookUp } = options
  const names = [...new Set(given.map(({ host }) => host).filter((host) => isIP(host) === 0))]
  const found = new Map<string, readonly string[]>()
  const problems = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function look(name: string): Promise<void> {
    let problem = ''
    try {
      const addresses = await resolve(name)
      // Who writes localhost means this machine.
      const isFine = !isElsewhere || name === 'localhost'
      const useful = addresses.filter((address) => isFine || !isLoopback(address))
      if (useful.length === 0) problem = `it means ${addresses.join(', ')} on this machine; give its IP address`
      else if (String(found.get(name)) !== String(useful)) {
        found.set(name, useful)
        log.info({ name, addresses: useful }, 'clients are told this address for datagrams')
      }
    } catch (error) {
      problem = String((error as NodeJS.ErrnoException).code ?? error)
    }
    // Once for each reason.
    if (problem !== '' && problems.get(name) !== problem) {
      log.warn({ name, problem }, 'a name that clients are to be told for datagrams has no useful address')
    }
    problems.set(name, problem)
  }

  async function lookAll(): Promise<void> {
    await Promise.all(names.map(look))
    if (isStopped || names.length === 0) return
    const isMissing = [...problems.values()].some((problem) => problem !== '')
    timer = setTimeout(lookAll, isMissing ? LOOK_AGAIN_MS : LOOK_MS).unref()
  }

  await lookAll()
  const told = () =>
    given.flatMap(({ host, port }) => {
      const addresses = isIP(host) === 0 ? (found.get(host) ?? []) : [host]
      return addresses.map((address): Address => ({ address, port }))
    })
  return {
    tell: (own) => withoutTwins([...told(), ...(tellsOwn ? own : [])]).slice(0, MAX_TOLD),
    shown: given
      .map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}${noteOf(problems.get(host))}`)
      .join(', '),
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

function noteOf(problem: string | undefined): string {
  return problem ? ` (no address yet: ${problem})` : ''
}

/** A name may stand for an address that the port itself has. */
function withoutTwins(addresses: readonly Address[]): Address[] {
  const all = new Map(addresses.map((each) => [`${each.address} ${each.port}`, each]))
  return [...all.values()]
}

async function lookUp(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address)
}
