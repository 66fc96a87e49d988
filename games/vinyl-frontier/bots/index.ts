/** The teams one can play against. */

import { botOf, idle } from './team.ts'
import { miner, raider } from './teams.ts'

export const bots = [botOf(raider), botOf(miner), botOf(idle)]
