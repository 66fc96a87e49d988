/** What a page names when it names a game: the game, its module, or the module as hosts have read it. */

import type { Game } from 'hurtbox'
import { type GameModule, type LoadedModule, readModule } from 'hurtbox/module'
import type { AnyDeclaration, Declaration } from 'hurtbox/tools'

export type Playable<D extends Declaration = AnyDeclaration> = Game<D> | GameModule<D> | LoadedModule

/** The module with everything filled in. */
export function moduleOf(playable: Playable): LoadedModule {
  if ('botOf' in playable) return playable
  const module = 'declaration' in playable ? { game: playable } : playable
  return readModule({ default: module }, module.game.declaration.id)
}
