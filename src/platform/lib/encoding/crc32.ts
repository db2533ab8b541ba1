/** Remainders of all bytes. */
let table: Int32Array | undefined

function createTable(): Int32Array {
  return Int32Array.from({ length: 256 }, (_, byte) => {
    let remainder = byte
    for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? 0xedb88320 : 0)
    return remainder
  })
}

/** CRC-32 of ISO 3309 and zlib. */
export function crc32(bytes: Uint8Array): number {
  table ??= createTable()
  let crc = ~0
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0)
  return ~crc >>> 0
}
