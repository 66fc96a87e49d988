/** Vinyl Frontier as everything around the engine takes it: the game, its scenes, its bots. */

import type { AnyBot } from 'hurtbox'
import { miner } from './bots/miner.ts'
import { botOf, idle } from './bots/team.ts'

export { vinylFrontier as game } from './rules/index.ts'
export { scenes } from './scenes/index.ts'

export const bots: readonly AnyBot[] = [botOf(miner), botOf(idle)]
