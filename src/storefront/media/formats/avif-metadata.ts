import type { TakeSteps } from '../../../platform/lib/step-budget.ts'
import { type AvifBox, Cursor, readBoxes } from './avif-boxes.ts'
import { readLatin1, startsWith, toBytes } from './bytes.ts'
import { replaceProfile } from './icc.ts'

/** Properties that decoding needs, with their largest sizes in bytes; undefined if the size depends on the picture. */
const knownProperties: Readonly<Record<string, number | undefined>> = {
  ...{ ispe: 12, pixi: 21, pasp: 8, clap: 32, irot: 1, imir: 1, clli: 4, mdcv: 24, cclv: 40, amve: 8 },
  ...{ a1op: 1, a1lx: 13, lsel: 2, av1C: undefined, auxC: undefined, colr: undefined },
}
/** Types of auxiliary pictures: opacity. */
const auxiliaryTypes = ['urn:mpeg:mpegB:cicp:systems:auxiliary:alpha', 'urn:mpeg:hevc:2015:auxid:1']
/** References between pictures. Others point to metadata. */
const knownReferences: ReadonlySet<string> = new Set(['dimg', 'auxl', 'prem', 'thmb', 'base', 'cdsc'])

/** Turns a box into one that readers skip. */
export function eraseBox(bytes: Uint8Array, { start, content, end }: AvifBox): void {
  bytes.fill(0, content, end)
  bytes.set(toBytes('free'), start + 4)
}

/** Replaces a color profile by a new one of its color space. Erases it if it is unknown, or shorter than the new one. */
function cleanColors(bytes: Uint8Array, box: AvifBox): void {
  const kind = readLatin1(bytes, box.content, 4)
  // Numbers of a color space: 7 bytes.
  if (kind === 'nclx') {
    bytes.fill(0, Math.min(box.content + 11, box.end), box.end)
    return
  }
  const start = box.content + 4
  const profile = replaceProfile(bytes.subarray(start, box.end))
  if (!profile || start + profile.length > box.end) eraseBox(bytes, box)
  else {
    bytes.set(profile, start)
    bytes.fill(0, start + profile.length, box.end)
  }
}

/** Whether a property of a picture is needed. */
function isKnown(bytes: Uint8Array, { type, content, end }: AvifBox): boolean {
  if (!(type in knownProperties)) return false
  if (type === 'auxC')
    return auxiliaryTypes.some((each) => startsWith(bytes.subarray(0, end), `${each}\0`, content + 4))
  return end - content <= (knownProperties[type] ?? Number.POSITIVE_INFINITY)
}

/** Erases the texts inside the boxes of `meta` in place: unknown properties, color profiles, names of items and of the handler. */
export function cleanMeta(bytes: Uint8Array, boxes: readonly AvifBox[], takeParts: TakeSteps): void {
  for (const box of boxes) {
    const { type, content, end } = box
    // A version, a number, the handler, 12 unused bytes, then its name.
    if (type === 'hdlr') bytes.fill(0, Math.min(content + 12, end), end)
    if (type === 'iinf') {
      const start = content + (new Cursor(bytes, content).read(1) === 0 ? 6 : 8)
      for (const item of readBoxes(bytes, start, end, takeParts)) {
        // A version and flags, an id, a protection, the type, then its name.
        const idBytes = new Cursor(bytes, item.content).read(1) === 2 ? 2 : 4
        bytes.fill(0, Math.min(item.content + 10 + idBytes, item.end), item.end)
      }
    }
    if (type === 'iref') {
      for (const each of readBoxes(bytes, content + 4, end, takeParts)) {
        if (!knownReferences.has(each.type)) eraseBox(bytes, each)
      }
    }
    if (type === 'grpl') {
      for (const each of readBoxes(bytes, content, end, takeParts)) if (each.type !== 'altr') eraseBox(bytes, each)
    }
    if (type !== 'iprp') continue
    for (const container of readBoxes(bytes, content, end, takeParts)) {
      if (container.type !== 'ipco' && container.type !== 'ipma') eraseBox(bytes, container)
      if (container.type !== 'ipco') continue
      for (const property of readBoxes(bytes, container.content, container.end, takeParts)) {
        if (!isKnown(bytes, property)) eraseBox(bytes, property)
        else if (property.type === 'colr') cleanColors(bytes, property)
      }
    }
  }
}
