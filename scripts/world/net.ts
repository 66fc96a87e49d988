/**
 * Three hosts on one machine: a server, a router and a client, each a network namespace of its own.
 *
 *   client 10.88.0.2 ── 10.88.0.1 router 10.77.1.1 ── 10.77.1.2 server      (2001:db8:88::2, 2001:db8:88::1, 2001:db8:77::1, 2001:db8:77::2)
 *
 * Everything that runs for a scenario runs in one of them. So a world is cleared by ending what is in its namespaces, also
 * the world of a run that was killed: the names carry the process that made them.
 */

import { type ChildProcess, execFile, execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export type Host = 'server' | 'router' | 'client'
export type Family = 'ipv4' | 'ipv6'

export type Net = {
  /** Starts with the names of its namespaces; unique on this machine. */
  readonly name: string
  /** A folder for files of this world, readable by everybody. */
  readonly folder: string
  /** Starts a program on a host, `within` a limit of `memoryLimit`. */
  start(
    host: Host,
    command: string,
    args: readonly string[],
    options?: SpawnOptions & { within?: string },
  ): ChildProcess
  /** Runs a command on a host to its end; returns what it printed. */
  run(host: Host, command: string, args: readonly string[], input?: string): string
  /** What a request from a host is answered. */
  fetch(host: Host, url: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** The numbers of the processes on a host. */
  processes(host: Host): string[]
  /** What names mean on client and server. */
  nameHosts(names: Readonly<Record<string, string>>): void
  close(): void
}
export type Answer = { readonly status: number; readonly text: string }

const HOSTS: readonly Host[] = ['server', 'router', 'client']
const PREFIX = 'hurtbox-world'
/** Where memory is limited, by the file that says how much: in the old and in the new kind of cgroups. */
const CGROUPS = [
  { folder: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes' },
  { folder: '/sys/fs/cgroup', limit: 'memory.max' },
]
/** The worlds of this process, with what it has started in each. */
const open = new Map<string, ChildProcess[]>()
let made = 0

/** Namespaces with addresses and routes. Without a family they have both. */
export function createNet(family?: Family): Net {
  if (made === 0) {
    removeStale()
    process.on('exit', removeAll)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => {
        removeAll()
        process.kill(process.pid, signal)
      })
    }
  }
  const name = `${PREFIX}-${process.pid}.${startOf(process.pid)}-${made++}`
  const folder = join(tmpdir(), name)
  const started: ChildProcess[] = []
  open.set(name, started)
  mkdirSync(folder, { mode: 0o755 })
  for (const host of HOSTS) ip('netns', 'add', `${name}-${host}`)
  connect(name, family)
  const inside = (host: Host, command: string, args: readonly string[]) => [
    'netns',
    'exec',
    `${name}-${host}`,
    command,
    ...args,
  ]
  return {
    name,
    folder,
    start(host, command, args, { within, ...options } = {}) {
      const all = inside(host, command, args)
      // From outside: a namespace does not see the files of the limit.
      const limited = ['-c', 'echo $$ > "$0" && exec ip "$@"', within ?? '', ...all]
      const child = within === undefined ? spawn('ip', all, options) : spawn('sh', limited, options)
      started.push(child)
      return child
    },
    run: (host, command, args, input = '') =>
      execFileSync('ip', inside(host, command, args), { encoding: 'utf8', input, stdio: 'pipe' }),
    async fetch(host, url, headers = {}) {
      const { stdout } = await promisify(execFile)(
        'ip',
        inside(host, process.execPath, ['-e', FETCH, url, JSON.stringify(headers)]),
      )
      return JSON.parse(stdout)
    },
    processes: (host) => processesIn(`${name}-${host}`),
    nameHosts(names) {
      const lines = Object.entries(names).map(([name, address]) => `${address} ${name}\n`)
      const text = `127.0.0.1 localhost\n::1 localhost\n${lines.join('')}`
      for (const host of ['client', 'server']) {
        mkdirSync(`/etc/netns/${name}-${host}`, { recursive: true })
        writeFileSync(`/etc/netns/${name}-${host}/hosts`, text)
      }
    },
    close: () => remove(name),
  }
}

/** A program of its own, because a process is in one network only. */
const FETCH = `
const [url, headers] = process.argv.slice(1)
fetch(url, { headers: JSON.parse(headers), signal: AbortSignal.timeout(5000) }).then(
  async (answer) => console.log(JSON.stringify({ status: answer.status, text: await answer.text() })),
  (error) => console.log(JSON.stringify({ status: 0, text: String(error.cause ?? error) })),
)`

function connect(name: string, family: Family | undefined): void {
  const links = [
    { host: 'server', port: 'in', ipv4: '10.77.1', ipv6: '2001:db8:77::' },
    { host: 'client', port: 'out', ipv4: '10.88.0', ipv6: '2001:db8:88::' },
  ]
  const [router, ends] = [`${name}-router`, { ipv4: '/24', ipv6: '/64' }]
  for (const host of HOSTS) {
    ip('-n', `${name}-${host}`, 'link', 'set', 'lo', 'up')
    // An address that comes up a second later is a change of networks, for which browsers end what they have begun.
    ip('netns', 'exec', `${name}-${host}`, 'sysctl', '-qw', 'net.ipv6.conf.default.accept_dad=0')
  }
  for (const { host, port, ipv4, ipv6 } of links) {
    const at = `${name}-${host}`
    ip('link', 'add', 'eth0', 'netns', at, 'type', 'veth', 'peer', 'name', port, 'netns', router)
    for (const [ns, device, last] of [
      [router, port, '1'],
      [at, 'eth0', '2'],
    ]) {
      if (family !== 'ipv6') ip('-n', ns, 'addr', 'add', `${ipv4}.${last}${ends.ipv4}`, 'dev', device)
      if (family !== 'ipv4') ip('-n', ns, 'addr', 'add', `${ipv6}${last}${ends.ipv6}`, 'dev', device, 'nodad')
      ip('-n', ns, 'link', 'set', device, 'up')
    }
    if (family !== 'ipv6') ip('-n', at, 'route', 'add', 'default', 'via', `${ipv4}.1`)
    if (family !== 'ipv4') ip('-n', at, '-6', 'route', 'add', 'default', 'via', `${ipv6}1`)
  }
  ip('netns', 'exec', router, 'sysctl', '-qw', 'net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1')
}

/** Ends everything in the namespaces of a world, and removes them and its files. */
function remove(name: string): void {
  // What was started a moment ago may not be in its namespace yet.
  for (const child of open.get(name) ?? []) child.kill('SIGKILL')
  open.delete(name)
  const known = ip('netns', 'list')
  const hosts = HOSTS.map((host) => `${name}-${host}`).filter((each) => known.includes(each))
  // What ends may start something first; so until nothing is left.
  for (let tries = 0; tries < 50; tries++) {
    const pids = hosts.flatMap((each) => processesIn(each))
    if (pids.length === 0) break
    for (const pid of pids) attempt(() => process.kill(Number(pid), 'SIGKILL'))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  }
  for (const each of hosts) {
    attempt(() => ip('netns', 'del', each))
    rmSync(`/etc/netns/${each}`, { recursive: true, force: true })
  }
  for (const { folder } of CGROUPS) attempt(() => rmdirSync(join(folder, name)))
  attempt(() => rmSync(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 5 }))
}

function processesIn(namespace: string): string[] {
  return ip('netns', 'pids', namespace).split('\n').filter(Boolean)
}

/** A memory limit for what is put into it: the file to write a process's number into. Undefined where the system has none. */
export function memoryLimit(name: string, megabytes: number): string | undefined {
  for (const { folder, limit } of CGROUPS.filter(({ folder }) => existsSync(folder))) {
    try {
      mkdirSync(join(folder, name), { recursive: true })
      // Only where memory is limited does the file exist.
      writeFileSync(join(folder, name, limit), String(megabytes * 1_048_576), { flag: 'r+' })
      return join(folder, name, 'cgroup.procs')
    } catch {
      // The next kind.
    }
  }
  return undefined
}

function removeAll(): void {
  for (const name of open.keys()) remove(name)
}

/** Removes the worlds of runs that have ended without doing so. */
function removeStale(): void {
  const names = new Set(
    [...ip('netns', 'list').split('\n'), ...readdirSync(tmpdir())].flatMap((line) => line.match(WORLD) ?? []),
  )
  for (const name of names) {
    const [, pid, start] = /-(\d+)\.(\d+)-/.exec(name) ?? []
    if (startOf(Number(pid)) !== start) remove(name)
  }
}

const WORLD = new RegExp(`^${PREFIX}-\\d+\\.\\d+-\\d+`)

/** When a process was started, in ticks of the system: numbers of processes are used again. */
function startOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')[19]
  } catch {
    return ''
  }
}

function ip(...args: string[]): string {
  return execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

function attempt(act: () => void): void {
  try {
    act()
  } catch {
    // It is gone already.
  }
}
