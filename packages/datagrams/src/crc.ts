/**
 * The two checksums of WebRTC: CRC-32 for the FINGERPRINT of STUN (RFC 8489, 14.7), CRC-32C for packets of SCTP (RFC 9260, appendix A).
 *
 * Four bytes at a time, by four tables, which is twice as fast as one: every packet of a channel is summed up.
 */

export const crc32 = createCrc(0xedb88320)
export const crc32c = createCrc(0x82f63b78)

/** `polynomial` has its lowest power in the highest bit. */
function createCrc(polynomial: number): (bytes: Uint8Array) => number {
  const table = Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1
    return value
  })
  // What a byte makes of the sum when one, two and three zeros come after it.
  const before = (later: Uint32Array) => later.map((value) => table[value & 0xff] ^ (value >>> 8))
  const second = before(table)
  const third = before(second)
  const fourth = before(third)
  return (bytes) => {
    let value = -1
    const whole = bytes.length & ~3
    for (let i = 0; i < whole; i += 4) {
      value ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24)
      value =
        fourth[value & 0xff] ^
        third[(value >>> 8) & 0xff] ^
        second[(value >>> 16) & 0xff] ^
        table[(value >>> 24) & 0xff]
    }
    for (let i = whole; i < bytes.length; i++) value = table[(value ^ bytes[i]) & 0xff] ^ (value >>> 8)
    return ~value >>> 0
  }
}
