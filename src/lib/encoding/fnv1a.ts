/** Digits of a fingerprint: 36 of them to the power of eleven are more than 2 to that of 53. */
export const fingerprintLength = 11

/**
 * 53 bits that differ where texts do, short of bad luck: FNV-1a over UTF-16 units, twice, with two seeds and primes. Only for what
 * nobody gains by a collision of; it is there at once, where WebCrypto has to be waited for.
 */
export function fingerprint(text: string): string {
  let [low, high] = [0x811c9dc5, 0x1b873593]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit, 0x85ebca6b)
  }
  const bits = (low >>> 0) * 0x200000 + ((high >>> 0) & 0x1fffff)
  return bits.toString(36).toUpperCase().padStart(fingerprintLength, '0')
}
