/**
 * WebRTC data channels for servers of Node: a UDP port, a channel for each client, and counters of what was dropped.
 *
 * @module @hurtbox/datagrams
 */

export { type Bucket, createBucket, type Rate } from './bucket.ts'
export type { Abuse } from './budget.ts'
export { type Checked, type CheckOffer, type CheckOptions, checkAddresses, createCheckOffer } from './ice/checks.ts'
export type { Address } from './ice/stun.ts'
export { type Channel, type ChannelHandlers, createPortCounts, type PortCounts } from './port.ts'
export { type DatagramOptions, type Datagrams, type Stack, startDatagrams } from './service.ts'
