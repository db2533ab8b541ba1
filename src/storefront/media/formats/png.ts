import { concatenate } from '../../../platform/lib/encoding/concatenate.ts'
import { crc32 } from '../../../platform/lib/encoding/crc32.ts'
import type { TakeSteps } from '../../../platform/lib/step-budget.ts'
import { BrokenPictureError, type CleanPicture, orient, readLatin1, slice, toBytes, toDataView } from './bytes.ts'
import { createTiff, readOrientation } from './exif.ts'
import { replaceProfile } from './icc.ts'
import { inflateSmall, storeSmall } from './inflate-small.ts'

/** The first bytes of every PNG file. */
export const pngSignature = '\x89PNG\r\n\x1a\n'

/**
 * Chunks that decoding needs, with their largest sizes in bytes: pixels, transparency, colour space, density and animation. Longer chunks contain
 * other data.
 */
const keptChunks: Readonly<Record<string, number>> = {
  ...{ IHDR: 13, PLTE: 768, IDAT: Number.POSITIVE_INFINITY, tRNS: 256 },
  ...{ cHRM: 32, gAMA: 4, sBIT: 4, sRGB: 1, cICP: 4, mDCV: 24, cLLI: 8, bKGD: 6, pHYs: 9 },
  ...{ acTL: 8, fcTL: 26, fdAT: Number.POSITIVE_INFINITY },
}

/** Maximum size of a color profile that is read. Those of known color spaces have at most 4 KB. */
const maxProfileBytes = 16_384

/** A chunk with a new profile of the same color space. Undefined for an unknown color space. */
function cleanProfile(data: Uint8Array, takeParts: TakeSteps): Uint8Array[] {
  // A name, NUL, the method of compression.
  const start = data.indexOf(0) + 2
  const profile = replaceProfile(inflateSmall(data.subarray(start), maxProfileBytes, takeParts) ?? new Uint8Array())
  return profile ? [createChunk('iCCP', concatenate([toBytes('ICC\0\0'), storeSmall(profile)]))] : []
}

/** Bit depths by colour type. */
const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

function createChunk(type: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(data.length + 12)
  const view = toDataView(chunk)
  view.setUint32(0, data.length)
  chunk.set(toBytes(type), 4)
  chunk.set(data, 8)
  view.setUint32(data.length + 8, crc32(chunk.subarray(4, data.length + 8)))
  return chunk
}

/** Copies the chunks that decoding needs. Keeps only the orientation of EXIF. */
export function cleanPng(bytes: Uint8Array, takeParts: TakeSteps): CleanPicture {
  const view = toDataView(bytes)
  const parts = [slice(bytes, 0, pngSignature.length)]
  let orientation = 1
  let pixelBytes = 0
  for (let at = pngSignature.length; ; ) {
    takeParts()
    const length = view.getUint32(at)
    const type = readLatin1(bytes, at + 4, 4)
    const end = at + 12 + length
    if (crc32(slice(bytes, at + 4, end - 4)) !== view.getUint32(end - 4)) {
      throw new BrokenPictureError('has a damaged part')
    }
    if ((parts.length === 1) !== (type === 'IHDR')) throw new BrokenPictureError('does not begin with its size')
    if (type === 'IEND') break
    const data = slice(bytes, at + 8, end - 4)
    if (type === 'eXIf') orientation = readOrientation(data)
    else if (type === 'iCCP') parts.push(...cleanProfile(data, takeParts))
    else if (length <= (keptChunks[type] ?? -1)) parts.push(slice(bytes, at, end))
    else if (/^[A-Z]/.test(type)) throw new BrokenPictureError('has a part that browsers do not support')
    if (type === 'IDAT') pixelBytes += length
    at = end
  }
  // The header is the first part after the signature: 8 bytes, then 13 bytes with its fields.
  const [, header = new Uint8Array()] = parts
  const head = toDataView(header)
  const [depth, color, interlace] = [head.getUint8(16), head.getUint8(17), head.getUint8(20)]
  if (header.length !== 25 || !depths[color]?.includes(depth) || head.getUint16(18) !== 0 || interlace > 1) {
    throw new BrokenPictureError('has an impossible header')
  }
  if (pixelBytes === 0) throw new BrokenPictureError('has no pixels')
  if (orientation > 1) parts.splice(2, 0, createChunk('eXIf', createTiff(orientation)))
  parts.push(createChunk('IEND', new Uint8Array()))
  return { ...orient(head.getUint32(8), head.getUint32(12), orientation), parts }
}
