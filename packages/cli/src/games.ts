/** Games for the command line: what the loader refuses is a mistake in using the command. */

import { type FoundModule, loadModule } from 'hurtbox/module/node'
import { orUsageError } from './errors.ts'

/** A game by its id or by the path of its module; without a name the only game of the project. */
export function loadGame(idOrPath?: string): Promise<FoundModule> {
  return orUsageError(() => loadModule(idOrPath))
}
