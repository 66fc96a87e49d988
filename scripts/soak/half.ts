/** One half of a soak in virtual time, in a process of its own: `node half.ts <mode> <hours>`. Sends lines to print, then its report. */

import type { Mode } from '@hurtbox/netcode'
import { playHalf } from './virtual.ts'

const [mode, hours] = process.argv.slice(2)
process.on('disconnect', () => process.exit())
const report = playHalf(Number(hours), mode as Mode, { say: (line) => process.send!({ line }) })
process.send!({ report }, () => process.disconnect())
