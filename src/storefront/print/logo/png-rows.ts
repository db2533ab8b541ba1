import { concatenate } from '../../../platform/lib/encoding/concatenate.ts'
import { letOthersRun } from '../../../platform/lib/step-budget.ts'

/** Number of bytes in one input to the decoder. The output is at most 1,032 times as large, about 4 MiB. */
const pieceBytes = 4_096

function* toPieces(parts: readonly Uint8Array[]): Iterable<Uint8Array> {
  for (const part of parts) {
    for (let at = 0; at < part.length; at += pieceBytes) yield part.subarray(at, at + pieceBytes)
  }
}

/**
 * Decompresses bytes in the zlib format, up to a number of bytes. Gives the decoder a piece only after it has returned the output of the previous
 * ones, so that a small file cannot fill the memory.
 */
async function* inflateAtMost(parts: readonly Uint8Array[], maxBytes: number): AsyncGenerator<Uint8Array, void> {
  const stream = new DecompressionStream('deflate')
  const [writer, reader] = [stream.writable.getWriter(), stream.readable.getReader()]
  /** The reader also gets the error. */
  const ignore = () => undefined
  let left = maxBytes
  let reading = reader.read()
  /** The output of the decoder. With `untilEnd`, waits for its end; otherwise returns the available output. */
  async function* readMade(untilEnd: boolean): AsyncGenerator<Uint8Array, void> {
    while (left > 0) {
      const result = await (untilEnd ? reading : Promise.race([reading, letOthersRun()]))
      if (!result || result.done) return
      const bytes = result.value.subarray(0, left)
      left -= bytes.length
      reading = reader.read()
      yield bytes
    }
  }
  try {
    for (const piece of toPieces(parts)) {
      writer.write(piece).catch(ignore)
      yield* readMade(false)
      if (left <= 0) return
    }
    writer.close().catch(ignore)
    yield* readMade(true)
  } finally {
    reading.catch(ignore)
    reader.cancel().catch(ignore)
    writer.abort().catch(ignore)
  }
}

/** The parts of a PNG that are needed to decode its pixels. */
interface Png {
  width: number
  height: number
  /** Bits of a sample. */
  depth: number
  kind: number
  /** Number of bytes of a row, without its filter byte. */
  rowLength: number
  palette: Uint8Array
  /** Opacities of the colors of the palette. */
  opacities: Uint8Array
  /** The compressed rows, in pieces. */
  data: readonly Uint8Array[]
}

const sampleCounts: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** The contents of a PNG's chunks by their type. An upload has checked them. */
function readChunks(bytes: Uint8Array): ReadonlyMap<string, Uint8Array[]> {
  const chunks = new Map<string, Uint8Array[]>()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at)
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    const found = chunks.get(type) ?? []
    found.push(bytes.subarray(at + 8, at + 8 + length))
    chunks.set(type, found)
    at += 12 + length
  }
  return chunks
}

/** Reads the header of a PNG. Undefined if the picture is interlaced or rotated. */
export function readPng(bytes: Uint8Array): Png | undefined {
  const chunks = readChunks(bytes)
  const find = (type: string) => concatenate(chunks.get(type) ?? [])
  const header = find('IHDR')
  const view = new DataView(header.buffer)
  const [width, height] = [view.getUint32(0), view.getUint32(4)]
  const [depth, kind, interlace] = [view.getUint8(8), view.getUint8(9), view.getUint8(12)]
  const samples = sampleCounts[kind]
  if (interlace > 0 || chunks.has('eXIf') || samples === undefined) return undefined
  const rowLength = Math.ceil((width * samples * depth) / 8)
  const [palette, opacities] = [find('PLTE'), kind === 3 ? find('tRNS') : new Uint8Array()]
  return { width, height, depth, kind, rowLength, palette, opacities, data: chunks.get('IDAT') ?? [] }
}

/** Predicts a byte from its neighbours (PNG, "Paeth"). */
function predict(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

/** Undoes the filter of a row in place. `above` is the row before it. */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, pixelLength: number): void {
  if (filter === 0) return
  for (let at = 0; at < row.length; at++) {
    const isFirst = at < pixelLength
    const left = isFirst ? 0 : (row[at - pixelLength] ?? 0)
    const up = above[at] ?? 0
    const prediction =
      filter === 1
        ? left
        : filter === 2
          ? up
          : filter === 3
            ? (left + up) >> 1
            : predict(left, up, isFirst ? 0 : (above[at - pixelLength] ?? 0))
    row[at] = ((row[at] ?? 0) + prediction) & 255
  }
}

/**
 * The rows of a PNG in sequence. Reads at most as many rows as the header says, and throws if the file has fewer. A row is valid until the next one
 * is read.
 */
export async function* readPngRows(png: Png): AsyncGenerator<Uint8Array, void> {
  const { depth, kind, rowLength, height, data } = png
  const pixelLength = Math.max(1, ((sampleCounts[kind] ?? 1) * depth) >> 3)
  let [row, above] = [new Uint8Array(1 + rowLength), new Uint8Array(1 + rowLength)]
  let filled = 0
  let count = 0
  for await (const bytes of inflateAtMost(data, (1 + rowLength) * height)) {
    for (let at = 0; at < bytes.length; ) {
      const taken = bytes.subarray(at, at + row.length - filled)
      row.set(taken, filled)
      filled += taken.length
      at += taken.length
      if (filled < row.length) break
      unfilter(row[0] ?? 0, row.subarray(1), above.subarray(1), pixelLength)
      yield row.subarray(1)
      ;[row, above, filled] = [above, row, 0]
      count++
    }
  }
  if (count < height) throw new Error('the PNG has fewer rows than its header says')
}

/** The value of a sample, converted to 8 bits. */
function readSample({ depth }: Png, row: Uint8Array, index: number): number {
  if (depth >= 8) return row[(index * depth) >> 3] ?? 0
  const bit = index * depth
  const value = ((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
  return value
}

/** Writes the pixels of a row with four samples of 8 bits: red, green, blue, opacity. */
export function toRgba(png: Png, row: Uint8Array, rgba: Uint8Array): void {
  const { width, depth, kind, palette, opacities } = png
  const samples = sampleCounts[kind] ?? 1
  const scale = depth < 8 ? 255 / ((1 << depth) - 1) : 1
  for (let x = 0, at = 0; x < width; x++, at += 4) {
    const first = readSample(png, row, x * samples)
    if (kind === 3) {
      for (let each = 0; each < 3; each++) rgba[at + each] = palette[3 * first + each] ?? 0
      rgba[at + 3] = opacities[first] ?? 255
    } else {
      const isColored = kind === 2 || kind === 6
      rgba[at] = first * scale
      rgba[at + 1] = isColored ? readSample(png, row, x * samples + 1) : first * scale
      rgba[at + 2] = isColored ? readSample(png, row, x * samples + 2) : first * scale
      rgba[at + 3] = kind >= 4 ? readSample(png, row, x * samples + samples - 1) : 255
    }
  }
}
