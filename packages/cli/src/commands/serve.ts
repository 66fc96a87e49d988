/** `hurtbox serve`: all games and the studio on one port, until it is stopped. */

import { printError } from '../output.ts'
import { loadServer, type ServeOptions } from '../server-module.ts'

export async function serve(options: ServeOptions): Promise<number> {
  const server = await loadServer('serve')
  return server.serve(options, printError)
}
