/** Scripted players. */

import { laner } from './laner.ts'

export const bots = [laner]
