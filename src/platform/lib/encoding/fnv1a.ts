/** Digits of a fingerprint in base 36: 36^11 > 2^53. */
export const fingerprintLength = 11

/**
 * A 53-bit hash: FNV-1a over UTF-16 units, with two seeds and primes. Synchronous, unlike WebCrypto. Not cryptographic: use it only where a
 * deliberate collision is harmless.
 */
export function hashText(text: string): number {
  let [low, high] = [0x811c9dc5, 0x1b873593]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit, 0x85ebca6b)
  }
  return (low >>> 0) * 0x200000 + ((high >>> 0) & 0x1fffff)
}

/** The FNV-1a hash of a text in base 36. */
export const fingerprint = (text: string): string =>
  hashText(text).toString(36).toUpperCase().padStart(fingerprintLength, '0')
