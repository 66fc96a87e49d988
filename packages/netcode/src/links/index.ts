// biome-ignore-all assist/source/organizeImports: in the order one meets things
/**
 * Simulated links: delay, jitter, loss and bursts in virtual time, and whole matches over them.
 *
 * @module @hurtbox/netcode/links
 */

export { createLink, deliver, send } from './link.ts'
export type { LinkConditions, VirtualLink } from './link.ts'
export { simulate } from './simulate.ts'
export type { SimulatedClient, SimulationReport, SimulationSetup } from './simulate.ts'
