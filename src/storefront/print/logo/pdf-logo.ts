import type { Bindings } from '../../../platform/env.ts'
import { log } from '../../../platform/lib/log.ts'
import { type PictureName, parsePictureName, picturePath, toObjectKey } from '../../media/picture-name.ts'
import { createPackedStream } from '../pdf.ts'
import { getPaperPicture, type PaperPicture, sharpWidth } from './paper-picture.ts'

/** A logo as a PDF draws it. */
export interface PdfLogo {
  width: number
  height: number
  /** Adds the image to a file and returns its reference. */
  addTo: (add: (object: Uint8Array) => string) => string
}

const describe = (width: number, height: number, colorSpace: string, rest = '') =>
  `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace ${colorSpace} /BitsPerComponent 8 ${rest}`

/** A JPEG, which is embedded unchanged. Undefined for inverted CMYK, and if EXIF rotates it, because PDF ignores EXIF. */
function readJpeg(bytes: Uint8Array): PdfLogo | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 2; at + 9 < bytes.length && view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const code = view.getUint8(at + 1)
    if (code === 0xe1) return undefined
    if (code < 0xc0 || code > 0xc2) continue
    const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)]
    const colorSpace = { 1: '/DeviceGray', 3: '/DeviceRGB' }[view.getUint8(at + 9)]
    if (colorSpace === undefined) return undefined
    const addTo: PdfLogo['addTo'] = (add) =>
      add(createPackedStream(describe(width, height, colorSpace), bytes, '/DCTDecode'))
    return { width, height, addTo }
  }
  return undefined
}

/** The pixels of a PNG. Its colors are embedded, and its opacity as a mask. */
const toLogo = ({ width, height, colors, alpha }: PaperPicture): PdfLogo => ({
  width,
  height,
  addTo(add) {
    const mask = alpha && add(createPackedStream(describe(width, height, '/DeviceGray'), alpha))
    return add(createPackedStream(describe(width, height, '/DeviceRGB', mask && `/SMask ${mask}`), colors))
  },
})

/** The smallest file that is sharp in print, otherwise the largest. */
function chooseFile({ digest, width, otherWidths }: PictureName) {
  const widths = [width, ...otherWidths].sort((a, b) => a - b)
  return { digest, width: widths.find((each) => each >= sharpWidth) ?? width }
}

/** Reads a logo that the service stores. Undefined for other addresses: the service never fetches the URL of a merchant. */
export async function readLogo(env: Bindings, url: string | undefined): Promise<PdfLogo | undefined> {
  const { pathname = '' } = (url === undefined ? undefined : URL.parse(url)) ?? {}
  const name = pathname.startsWith(picturePath) ? parsePictureName(pathname.slice(picturePath.length)) : undefined
  if (!name) return undefined
  const file = chooseFile(name)
  try {
    const type = (await env.MEDIA.head(toObjectKey(file)))?.httpMetadata?.contentType
    if (type === 'image/png') {
      const picture = await getPaperPicture(env, file)
      return picture && toLogo(picture)
    }
    const object = type === 'image/jpeg' ? await env.MEDIA.get(toObjectKey(file)) : null
    return object ? readJpeg(await object.bytes()) : undefined
  } catch (error) {
    log(env, 'logo not read', { error: String(error) })
    return undefined
  }
}
