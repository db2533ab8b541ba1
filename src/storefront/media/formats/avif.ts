import type { TakeSteps } from '../../../platform/lib/step-budget.ts'
import { type AvifBox, Cursor, readBoxes } from './avif-boxes.ts'
import { readItemTypes, readLocations, readSize } from './avif-items.ts'
import { cleanMeta, eraseBox } from './avif-metadata.ts'
import { BrokenPictureError, type CleanPicture, slice, startsWith } from './bytes.ts'
import { createTiff } from './exif.ts'

/** Items with pixels: coded pictures, and pictures composed of others. Everything else is metadata. */
const pictureItems: ReadonlySet<string> = new Set(['av01', 'grid', 'iovl', 'iden', 'tmap'])
/** Boxes of the file and of its `meta` box. The contents of others are erased. */
const knownBoxes: ReadonlySet<string> = new Set('ftyp meta mdat hdlr pitm iinf iloc iref iprp idat grpl'.split(' '))

/** Whether bytes begin as an ISO base media file with a brand. */
export function hasBrand(bytes: Uint8Array, brand: string): boolean {
  if (!startsWith(bytes, 'ftyp', 4)) return false
  const length = Math.min(new Cursor(bytes, 0).read(4), bytes.length)
  for (let at = 8; at + 4 <= length; at += 4) if (at !== 12 && startsWith(bytes, brand, at)) return true
  return false
}

/** The boxes before the first bytes that are not a box. */
function readFile(bytes: Uint8Array, takeParts: TakeSteps): AvifBox[] {
  const boxes: AvifBox[] = []
  try {
    for (const box of readBoxes(bytes, 0, bytes.length, takeParts)) boxes.push(box)
  } catch (error) {
    // Bytes after the picture. A later check finds out whether the picture is complete.
    if (!(error instanceof BrokenPictureError || error instanceof RangeError)) throw error
  }
  return boxes
}

interface Range {
  start: number
  end: number
}

const byStart = (a: Range, b: Range) => a.start - b.start

/** Erases all bytes of containers outside the given parts. Each part is inside one container. */
function eraseOutside(bytes: Uint8Array, containers: readonly Range[], parts: readonly Range[]) {
  const sorted = parts.toSorted(byStart)
  let next = 0
  for (const { start, end } of containers.toSorted(byStart)) {
    let at = start
    for (; ; next++) {
      const part = sorted[next]
      if (!part || part.start >= end) break
      if (part.start > at) bytes.fill(0, at, part.start)
      at = Math.max(at, part.end)
    }
    bytes.fill(0, at, end)
  }
}

/** The box that contains an offset. The boxes are in the order of the file. */
function findBox(boxes: readonly AvifBox[], offset: number): AvifBox | undefined {
  let [from, to] = [0, boxes.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((boxes[middle]?.end ?? 0) > offset) to = middle
    else from = middle + 1
  }
  return boxes[from]
}

/**
 * Erases everything that is not a picture, in place: other boxes, metadata items, and bytes that belong to no item. Offsets stay as they
 * are. Rotation is a property of the format; browsers ignore the orientation in EXIF.
 */
export function cleanAvif(original: Uint8Array, takeParts: TakeSteps): CleanPicture {
  const bytes = original.slice()
  const boxes = readFile(bytes, takeParts)
  const meta = boxes.find(({ type }) => type === 'meta')
  if (!meta) throw new BrokenPictureError('has no pixels')
  // `meta` begins with a version and flags.
  const inside = [...readBoxes(bytes, meta.content + 4, meta.end, takeParts)]
  const find = (name: string) => {
    const box = inside.find(({ type }) => type === name)
    if (!box) throw new BrokenPictureError(`has no box ${name}`)
    return box
  }
  const primary = find('pitm')
  const cursor = new Cursor(bytes, primary.content)
  const hasShortId = cursor.read(1) === 0
  cursor.read(3)
  const item = cursor.read(hasShortId ? 2 : 4)
  const types = readItemTypes(bytes, find('iinf'), takeParts)
  const locations = readLocations(bytes, find('iloc'), takeParts)
  const size = readSize(bytes, find('iprp'), item, takeParts)
  const isPicture = (id: number) => pictureItems.has(types.get(id) ?? '')
  if (!isPicture(item) || !locations.get(item)?.length) throw new BrokenPictureError('has no pixels')

  const inner = inside.find(({ type }) => type === 'idat')
  const toRanges = (id: number): Range[] =>
    (locations.get(id) ?? []).map(({ isInside, start, length }) => {
      const from = isInside ? (inner?.content ?? 0) + start : start
      const container = isInside ? inner : findBox(boxes, from)
      if (length === 0 || container?.type !== (isInside ? 'idat' : 'mdat')) throw new BrokenPictureError('is cut off')
      if (from < container.content || from + length > container.end) throw new BrokenPictureError('is cut off')
      return { start: from, end: from + length }
    })
  const pixels = [...locations.keys()].filter(isPicture).flatMap(toRanges)
  const exif = [...locations.keys()].filter((id) => types.get(id) === 'Exif').flatMap(toRanges)
  const data = [...boxes, ...inside].filter(({ type }) => type === 'mdat' || type === 'idat')
  eraseOutside(
    bytes,
    data.map(({ content, end }) => ({ start: content, end })),
    pixels,
  )
  for (const box of [...boxes, ...inside]) if (!knownBoxes.has(box.type)) eraseBox(bytes, box)
  cleanMeta(bytes, inside, takeParts)
  // An item for EXIF must contain a TIFF structure after a 4-byte offset of 0.
  const empty = createTiff(1)
  for (const { start, end } of exif) if (end - start >= 4 + empty.length) bytes.set(empty, start + 4)
  const last = [...pixels, ...exif].reduce((max, { end }) => Math.max(max, end), meta.end)
  const holder = boxes.find(({ end }) => end >= last)
  // A box of size 0 extends to the end of the file, even if the file grows.
  const fileEnd = holder && new Cursor(bytes, holder.start).read(4) !== 0 ? holder.end : last
  return { ...size, parts: [slice(bytes, 0, fileEnd)] }
}
