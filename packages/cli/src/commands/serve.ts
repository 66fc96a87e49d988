/** `hurtbox serve`: games on one port with everything around them, until it is stopped. */

import { HurtboxError } from 'hurtbox'
import { type FoundModule, findProject, loadModule, loadModules } from 'hurtbox/module/node'
import { asUsage, findCompanion, loadServer } from '../companions.ts'
import { printError } from '../output.ts'
import { endWithParent, type FleetAddresses, requirePorts, requireRedis, startFleet } from '../processes.ts'
import { readSettings } from '../settings.ts'

export type ServeCommandOptions = {
  readonly port?: number
  readonly host?: string
  readonly page?: string
  readonly policy?: readonly string[]
  readonly dataDir?: string
  readonly replays?: string
  readonly track?: boolean
  /** False for not at all. */
  readonly matches?: string | boolean
  readonly whenStoreFails?: 'go-on' | 'freeze'
  readonly drainSeconds?: number
  readonly seatSeconds?: number
  readonly origin?: readonly string[]
  readonly proxies?: number
  readonly publicAddress?: string
  readonly udpPort?: number
  readonly udpHost?: string
  readonly udpAddress?: readonly string[]
  readonly udp?: 'own' | 'native' | 'off'
  readonly ice?: readonly string[]
  readonly logLevel?: string
  readonly loadTest?: boolean
  /** False for no studio. */
  readonly studio?: boolean
  readonly processes?: number
}

export async function serve(names: readonly string[], options: ServeCommandOptions): Promise<number> {
  const { origin, udpAddress, page: ownPage, policy, studio, matches, processes = 1, ...settings } = options
  readSettings()
  if (processes > 1) requireRedis()
  endWithParent()
  const directives = policy && (await asUsage(policyOf(policy)))
  const server = await loadServer('serve')
  // An option goes before its variable, and the other processes get options of their own.
  const environment = await asUsage(Promise.resolve().then(() => server.readEnvironment()))
  const { publicAddress = environment.publicAddress, udpPort = environment.udpPort } = settings
  const outside: FleetAddresses = { publicAddress, udpPort, udpAddresses: udpAddress ?? environment.udpAddresses }
  if (processes > 1) requirePorts(outside)
  const games = await asUsage(servedGames(names))
  const page = ownPage ?? (studio === false ? undefined : await studioPage(games))
  const { url, token } = await asUsage(
    server.serve({
      ...settings,
      games,
      say: printError,
      // `--no-matches` is false; where neither was given it is true.
      ...(matches !== undefined && matches !== true && { matches }),
      ...(origin !== undefined && { origins: origin }),
      ...(udpAddress !== undefined && { udpAddresses: udpAddress }),
      ...(page !== undefined && { page }),
      ...(directives !== undefined && { policy: directives }),
    }),
  )
  if (processes > 1) {
    const args = othersArgs(names, { origin: environment.origins ?? [], ...options })
    startFleet({ ...outside, processes, url, token, args, say: printError })
    printError(`  cores    ${processes} processes, on the ports from ${new URL(url).port} on`)
  }
  // A signal ends the process.
  return new Promise(() => {})
}

/** `frame-ancestors https://portal.example` as a directive and its value. */
async function policyOf(directives: readonly string[]): Promise<Record<string, string>> {
  return Object.fromEntries(
    directives.map((text) => {
      const [, name, value] = /^([a-z-]+) ([^;\r\n]+)$/.exec(text.trim()) ?? []
      if (name !== undefined) return [name, value]
      const example = 'frame-ancestors https://portal.example'
      throw new HurtboxError(
        'bad-argument',
        `A directive of --policy is a name and a value, like "${example}", got "${text}".`,
      )
    }),
  )
}

/** What the other processes share with the first one. They have no page: it comes from the first. */
function othersArgs(names: readonly string[], options: ServeCommandOptions): string[] {
  const {
    dataDir,
    replays,
    track,
    matches,
    whenStoreFails,
    drainSeconds,
    seatSeconds,
    origin = [],
    ice = [],
    proxies,
    logLevel,
    loadTest,
    udp,
    udpHost,
  } = options
  return [
    ...names,
    '--no-studio',
    ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
    ...(replays === undefined ? [] : ['--replays', replays]),
    ...(track ? ['--track'] : []),
    ...(matches === false ? ['--no-matches'] : []),
    ...(whenStoreFails === undefined ? [] : ['--when-store-fails', whenStoreFails]),
    ...(seatSeconds === undefined ? [] : ['--seat-seconds', String(seatSeconds)]),
    ...(drainSeconds === undefined ? [] : ['--drain-seconds', String(drainSeconds)]),
    ...origin.flatMap((each) => ['--origin', each]),
    ...ice.flatMap((each) => ['--ice', each]),
    ...(proxies === undefined ? [] : ['--proxies', String(proxies)]),
    ...(logLevel === undefined ? [] : ['--log-level', logLevel]),
    ...(loadTest ? ['--load-test'] : []),
    ...(udp === undefined ? [] : ['--udp', udp]),
    ...(udpHost === undefined ? [] : ['--udp-host', udpHost]),
  ]
}

/** The games that are named, else those of the project. One that cannot be loaded is an error: a server must not miss it silently. */
async function servedGames(names: readonly string[]): Promise<readonly FoundModule[]> {
  if (names.length > 0) return Promise.all(names.map((name) => loadModule(name)))
  const { modules, problems } = await loadModules()
  const [problem] = problems
  if (problem !== undefined) throw new HurtboxError('bad-argument', problem)
  const served = modules.filter(({ room }) => room !== undefined)
  if (served.length > 0) return served
  throw new HurtboxError(
    'bad-argument',
    'There is no game to serve. Give the path of its module, or list it in package.json: "hurtbox": { "games": ["game/index.ts"] }',
  )
}

/** The studio with these games in it, if it is installed: built when it is not yet. */
async function studioPage(games: readonly FoundModule[]): Promise<string | undefined> {
  const studio = await findCompanion<typeof import('@hurtbox/studio/node')>('@hurtbox/studio/node')
  const say = (line: string) => printError(`hurtbox: ${line}`)
  const root = findProject().folder ?? process.cwd()
  return studio?.preparedStudio({ files: games.map(({ file }) => file), root, say })
}
