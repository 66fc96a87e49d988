/** Scripted players. */

import { besieger, hunter, laner } from './laner.ts'

export const bots = [laner, hunter, besieger]
