/** Players made of code. */

import { laner } from './laner.ts'

export const bots = [laner]
