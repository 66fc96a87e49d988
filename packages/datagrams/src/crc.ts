/** The two checksums of WebRTC: CRC-32 for the FINGERPRINT of STUN (RFC 8489, 14.7), CRC-32C for packets of SCTP (RFC 9260, appendix A). */

export const crc32 = createCrc(0xedb88320)
export const crc32c = createCrc(0x82f63b78)

/** `polynomial` has its lowest power in the highest bit. */
function createCrc(polynomial: number): (bytes: Uint8Array) => number {
  const table = Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1
    return value
  })
  return (bytes) => {
    let value = 0xffffffff
    for (let i = 0; i < bytes.length; i++) value = table[(value ^ bytes[i]) & 0xff] ^ (value >>> 8)
    return ~value >>> 0
  }
}
