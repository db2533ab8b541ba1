import type { TakeSteps } from '../../../platform/lib/step-budget.ts'

/** Codes of each length, and symbols in the order of their codes. */
interface Codes {
  counts: readonly number[]
  symbols: readonly number[]
}

const maxBits = 15
const orderOfLengths = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

function createCodes(lengths: readonly number[]): Codes {
  const counts = Array.from({ length: maxBits + 1 }, () => 0)
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1
  const symbols = [...lengths.keys()]
    .filter((symbol) => (lengths[symbol] ?? 0) > 0)
    .sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b)
  return { counts, symbols }
}

/** The first value of each length symbol and of each distance symbol, by the number of extra bits. */
function getBase(symbol: number, first: number, perBit: number): { base: number; bits: number } {
  const bits = Math.max(0, Math.floor(symbol / perBit) - 1)
  return { base: first + (bits === 0 ? symbol : (perBit + (symbol % perBit)) << bits), bits }
}

/**
 * Decompresses a short text in the zlib format (RFC 1950, 1951) in one call. Returns undefined if it is damaged, or longer than `maxBytes`. Each
 * block counts as a part of the file.
 */
export function inflateSmall(bytes: Uint8Array, maxBytes: number, takeParts: TakeSteps): Uint8Array | undefined {
  const output = new Uint8Array(maxBytes)
  let [length, at, bit] = [0, 2, 0]
  const readBits = (count: number): number => {
    let value = 0
    for (let index = 0; index < count; index++) {
      const byte = bytes[at]
      if (byte === undefined) throw new RangeError('the text is cut off')
      value |= ((byte >> bit) & 1) << index
      bit = (bit + 1) & 7
      if (bit === 0) at++
    }
    return value
  }
  const put = (byte: number) => {
    if (length === maxBytes) throw new RangeError('the text is too long')
    output[length++] = byte
  }
  const readSymbol = ({ counts, symbols }: Codes): number => {
    let [code, first, index] = [0, 0, 0]
    for (let bits = 1; bits <= maxBits; bits++) {
      code |= readBits(1)
      const count = counts[bits] ?? 0
      const symbol = code - first < count ? symbols[index + code - first] : undefined
      if (symbol !== undefined) return symbol
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    throw new RangeError('the text has an unknown code')
  }
  const readBlock = (literals: Codes, distances: Codes): void => {
    for (let symbol = readSymbol(literals); symbol !== 256; symbol = readSymbol(literals)) {
      if (symbol < 256) {
        put(symbol)
        continue
      }
      const { base, bits } = symbol === 285 ? { base: 258, bits: 0 } : getBase(symbol - 257, 3, 4)
      const copied = base + readBits(bits)
      const distance = getBase(readSymbol(distances), 1, 2)
      const from = distance.base + readBits(distance.bits)
      if (from > length) throw new RangeError('the text refers to bytes before its start')
      for (let index = 0; index < copied; index++) put(output[length - from] ?? 0)
    }
  }
  const readCodes = (): readonly [Codes, Codes] => {
    const [literals, distances, count] = [readBits(5) + 257, readBits(5) + 1, readBits(4) + 4]
    const ofLengths = Array.from({ length: 19 }, () => 0)
    for (const place of orderOfLengths.slice(0, count)) ofLengths[place] = readBits(3)
    const codes = createCodes(ofLengths)
    const lengths: number[] = []
    while (lengths.length < literals + distances) {
      const symbol = readSymbol(codes)
      if (symbol < 16) lengths.push(symbol)
      else {
        const repeated = symbol === 16 ? (lengths.at(-1) ?? 0) : 0
        const times = symbol === 16 ? 3 + readBits(2) : symbol === 17 ? 3 + readBits(3) : 11 + readBits(7)
        for (let index = 0; index < times; index++) lengths.push(repeated)
      }
    }
    return [createCodes(lengths.slice(0, literals)), createCodes(lengths.slice(literals, literals + distances))]
  }
  const fixed = [
    ...Array<number>(144).fill(8),
    ...Array<number>(112).fill(9),
    ...Array<number>(24).fill(7),
    ...Array<number>(8).fill(8),
  ]
  try {
    for (let isLast = false; !isLast; ) {
      takeParts()
      isLast = readBits(1) === 1
      const kind = readBits(2)
      if (kind === 0) {
        if (bit > 0) [at, bit] = [at + 1, 0]
        const size = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)
        at += 4
        if (at + size > bytes.length) return undefined
        for (const byte of bytes.subarray(at, at + size)) put(byte)
        at += size
      } else if (kind === 1) readBlock(createCodes(fixed), createCodes(Array<number>(30).fill(5)))
      else if (kind === 2) readBlock(...readCodes())
      else return undefined
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
  return output.slice(0, length)
}

/** Puts a short text into the zlib format, uncompressed. */
export function storeSmall(text: Uint8Array): Uint8Array {
  let [a, b] = [1, 0]
  for (const byte of text) {
    a = (a + byte) % 65_521
    b = (b + a) % 65_521
  }
  const { length } = text
  const head = [0x78, 0x01, 1, length & 255, length >> 8, ~length & 255, (~length >> 8) & 255]
  return Uint8Array.of(...head, ...text, b >> 8, b & 255, a >> 8, a & 255)
}
