import { concatenate } from '../../../platform/lib/encoding/concatenate.ts'
import type { TakeSteps } from '../../../platform/lib/step-budget.ts'
import { BrokenPictureError, type CleanPicture, orient, slice, startsWith, toBytes, toDataView } from './bytes.ts'
import { createTiff, readOrientation } from './exif.ts'
import { replaceProfile } from './icc.ts'

const marker = { start: 0xd8, end: 0xd9, scan: 0xda, firstRestart: 0xd0, lastRestart: 0xd7 } as const
/** Tables: Huffman (DHT), quantization (DQT), restart interval (DRI). */
const tables: ReadonlySet<number> = new Set([0xc4, 0xdb, 0xdd])
/** Frames that browsers decode: baseline, extended and progressive. */
const frames: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2])
const components: ReadonlySet<number> = new Set([1, 3, 4])
/** A progressive picture has about ten scans. For each scan, a browser processes the whole picture. */
const maxScans = 100

const segment = (code: number, payload: Uint8Array) => {
  const length = payload.length + 2
  return [Uint8Array.of(0xff, code, length >> 8, length & 0xff), payload]
}

const jfif = 'JFIF\0'
const exif = 'Exif\0\0'
const icc = 'ICC_PROFILE\0'

/** A color profile. Each part has its number and the count after the name. */
const joinProfile = (parts: ReadonlyMap<number, Uint8Array>) =>
  concatenate([...parts].sort(([a], [b]) => a - b).map(([, part]) => part.subarray(icc.length + 2)))

/** The part of an application segment that decoding needs: JFIF without its thumbnail, the colour transform. */
function cleanApplication(code: number, payload: Uint8Array): Uint8Array | undefined {
  if (code === 0xe0 && startsWith(payload, jfif)) {
    const header = slice(payload, 0, 14).slice()
    header.fill(0, 12)
    return header
  }
  if (code === 0xee && startsWith(payload, 'Adobe')) return slice(payload, 0, 12)
  return undefined
}

/** The end of the entropy-coded data from `start` on: the next marker that is neither a stuffed byte nor a restart. */
function findScanEnd(bytes: Uint8Array, start: number): number {
  for (let at = start; ; ) {
    at = bytes.indexOf(0xff, at)
    const next = at < 0 ? undefined : bytes[at + 1]
    if (next === undefined) throw new BrokenPictureError('is cut off')
    if (next === 0 || (next >= marker.firstRestart && next <= marker.lastRestart)) at += 2
    else if (next === 0xff) at++
    else return at
  }
}

/** Copies the parts that decoding needs. Keeps only the orientation of EXIF, because rotating the pixels would need a decoder. */
export function cleanJpeg(bytes: Uint8Array, takeParts: TakeSteps): CleanPicture {
  const view = toDataView(bytes)
  const header: Uint8Array[] = []
  const rest: Uint8Array[] = []
  let size: { width: number; height: number } | undefined
  let orientation: number | undefined
  /** The parts of the color profile by their numbers. */
  const profile = new Map<number, Uint8Array>()
  let scans = 0
  for (let at = 2; ; ) {
    takeParts()
    if (view.getUint8(at) !== 0xff) throw new BrokenPictureError('has bytes outside its parts')
    const code = view.getUint8(at + 1)
    if (code === 0xff) {
      at++
      continue
    }
    if (code === marker.end) break
    const end = at + 2 + view.getUint16(at + 2)
    const payload = slice(bytes, at + 4, end)
    if (frames.has(code)) {
      if (size || view.getUint8(at + 4) !== 8) throw new BrokenPictureError('is of a kind that browsers cannot show')
      size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
      if (!components.has(view.getUint8(at + 9))) throw new BrokenPictureError('has an impossible number of colours')
      rest.push(...segment(code, payload))
    } else if (tables.has(code)) rest.push(...segment(code, payload))
    else if (code === marker.scan) {
      if (!size || ++scans > maxScans) throw new BrokenPictureError('has scans at an invalid position')
      const scanEnd = findScanEnd(bytes, end)
      if (scanEnd === end) throw new BrokenPictureError('has an empty scan')
      rest.push(slice(bytes, at, scanEnd))
      at = scanEnd
      continue
    } else if (code >= 0xe0 && code <= 0xef) {
      if (code === 0xe1 && startsWith(payload, exif)) orientation ??= readOrientation(payload.subarray(exif.length))
      if (code === 0xe2 && startsWith(payload, icc)) profile.set(view.getUint8(at + 4 + icc.length), payload)
      const kept = cleanApplication(code, payload)
      if (kept) header.push(...segment(code, kept))
    } else if (code !== 0xfe) throw new BrokenPictureError('is of a kind that browsers cannot show')
    at = end
  }
  if (!size || scans === 0) throw new BrokenPictureError('has no pixels')
  // JFIF comes first, then EXIF.
  const first = header.findIndex((part) => startsWith(part, jfif)) + 1
  const turned = orientation ?? 1
  const tag = turned === 1 ? [] : segment(0xe1, new Uint8Array([...toBytes(exif), ...createTiff(turned)]))
  const shown = replaceProfile(joinProfile(profile))
  const colors = shown ? segment(0xe2, concatenate([toBytes(`${icc}\x01\x01`), shown])) : []
  const parts = [
    bytes.subarray(0, 2),
    ...header.toSpliced(first, 0, ...tag, ...colors),
    ...rest,
    Uint8Array.of(0xff, marker.end),
  ]
  return { ...orient(size.width, size.height, turned), parts }
}
