/** The digits of Crockford's base 32. */
export const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Encodes in Crockford's base 32: upper case, most significant bit first, the last digit padded with zero bits. */
export function encodeBase32(bytes: Uint8Array): string {
  let text = ''
  let buffer = 0
  let bits = 0
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += crockford.charAt((buffer >> bits) & 31)
    }
    buffer &= (1 << bits) - 1
  }
  return bits > 0 ? text + crockford.charAt((buffer << (5 - bits)) & 31) : text
}

/** Random bits in base 32. `bits` is a multiple of 8. */
export const randomBase32 = (bits: number) => encodeBase32(crypto.getRandomValues(new Uint8Array(bits / 8)))
