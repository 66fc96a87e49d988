/** The teams one can play against. */

import { miner } from './miner.ts'
import { botOf, idle } from './team.ts'

export const bots = [botOf(miner), botOf(idle)]
