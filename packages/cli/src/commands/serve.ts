/** `hurtbox serve`: games on one port with everything around them, until it is stopped. */

import { HurtboxError } from 'hurtbox'
import { type FoundModule, findProject, loadModule, loadModules } from 'hurtbox/module/node'
import { asUsage, findCompanion, loadServer } from '../companions.ts'
import { printError } from '../output.ts'

export type ServeCommandOptions = {
  readonly port?: number
  readonly host?: string
  readonly page?: string
  readonly replays?: string
  /** False for not at all. */
  readonly matches?: string | boolean
  readonly whenAway?: 'go-on' | 'freeze'
  readonly drainSeconds?: number
  readonly origin?: readonly string[]
  readonly proxies?: number
  readonly publicAddress?: string
  readonly logLevel?: string
  readonly loadTest?: boolean
  /** False for no studio. */
  readonly studio?: boolean
}

export async function serve(names: readonly string[], options: ServeCommandOptions): Promise<number> {
  const { origin, page: ownPage, studio, matches, ...settings } = options
  const server = await loadServer('serve')
  const games = await asUsage(servedGames(names))
  const page = ownPage ?? (studio === false ? undefined : await studioPage(games))
  await asUsage(
    server.serve({
      ...settings,
      games,
      say: printError,
      // `--no-matches` is false; where neither was given it is true.
      ...(matches !== undefined && matches !== true && { matches }),
      ...(origin !== undefined && { origins: origin }),
      ...(page !== undefined && { page }),
    }),
  )
  // A signal ends the process.
  return new Promise(() => {})
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
