/**
 * What one datagram can make the port do at most, counted: operations of node:crypto, and objects for memory (Buffers, views, and strings of their bytes). No clock, so the same on every machine.
 * `npm run measure -- datagrams --worst` prints the same with µs.
 */

import { Buffer } from 'node:buffer'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { beforeAll, expect, test } from 'vitest'
import { createRandom } from '../../hurtbox/test/random.ts'
import { WORST, worstPackets } from './worst.ts'

const counts = { crypto: 0, memory: 0 }
const CRYPTO = [
  'createHmac',
  'createHash',
  'verify',
  'sign',
  'createECDH',
  'createDecipheriv',
  'createCipheriv',
  'createSecretKey',
  'randomBytes',
] as const

beforeAll(() => {
  const real = CRYPTO.map((name) => [name, crypto[name]] as const)
  for (const [name, make] of real) {
    const counted = (...args: never[]) => {
      counts.crypto++
      return (make as (...all: never[]) => unknown)(...args)
    }
    Object.assign(crypto, { [name]: counted })
  }
  // What modules have imported by name.
  syncBuiltinESMExports()
  return () => {
    for (const [name, make] of real) Object.assign(crypto, { [name]: make })
    syncBuiltinESMExports()
  }
})

/** Counts what a run makes. */
function count(run: () => void): { crypto: number; memory: number } {
  const before = { ...counts }
  const real = {
    alloc: Buffer.alloc,
    allocUnsafe: Buffer.allocUnsafe,
    from: Buffer.from,
    concat: Buffer.concat,
    subarray: Buffer.prototype.subarray,
    toString: Buffer.prototype.toString,
  }
  const noted = <T extends (...args: never[]) => unknown>(make: T) =>
    function (this: unknown, ...args: Parameters<T>) {
      counts.memory++
      return make.apply(this, args)
    }
  Object.assign(Buffer, {
    alloc: noted(real.alloc),
    allocUnsafe: noted(real.allocUnsafe),
    from: noted(real.from as never),
    concat: noted(real.concat),
  })
  Buffer.prototype.subarray = noted(real.subarray) as never
  Buffer.prototype.toString = noted(real.toString) as never
  try {
    run()
  } finally {
    const { subarray, toString: toText, ...ofClass } = real
    Object.assign(Buffer, ofClass)
    Object.assign(Buffer.prototype, { subarray, toString: toText })
  }
  return { crypto: counts.crypto - before.crypto, memory: counts.memory - before.memory }
}

test.each(Object.entries(WORST))(
  '[DG160] one datagram makes at most so many operations and objects: %s',
  (name, bound) => {
    const found = { crypto: 0, memory: 0 }
    for (let seed = 1; seed <= 5; seed++) {
      for (const { take } of worstPackets(name, createRandom(seed), 20)) {
        const made = count(take)
        found.crypto = Math.max(found.crypto, made.crypto)
        found.memory = Math.max(found.memory, made.memory)
      }
    }
    const { crypto, memory } = bound
    expect(found.crypto, `${JSON.stringify(found)} of ${JSON.stringify(bound)}`).toBeLessThanOrEqual(crypto)
    expect(found.memory, `${JSON.stringify(found)} of ${JSON.stringify(bound)}`).toBeLessThanOrEqual(memory)
    // It does something at all.
    expect(found.memory).toBeGreaterThan(0)
  },
)
