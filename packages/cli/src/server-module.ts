/**
 * The server, which belongs to the repository and not to what people install: it brings Colyseus, the games and the studio.
 *
 * So it is found by its place and loaded when asked for. The types below are all that the two know of each other: what the
 * command asks, and the answers. The server takes them from here, which costs it nothing when it runs.
 */

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { HurtboxError } from 'hurtbox'
import { UsageError } from './errors.ts'

export type ServeOptions = {
  /** Default 2567, or a free one when that is taken. */
  readonly port?: number
  readonly host?: string
  /** Folder for replays. Default `.cache/replays` where the command runs. */
  readonly replays?: string
  readonly origin?: readonly string[]
  readonly proxies?: number
  readonly publicAddress?: string
  readonly logLevel?: string
  /** Lift what is limited for each address; only on a loopback address. */
  readonly loadTest?: boolean
  /** False for no page at all. */
  readonly studio?: boolean
}

export type LoadOptions = {
  readonly rooms: number
  readonly clients: number
  readonly seconds: number
  /** Id of a game, or path of its module. Default: the first game of the project that is served. */
  readonly game?: string
  readonly mode?: 'terminal' | 'mirror'
  /** A server that was started with `--load-test` and the same `HURTBOX_TOKEN`. */
  readonly url?: string
}

/** What came of a load test. */
export type LoadReport = {
  readonly game: string
  readonly mode: string
  readonly rooms: number
  /** All together, and how many of them were gone before the end. */
  readonly clients: number
  readonly lost: number
  readonly seconds: number
  /** Ticks a second of one room, as the game wants and as they were. */
  readonly tickRate: number
  readonly ticksPerSecond: number
  readonly tickP50Ms: number
  readonly tickP99Ms: number
  /** How much of one core the server used, 0 to 1. */
  readonly serverCpu: number
  /** Bytes a second of one client. */
  readonly sentToClient: number
  readonly sentByClient: number
  readonly inputs: number
  readonly lateInputs: number
  readonly hashChecks: number
  readonly rollbacks: number
  readonly desyncs: number
}

type ServerModule = {
  serve(options: ServeOptions, say: (line: string) => void): Promise<number>
  runLoad(options: LoadOptions, say: (line: string) => void): Promise<LoadReport>
}

const MODULE = new URL('../../server/src/index.ts', import.meta.url)

export async function loadServer(command: string): Promise<ServerModule> {
  if (!existsSync(fileURLToPath(MODULE))) {
    throw new UsageError(
      `${command} needs the server, which is not part of the installed package. ` +
        `Clone the Hurtbox repository and run \`npx hurtbox ${command}\` there, ` +
        'or put a room of @hurtbox/colyseus into a server of your own.',
    )
  }
  const { serve, runLoad }: ServerModule = await import(MODULE.href)
  return {
    serve: (options, say) => asUsage(serve(options, say)),
    runLoad: (options, say) => asUsage(runLoad(options, say)),
  }
}

/** What the server finds wrong with what it was asked is a mistake in using the command. */
async function asUsage<T>(running: Promise<T>): Promise<T> {
  try {
    return await running
  } catch (error) {
    if (error instanceof HurtboxError && error.code === 'bad-argument')
      throw new UsageError(error.message, { cause: error })
    throw error
  }
}
