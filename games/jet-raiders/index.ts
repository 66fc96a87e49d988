/** Jet Raiders as the command line, the server and the studio load it. */

export { bots } from './bots/index.ts'
export { type HitEvent, type HitLogLine, hitLogLine } from './log.ts'
export { jetRaiders as game } from './rules/index.ts'
export { scenes } from './scenes/index.ts'
