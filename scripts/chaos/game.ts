/** The game that is played in chaos: small, with everything that netcode must carry, and without an end. */

import { defineGame } from 'hurtbox'
import { defineModule, type GameModule } from 'hurtbox/module'
import { declaration, tag, whimsical } from '../../packages/netcode/test/support.ts'

/** `rulesVersion` makes it another build, with which no match of this one may be continued. */
export function tagModule(rulesVersion?: number): GameModule {
  const game = rulesVersion === undefined ? tag : defineGame({ ...declaration, rulesVersion }, tag.behaviour as never)
  return defineModule({ game, bots: [whimsical], room: { fill: 0 } })
}
