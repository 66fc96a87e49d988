/** The game that is played in chaos: small, with everything that netcode must carry, and without an end. */

import { defineModule } from 'hurtbox/module'
import { tag, whimsical } from '../../packages/colyseus/test/support.ts'

export const tagModule = defineModule({ game: tag, bots: [whimsical], room: { fill: 0 } })
