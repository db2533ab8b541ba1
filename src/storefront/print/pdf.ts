import { concatenate } from '../../platform/lib/encoding/concatenate.ts'
import { deflate } from '../qr/png.ts'

const utf8 = new TextEncoder()

/** Encodes text of a PDF, which is ASCII only. */
const encodeAscii = (text: string) => utf8.encode(text)

/** A number in hexadecimal digits, of which there are at least `digits`. */
export const toHex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')
/** A text as UTF-16 in hexadecimal digits. */
export const toUtf16 = (text: string): string =>
  text
    .split('')
    .map((unit) => toHex(unit.charCodeAt(0), 4))
    .join('')

/** A text of the document's properties. */
const toTextString = (text: string) => `<feff${toUtf16(text)}>`

/** Maximum number of lines in a block of a CMap. */
const maxBlockLines = 100

/** A stream object with the texts that the codes of a font show (a CMap), so that readers can search. A code has as many hexadecimal digits as `digits` says. */
export function createUnicodeMap(texts: readonly (readonly [code: number, text: string])[], digits: number) {
  const lines = texts.map(([code, text]) => `<${toHex(code, digits)}> <${toUtf16(text)}>`)
  const blocks = Array.from({ length: Math.ceil(lines.length / maxBlockLines) }, (_, block) =>
    lines.slice(maxBlockLines * block, maxBlockLines * (block + 1)),
  )
  const content = [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /T def /CMapType 2 def',
    `1 begincodespacerange <${'0'.repeat(digits)}> <${'f'.repeat(digits)}> endcodespacerange`,
    ...blocks.map((block) => `${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`),
    'endcmap end end',
  ].join('\n')
  return createStream('', encodeAscii(content))
}

/** A stream object whose content is compressed. `filter` names the decoder. */
export function createPackedStream(dictionary: string, packed: Uint8Array, filter = '/FlateDecode'): Uint8Array {
  const head = `<< ${dictionary} /Length ${packed.length} /Filter ${filter} >>\nstream\n`
  return concatenate([encodeAscii(head), packed, encodeAscii('\nendstream')])
}

/** A stream object. Compresses its content. */
export const createStream = async (dictionary: string, content: Uint8Array) =>
  createPackedStream(dictionary, await deflate(content))

/** Properties of all pages of a file. */
export interface PdfFrame {
  /** Size of a page in points. */
  width: number
  height: number
  /** Resource dictionary. */
  resources: string
  title: string
}

/** Builds a PDF (ISO 32000, version 1.5) from objects in the order in which they are added. */
export function createPdf() {
  /** Text objects are packed into one stream at the end. Streams are written unchanged. */
  const objects: (string | Uint8Array)[] = []
  const add = (object: string | Uint8Array) => `${objects.push(object)} 0 R`

  return {
    /** Adds an object and returns its reference. */
    add,

    /** Returns the file, with one page for each text of operators. Viewers print it without scaling. */
    async finish(pages: readonly string[], { width, height, resources, title }: PdfFrame) {
      const contents = await Promise.all(pages.map((page) => createStream('', encodeAscii(page))))
      // Pages and their tree refer to each other, so the tree comes after the last page.
      const tree = `${objects.length + 2 * pages.length + 1} 0 R`
      const kids = contents.map((content) => add(`<< /Type /Page /Parent ${tree} /Contents ${add(content)} >>`))
      const box = `/MediaBox [0 0 ${width} ${height}]`
      add(`<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} ${box} /Resources ${resources} >>`)
      const preferences = '/ViewerPreferences << /PrintScaling /None /DisplayDocTitle true >>'
      const root = add(`<< /Type /Catalog /Pages ${tree} ${preferences} >>`)
      const info = add(`<< /Title ${toTextString(title)} >>`)
      return assemble(objects, `/Root ${root} /Info ${info}`)
    },
  }
}

/** Entry of the cross-reference table: free, at an offset, or at an index of the packed objects. */
type CrossReference = readonly [kind: 0 | 1 | 2, where: number, index: number]

async function assemble(objects: readonly (string | Uint8Array)[], trailer: string): Promise<Uint8Array<ArrayBuffer>> {
  const entries: CrossReference[] = [[0, 0, 0]]
  // The second line marks the file as binary.
  const parts = [Uint8Array.from([...encodeAscii('%PDF-1.5\n%'), 0xe2, 0xe3, 0xcf, 0xd3, 0x0a])]
  let offset = 15
  const place = (number: number, object: Uint8Array) => {
    const part = concatenate([encodeAscii(`${number} 0 obj\n`), object, encodeAscii('\nendobj\n')])
    entries[number] = [1, offset, 0]
    offset += part.length
    parts.push(part)
  }

  const pack = objects.length + 1
  const numbers: number[] = []
  const packed: string[] = []
  let length = 0
  for (const [index, object] of objects.entries()) {
    if (typeof object !== 'string') place(index + 1, object)
    else {
      entries[index + 1] = [2, pack, packed.push(object) - 1]
      numbers.push(index + 1, length)
      length += object.length + 1
    }
  }
  const directory = `${numbers.join(' ')} `
  const packing = `/Type /ObjStm /N ${packed.length} /First ${directory.length}`
  place(pack, await createStream(packing, encodeAscii(directory + packed.join('\n'))))

  const start = offset
  entries[pack + 1] = [1, start, 0]
  const table = entries.flatMap(([kind, where, index]) => [kind, where >> 16, where >> 8, where, index >> 8, index])
  const reference = `/Type /XRef /W [1 3 2] /Size ${entries.length} ${trailer}`
  place(pack + 1, await createStream(reference, Uint8Array.from(table)))
  return concatenate([...parts, encodeAscii(`startxref\n${start}\n%%EOF\n`)])
}
