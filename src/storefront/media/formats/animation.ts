import { readLatin1, startsWith, toDataView } from './bytes.ts'
import { pngSignature } from './png.ts'
import { isAnimatedWebp } from './webp.ts'

/** Whether a PNG is animated: this is said before its pixels. */
function isAnimatedPng(bytes: Uint8Array): boolean {
  const view = toDataView(bytes)
  for (let at = pngSignature.length; at + 8 <= bytes.length; at += 12 + view.getUint32(at)) {
    const type = readLatin1(bytes, at + 4, 4)
    if (type === 'acTL') return true
    if (type === 'IDAT') return false
  }
  return false
}

/** Whether a stored picture is animated. */
export const isAnimated = (bytes: Uint8Array): boolean =>
  startsWith(bytes, pngSignature) ? isAnimatedPng(bytes) : isAnimatedWebp(bytes)
