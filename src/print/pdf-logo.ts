import type { Bindings } from '../env.ts'
import { concatenate } from '../lib/encoding/concatenate.ts'
import { log } from '../lib/log.ts'
import { type PictureName, parsePictureName, picturePath, toObjectKey } from '../media/picture-name.ts'
import { createStream } from './pdf.ts'

/** Width from which a file is sharp in print, in pixels. */
const sharpWidth = 600
/** Most pixels that are decoded. */
const maxPixels = 4_000_000

/** A logo as a PDF draws it. */
export interface PdfLogo {
  width: number
  height: number
  /** Adds the image to a file and returns its reference. */
  addTo: (add: (object: Uint8Array) => string) => Promise<string>
}

const toView = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength)

const describe = (width: number, height: number, colorSpace: string, rest = '', depth = 8) =>
  `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace ${colorSpace} /BitsPerComponent ${depth} ${rest}`

/** A JPEG, which is embedded as it is. Undefined if EXIF turns it, which PDF ignores, and for inverted CMYK. */
function readJpeg(bytes: Uint8Array): PdfLogo | undefined {
  const view = toView(bytes)
  for (let at = 2; at + 9 < bytes.length && view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const code = view.getUint8(at + 1)
    if (code === 0xe1) return undefined
    if (code < 0xc0 || code > 0xc2) continue
    const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)]
    const colorSpace = { 1: '/DeviceGray', 3: '/DeviceRGB' }[view.getUint8(at + 9)]
    if (colorSpace === undefined) return undefined
    const dictionary = describe(width, height, colorSpace)
    const addTo: PdfLogo['addTo'] = async (add) =>
      add(await createStream(dictionary, bytes, '[/FlateDecode /DCTDecode]'))
    return { width, height, addTo }
  }
  return undefined
}

/** The contents of a PNG's chunks by their type, those of one type joined. */
function readChunks(bytes: Uint8Array): (type: string) => Uint8Array {
  const chunks = new Map<string, Uint8Array[]>()
  const view = toView(bytes)
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    const data = bytes.subarray(at + 8, at + 8 + view.getUint32(at))
    chunks.set(type, [...(chunks.get(type) ?? []), data])
  }
  return (type) => concatenate(chunks.get(type) ?? [])
}

/** Predicts a byte from its neighbours (PNG, "Paeth"). */
function predict(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

/** Undoes the filters of a PNG's rows in place. Each row has one byte of filter before its samples. */
function unfilter(rows: Uint8Array, rowLength: number, pixelLength: number): void {
  for (let start = 0; start < rows.length; start += rowLength) {
    const filter = rows[start]
    for (let at = start + 1; at < start + rowLength; at++) {
      const isFirst = at - start <= pixelLength
      const left = isFirst ? 0 : (rows[at - pixelLength] ?? 0)
      const up = start === 0 ? 0 : (rows[at - rowLength] ?? 0)
      const corner = isFirst || start === 0 ? 0 : (rows[at - rowLength - pixelLength] ?? 0)
      const predictions = [0, left, up, (left + up) >> 1, filter === 4 ? predict(left, up, corner) : 0]
      rows[at] = ((rows[at] ?? 0) + (predictions[filter ?? 0] ?? 0)) & 255
    }
  }
}

const inflate = (bytes: Uint8Array) =>
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).bytes()

/** Splits pixels whose last sample is their opacity. */
function splitAlpha(pixels: Uint8Array, samples: number) {
  const count = pixels.length / samples
  const [colors, alpha] = [new Uint8Array(count * (samples - 1)), new Uint8Array(count)]
  for (let pixel = 0; pixel < count; pixel++) {
    const at = pixel * samples
    colors.set(pixels.subarray(at, at + samples - 1), pixel * (samples - 1))
    alpha[pixel] = pixels[at + samples - 1] ?? 0
  }
  return { colors, alpha }
}

/** The opacity of pixels that are indexes of a palette, in rows of whole bytes. */
function readPaletteAlpha(rows: Uint8Array, width: number, depth: number, opacities: Uint8Array): Uint8Array {
  const perByte = 8 / depth
  const rowLength = Math.ceil(width / perByte)
  const alpha = new Uint8Array((rows.length / rowLength) * width)
  for (let pixel = 0; pixel < alpha.length; pixel++) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)]
    const byte = rows[y * rowLength + Math.floor(x / perByte)] ?? 0
    const index = (byte >> (8 - depth * ((x % perByte) + 1))) & ((1 << depth) - 1)
    alpha[pixel] = opacities[index] ?? 255
  }
  return alpha
}

const colorSpaces: Readonly<Record<number, string>> = {
  0: '/DeviceGray',
  2: '/DeviceRGB',
  3: '',
  4: '/DeviceGray',
  6: '/DeviceRGB',
}
const sampleCounts: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** A PNG. Its colors are embedded, and its opacity as a mask. Undefined if it is interlaced, turned, or has samples of 16 bits. */
async function readPng(bytes: Uint8Array): Promise<PdfLogo | undefined> {
  const find = readChunks(bytes)
  const header = toView(find('IHDR'))
  const [width, height] = [header.getUint32(0), header.getUint32(4)]
  const [depth, kind, interlace] = [header.getUint8(8), header.getUint8(9), header.getUint8(12)]
  const samples = sampleCounts[kind]
  const isOther = depth > 8 || interlace > 0 || find('eXIf').length > 0 || width * height > maxPixels
  if (isOther || samples === undefined) return undefined
  const palette = find('PLTE').toHex()
  const colorSpace = colorSpaces[kind] || `[/Indexed /DeviceRGB ${palette.length / 6 - 1} <${palette}>]`
  const rowLength = 1 + Math.ceil((width * samples * depth) / 8)
  const rows = await inflate(find('IDAT'))
  if (rows.length !== rowLength * height) throw new Error('the rows are not as the header says')
  unfilter(rows, rowLength, Math.max(1, (samples * depth) >> 3))
  const pixels = new Uint8Array(rows.length - height)
  for (let y = 0; y < height; y++) {
    pixels.set(rows.subarray(y * rowLength + 1, (y + 1) * rowLength), y * (rowLength - 1))
  }
  const opacities = find('tRNS')
  const hasOpacities = kind === 3 && opacities.length > 0
  const { colors, alpha } =
    kind >= 4
      ? splitAlpha(pixels, samples)
      : { colors: pixels, alpha: hasOpacities ? readPaletteAlpha(pixels, width, depth, opacities) : undefined }
  return {
    width,
    height,
    async addTo(add) {
      const mask = alpha && add(await createStream(describe(width, height, '/DeviceGray'), alpha))
      const dictionary = describe(width, height, colorSpace, mask && `/SMask ${mask}`, depth)
      return add(await createStream(dictionary, colors))
    },
  }
}

/** The smallest file that is sharp in print, else the largest. */
function chooseFile({ digest, width, otherWidths }: PictureName) {
  const widths = [width, ...otherWidths].sort((a, b) => a - b)
  return { digest, width: widths.find((each) => each >= sharpWidth) ?? width }
}

/** Reads a logo that the service stores. Undefined for others, which no address of a merchant makes the service fetch. */
export async function readLogo(env: Bindings, url: string | undefined): Promise<PdfLogo | undefined> {
  const { pathname = '' } = (url === undefined ? undefined : URL.parse(url)) ?? {}
  const name = pathname.startsWith(picturePath) ? parsePictureName(pathname.slice(picturePath.length)) : undefined
  if (!name) return undefined
  try {
    const object = await env.MEDIA.get(toObjectKey(chooseFile(name)))
    const read = { 'image/jpeg': readJpeg, 'image/png': readPng }[object?.httpMetadata?.contentType ?? '']
    return object && read ? await read(await object.bytes()) : undefined
  } catch (error) {
    log(env, 'logo not read', { error: String(error) })
    return undefined
  }
}
