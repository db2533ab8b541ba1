import { crc32 } from '../../src/platform/lib/encoding/crc32.ts'
import { toBytes } from '../../src/storefront/media/formats/bytes.ts'

const uint32 = (value: number) => [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff]

function createChunk(type: string, data: Iterable<number>): Uint8Array {
  const bytes = Uint8Array.from([...toBytes(type), ...data])
  return Uint8Array.from([...uint32(bytes.length - 4), ...bytes, ...uint32(crc32(bytes))])
}

/** A grey PNG of a size, of one grey or of many. An animated one has a single frame. */
export async function createGreyPng(width: number, height: number, { isAnimated = false, isNoisy = false } = {}) {
  const rows = Uint8Array.from({ length: (width + 1) * height }, (_, index) =>
    isNoisy && index % (width + 1) > 0 ? (index * index) >> 7 : 0,
  )
  const pixels = new Blob([rows]).stream().pipeThrough(new CompressionStream('deflate'))
  const data = new Uint8Array(await new Response(pixels).arrayBuffer())
  const frame = [...uint32(0), ...uint32(width), ...uint32(height), ...uint32(0), ...uint32(0), 0, 1, 0, 1, 0, 0]
  return Uint8Array.from([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...createChunk('IHDR', [...uint32(width), ...uint32(height), 8, 0, 0, 0, 0]),
    ...(isAnimated ? [...createChunk('acTL', [...uint32(1), ...uint32(0)]), ...createChunk('fcTL', frame)] : []),
    ...createChunk('IDAT', data),
    ...createChunk('IEND', []),
  ])
}
