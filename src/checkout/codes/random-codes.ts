/**
 * Characters of codes: digits and capital letters without those that look like another one (0 O, 1 I L, 2 Z, 5 S, 8 B). Each one has 4.6 bits, so that
 * 10 random characters have 46.
 */
const codeAlphabet = '34679ACDEFGHJKMNPQRTUVWXY'

/** Bytes from this value on are not used: the characters would not be equally probable. */
const usableBytes = Math.floor(256 / codeAlphabet.length) * codeAlphabet.length

/** Creates `count` different random texts of `length` characters. */
export function createRandomCodes(count: number, length: number): string[] {
  const codes = new Set<string>()
  let pool = new Uint8Array(0)
  let used = 0
  const nextCharacter = (): string => {
    for (;;) {
      if (used === pool.length) {
        pool = crypto.getRandomValues(new Uint8Array(16_384))
        used = 0
      }
      const byte = pool[used++] ?? usableBytes
      if (byte < usableBytes) return codeAlphabet.charAt(byte % codeAlphabet.length)
    }
  }
  while (codes.size < count) {
    let code = ''
    while (code.length < length) code += nextCharacter()
    codes.add(code)
  }
  return [...codes]
}
