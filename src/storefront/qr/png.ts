import { concatenate } from '../../platform/lib/encoding/concatenate.ts'
import { crc32 } from '../../platform/lib/encoding/crc32.ts'

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const ascii = new TextEncoder()

/** Compresses bytes into the zlib format (RFC 1950), which PNG and PDF call deflate. */
export async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  const compressed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'))
  return new Uint8Array(await new Response(compressed).arrayBuffer())
}

function uint32(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * values.length)
  const view = new DataView(bytes.buffer)
  for (const [index, value] of values.entries()) view.setUint32(4 * index, value)
  return bytes
}

function createChunk(type: string, data: Uint8Array): Uint8Array {
  const body = concatenate([ascii.encode(type), data])
  return concatenate([uint32(data.length), body, uint32(crc32(body))])
}

/** Creates a square PNG with one bit per pixel, dark on light. `scale` is pixels per module, `margin` is in modules. */
export async function createBitmap(
  matrix: readonly (readonly boolean[])[],
  margin: number,
  scale: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const size = (matrix.length + 2 * margin) * scale
  const rowLength = 1 + Math.ceil(size / 8)
  const rows = new Uint8Array(rowLength * size)
  for (let y = -margin; y < matrix.length + margin; y++) {
    const first = (y + margin) * scale * rowLength
    // The first byte of a row is its filter: none.
    rows.fill(0xff, first + 1, first + rowLength)
    for (const [x, isDark] of matrix[y]?.entries() ?? []) {
      if (!isDark) continue
      for (let pixel = (x + margin) * scale; pixel < (x + margin + 1) * scale; pixel++) {
        const index = first + 1 + (pixel >> 3)
        rows[index] = (rows[index] ?? 0) & ~(0x80 >> (pixel & 7))
      }
    }
    for (let copy = 1; copy < scale; copy++) rows.copyWithin(first + copy * rowLength, first, first + rowLength)
  }
  // One bit of grayscale, deflate, no filter, not interlaced.
  const header = concatenate([uint32(size, size), Uint8Array.of(1, 0, 0, 0, 0)])
  return concatenate([
    Uint8Array.from(signature),
    createChunk('IHDR', header),
    createChunk('IDAT', await deflate(rows)),
    createChunk('IEND', new Uint8Array()),
  ])
}
