/** Players made of code. */

import { survivor } from './survivor.ts'

export const bots = [survivor]
