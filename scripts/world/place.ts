/** Where the server is: what runs, in which root, and by which way players reach it. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { repositoryRoot } from '../engines/install-npm.ts'
import { containerCommand, type Root } from './container.ts'
import { type Answer, type Family, memoryLimit, type Net } from './net.ts'
import { type Program, whenReady } from './program.ts'
import { HURTBOX, linkedProject, NODE, packedProject } from './projects.ts'
import { type Line, lineOf, openWay, PORT, type Way } from './ways.ts'

export type Setting = {
  /**
   * - `studio`: `hurtbox serve` with the studio as its page
   * - `project`: `node server/main.ts` of a created project, with the packages of the workspace
   * - `packed`: the same with the packages as they are published
   * - `npx`: `npx hurtbox serve` in a created project
   */
  readonly runs: 'studio' | 'project' | 'packed' | 'npx'
  /** More arguments of `hurtbox serve`. */
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Changes of a created project that its server runs with; its page is built without them. */
  readonly changes?: readonly { readonly file: string; readonly find: string; readonly replace: string }[]
  /** Default: straight. */
  readonly way?: Way
  /** Default: both. */
  readonly family?: Family
  /** Like a container, with this root. Default: no container. */
  readonly root?: Root
}

export type Place = {
  /** What a player types. */
  readonly url: string
  /** Of the operator. */
  readonly token: string
  readonly server: Program
  readonly line: Line
  /** Stops the server as an operator does, and starts it again in the same folder. Of the studio. */
  restart(): Promise<void>
  /** What the server answers to a request from its own host. */
  ask(path: string): Promise<Answer>
  /** The sum of a metric over the lines that contain all of `labels`. */
  metric(name: string, ...labels: string[]): Promise<number>
}

/** Games that the studio of a scenario has. Few: less to load. */
const GAME = join(repositoryRoot, 'games/jet-raiders/index.ts')
const TOKEN = 'password-of-the-world'
const READY_SECONDS = 60
const CONTAINER_MB = 512

export async function openPlace(net: Net, setting: Setting): Promise<Place> {
  const { way = { kind: 'direct' }, family } = setting
  const url = await openWay(net, way, family)
  let server = await startServer(net, setting)
  const host = family === 'ipv6' ? '[2001:db8:77::2]' : '10.77.1.2'
  const ask = (path: string) =>
    net.fetch('server', `http://${host}:${PORT}${path}`, { authorization: `Bearer ${TOKEN}` })
  return {
    url,
    token: TOKEN,
    get server() {
      return server
    },
    line: lineOf(net),
    async restart() {
      server.signal('SIGTERM')
      while (server.end() === undefined) await sleep(20)
      server = await startServer(net, setting)
    },
    ask,
    metric: (name, ...labels) => metricOf(ask, name, ...labels),
  }
}

/** Imported when it is needed: it brings Vite along. */
async function studioPage(): Promise<string> {
  const { buildStudio } = await import('../../packages/studio/test/browser.ts')
  return buildStudio()
}

/** The sum of a metric over the lines that contain all of `labels`. */
export async function metricOf(ask: Place['ask'], name: string, ...labels: string[]): Promise<number> {
  const { status, text } = await ask('/metrics')
  if (status !== 200) throw new Error(`/metrics answers ${status} ${text}`)
  const lines = text.split('\n').filter((line) => line.startsWith(name) && labels.every((each) => line.includes(each)))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

async function startServer(
  net: Net,
  { runs, args = [], env = {}, changes = [], family, root }: Setting,
): Promise<Program> {
  const host = family === 'ipv6' ? '::' : '0.0.0.0'
  const app = join(net.folder, 'app')
  if (runs === 'studio') mkdirSync(app, { recursive: true })
  else await (runs === 'packed' ? packedProject : linkedProject)(app)
  for (const { file, find, replace } of changes) {
    const text = readFileSync(join(app, file), 'utf8')
    if (!text.includes(find)) throw new Error(`${file} of the project has no: ${find}`)
    writeFileSync(
      join(app, file),
      text.replace(find, () => replace),
    )
  }
  const settings = { HOST: host, PORT: String(PORT), HURTBOX_TOKEN: TOKEN, NO_COLOR: '1', ...env }
  const serve = ['serve', '--host', host, '--port', String(PORT)]
  const node = join(repositoryRoot, NODE)
  const [command, given] =
    root !== undefined
      ? containerCommand(net, app, root, settings, ['server/main.ts'])
      : runs === 'studio'
        ? [node, [HURTBOX, ...serve, '--page', await studioPage(), GAME, ...args]]
        : runs === 'npx'
          ? ['npx', ['hurtbox', ...serve, ...args]]
          : [node, ['server/main.ts']]
  const within = root === undefined ? undefined : memoryLimit(net.name, CONTAINER_MB)
  if (root !== undefined && within === undefined)
    console.warn('No memory cgroup here: the container has no memory limit.')
  const child = net.start('server', command, given, {
    cwd: app,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(within !== undefined && { within }),
  })
  return whenReady(child, '"msg":"listening"', READY_SECONDS)
}
