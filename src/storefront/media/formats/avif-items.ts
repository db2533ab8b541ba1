import type { TakeSteps } from '../../../platform/lib/step-budget.ts'
import { type AvifBox, Cursor, readBoxes } from './avif-boxes.ts'
import { BrokenPictureError, readLatin1 } from './bytes.ts'

/** A range of bytes. `isInside`: its start counts from the content of the box `idat`, not from the start of the file. */
interface Extent {
  isInside: boolean
  start: number
  length: number
}

/** The types of the items, by id (`iinf`). */
export function readItemTypes(
  bytes: Uint8Array,
  { content, end }: AvifBox,
  takeParts: TakeSteps,
): ReadonlyMap<number, string> {
  const hasShortCount = new Cursor(bytes, content).read(1) === 0
  const types = new Map<number, string>()
  for (const box of readBoxes(bytes, content + 4 + (hasShortCount ? 2 : 4), end, takeParts)) {
    const version = new Cursor(bytes, box.content).read(1)
    const idBytes = version === 2 ? 2 : 4
    if (box.type !== 'infe' || version < 2) throw new BrokenPictureError('has an unknown list of items')
    types.set(new Cursor(bytes, box.content + 4).read(idBytes), readLatin1(bytes, box.content + 6 + idBytes, 4))
  }
  return types
}

/** Locations of the items, by id (`iloc`). */
export function readLocations(
  bytes: Uint8Array,
  { content, end }: AvifBox,
  takeParts: TakeSteps,
): ReadonlyMap<number, readonly Extent[]> {
  const cursor = new Cursor(bytes.subarray(0, end), content)
  const version = cursor.read(1)
  cursor.read(3)
  const sizes = cursor.read(2)
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15]
  const indexBytes = version === 0 ? 0 : sizes & 15
  const idBytes = version < 2 ? 2 : 4
  const locations = new Map<number, readonly Extent[]>()
  const count = cursor.read(idBytes)
  if (version > 2 || lengthBytes === 0) throw new BrokenPictureError('has an unknown list of items')
  for (let item = 0; item < count; item++) {
    takeParts()
    const id = cursor.read(idBytes)
    const method = version === 0 ? 0 : cursor.read(2) & 15
    // The picture must be in the file itself, and an item must not be a part of another item.
    if (cursor.read(2) !== 0 || method > 1) throw new BrokenPictureError('refers to another file')
    const base = cursor.read(baseBytes)
    const extents: Extent[] = []
    for (let left = cursor.read(2); left > 0; left--) {
      takeParts()
      cursor.read(indexBytes)
      extents.push({ isInside: method === 1, start: base + cursor.read(offsetBytes), length: cursor.read(lengthBytes) })
    }
    locations.set(id, extents)
  }
  return locations
}

/** Properties of an item, as positions in `ipco`, from 1 (`ipma`). */
function readAssociations(
  bytes: Uint8Array,
  { content, end }: AvifBox,
  wanted: number,
  takeParts: TakeSteps,
): number[] {
  const cursor = new Cursor(bytes.subarray(0, end), content)
  const version = cursor.read(1)
  const isWide = (cursor.read(3) & 1) === 1
  const found: number[] = []
  for (let left = cursor.read(4); left > 0; left--) {
    takeParts()
    const id = cursor.read(version === 0 ? 2 : 4)
    for (let each = cursor.read(1); each > 0; each--) {
      const position = isWide ? cursor.read(2) & 0x7fff : cursor.read(1) & 0x7f
      if (id === wanted) found.push(position)
    }
  }
  return found
}

/** Width and height in `ispe`, after version and flags. */
const readExtent = (bytes: Uint8Array, { content }: AvifBox) => {
  const cursor = new Cursor(bytes, content + 4)
  return { width: cursor.read(4), height: cursor.read(4) }
}

/** The size of an item with its rotation applied, and the largest number of pixels of an item (`iprp`). */
export function readSize(bytes: Uint8Array, { content, end }: AvifBox, item: number, takeParts: TakeSteps) {
  const boxes = [...readBoxes(bytes, content, end, takeParts)]
  const container = boxes.find(({ type }) => type === 'ipco')
  const properties = container ? [...readBoxes(bytes, container.content, container.end, takeParts)] : []
  const own = boxes
    .filter(({ type }) => type === 'ipma')
    .flatMap((box) => readAssociations(bytes, box, item, takeParts))
    .flatMap((position) => properties[position - 1] ?? [])
  const extent = own.find(({ type }) => type === 'ispe')
  if (!extent) throw new BrokenPictureError('has no size')
  const rotation = own.find(({ type }) => type === 'irot')
  const isTurned = rotation !== undefined && (new Cursor(bytes, rotation.content).read(1) & 1) === 1
  const { width, height } = readExtent(bytes, extent)
  const pixels = properties
    .filter(({ type }) => type === 'ispe')
    .map((box) => readExtent(bytes, box))
    .map(({ width, height }) => width * height)
  return { ...(isTurned ? { width: height, height: width } : { width, height }), maxPixels: Math.max(...pixels) }
}
