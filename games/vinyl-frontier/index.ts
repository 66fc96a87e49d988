/** Vinyl Frontier as the command line, the server and the studio load it. */

export { bots } from './bots/index.ts'
export { vinylFrontier as game } from './rules/index.ts'
export { scenes } from './scenes/index.ts'
