/** Scripted players. */

import { survivor } from './survivor.ts'

export const bots = [survivor]
