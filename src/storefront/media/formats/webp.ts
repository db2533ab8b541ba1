import { concatenate } from '../../../platform/lib/encoding/concatenate.ts'
import type { TakeSteps } from '../../../platform/lib/step-budget.ts'
import { BrokenPictureError, type CleanPicture, readLatin1, slice, startsWith, toBytes, toDataView } from './bytes.ts'
import { readOrientation } from './exif.ts'
import { replaceProfile } from './icc.ts'

/** Flags of the extended header. */
const flags = { profile: 0x20, alpha: 0x10, animation: 0x02 } as const

/** Sizes of the header of an animation's frame, and of the chunk with its background and repetitions. */
const frameHeaderBytes = 16
const animationBytes = 6

interface Chunk {
  type: string
  data: Uint8Array
}

/** The chunks of a RIFF list. A chunk of odd length has a byte of padding, which may be missing after the last chunk. */
function* readChunks(bytes: Uint8Array, takeParts: TakeSteps): Iterable<Chunk> {
  const view = toDataView(bytes)
  for (let at = 0; at < bytes.length; ) {
    takeParts()
    const length = view.getUint32(at + 4, true)
    yield { type: readLatin1(bytes, at, 4), data: slice(bytes, at + 8, at + 8 + length) }
    at += 8 + length + (length & 1)
  }
}

function createChunk({ type, data }: Chunk): Uint8Array {
  const chunk = new Uint8Array(8 + data.length + (data.length & 1))
  chunk.set(toBytes(type))
  toDataView(chunk).setUint32(4, data.length, true)
  chunk.set(data, 8)
  return chunk
}

/** The first chunk of opacities and the first chunk of pixels. Decoders ignore other ones. */
const pickPixels = (chunks: readonly Chunk[]): Chunk[] =>
  [['ALPH'], ['VP8 ', 'VP8L']].flatMap((types) => chunks.find(({ type }) => types.includes(type)) ?? [])

/** A frame of an animation without unknown chunks. */
function cleanFrame(data: Uint8Array, takeParts: TakeSteps): Uint8Array {
  const inner = slice(data, frameHeaderBytes, data.length)
  const chunks = pickPixels([...readChunks(inner, takeParts)])
  if (chunks.length === 0) throw new BrokenPictureError('has a frame without pixels')
  return concatenate([data.subarray(0, frameHeaderBytes), ...chunks.map(createChunk)])
}

/** The size in the data of a lossy or lossless picture. */
function readSize({ type, data }: Chunk): { width: number; height: number } {
  const view = toDataView(data)
  if (type === 'VP8L') {
    const bits = view.getUint32(1, true)
    if (view.getUint8(0) !== 0x2f || bits >>> 29 !== 0) throw new BrokenPictureError('has an impossible header')
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if ((view.getUint8(0) & 1) !== 0 || !startsWith(data, '\x9d\x01\x2a', 3)) {
    throw new BrokenPictureError('has an impossible header')
  }
  return { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff }
}

/** Whether a WebP is animated, by its extended header. */
export const isAnimatedWebp = (bytes: Uint8Array): boolean =>
  startsWith(bytes, 'RIFF') &&
  startsWith(bytes, 'VP8X', 12) &&
  (toDataView(slice(bytes, 20, 21)).getUint8(0) & flags.animation) !== 0

/** Copies the chunks that decoding needs. Throws for a rotated picture, because rotating its pixels would need a decoder. */
export function cleanWebp(bytes: Uint8Array, takeParts: TakeSteps): CleanPicture {
  const chunks = [...readChunks(slice(bytes, 12, 8 + toDataView(bytes).getUint32(4, true)), takeParts)]
  const find = (...types: readonly string[]) => chunks.find(({ type }) => types.includes(type))
  const extended = chunks[0]?.type === 'VP8X' ? chunks[0] : undefined
  const still = find('VP8 ', 'VP8L')
  const frames = extended ? chunks.filter(({ type }) => type === 'ANMF') : []
  if (!still && frames.length === 0) throw new BrokenPictureError('has no pixels')
  const size = still && readSize(still)
  if (!extended) {
    if (!still || !size || still !== chunks[0]) throw new BrokenPictureError('does not begin with its pixels')
    return { ...size, parts: createFile([still]) }
  }
  const header = slice(extended.data, 0, 10).slice()
  const view = toDataView(header)
  const width = (view.getUint32(4, true) & 0xffffff) + 1
  const height = (view.getUint32(6, true) >>> 8) + 1
  if (size && frames.length === 0 && (size.width !== width || size.height !== height)) {
    throw new BrokenPictureError('has two sizes')
  }
  const colors = replaceProfile(find('ICCP')?.data ?? new Uint8Array())
  const profile = colors && { type: 'ICCP', data: colors }
  const block = find('EXIF')?.data ?? new Uint8Array()
  if (readOrientation(startsWith(block, 'Exif\0\0') ? block.subarray(6) : block) > 1) {
    throw new BrokenPictureError('is rotated by EXIF, which browsers ignore in WebP: rotate its pixels first')
  }
  const kept = view.getUint8(0) & (flags.alpha | flags.animation)
  header.fill(0, 0, 4)
  view.setUint8(0, kept | (profile ? flags.profile : 0))
  const animation = find('ANIM')
  const pixels =
    frames.length > 0
      ? [
          ...(animation ? [{ type: 'ANIM', data: slice(animation.data, 0, animationBytes) }] : []),
          ...frames.map(({ type, data }) => ({ type, data: cleanFrame(data, takeParts) })),
        ]
      : pickPixels(chunks)
  const parts = createFile([{ type: 'VP8X', data: header }, ...(profile ? [profile] : []), ...pixels])
  return { width, height, parts }
}

function createFile(chunks: readonly Chunk[]): Uint8Array[] {
  const parts = chunks.map(createChunk)
  const header = new Uint8Array(12)
  header.set(toBytes('RIFF'))
  toDataView(header).setUint32(4, 4 + parts.reduce((sum, { length }) => sum + length, 0), true)
  header.set(toBytes('WEBP'), 8)
  return [header, ...parts]
}
