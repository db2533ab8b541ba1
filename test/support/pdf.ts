/** A reader of the PDFs that the service writes (ISO 32000), as far as tests look into them. */

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))
  return latin1(new Uint8Array(await new Response(stream).arrayBuffer()))
}

const latin1 = (bytes: Uint8Array) => bytes.reduce((text, byte) => text + String.fromCharCode(byte), '')

export interface PdfText {
  font: string
  hex: string
  /** The text of glyphs of an embedded font, by its own table. */
  shown?: string
}

/** The objects of a file by their numbers, and what its pages show. Throws where the file's own table of objects is wrong. */
export async function readPdf(bytes: Uint8Array<ArrayBuffer>) {
  const file = latin1(bytes)
  const objects = new Map<number, string>()

  async function streamAt(offset: number) {
    const head = /^(\d+) 0 obj\n(<<.*?>>)\nstream\n/s.exec(file.slice(offset, offset + 500))
    if (!head) throw new Error(`no stream at ${offset}`)
    const length = Number(/\/Length (\d+)/.exec(head[2] ?? '')?.[1])
    const start = offset + head[0].length
    if (!file.startsWith('\nendstream\nendobj\n', start + length)) throw new Error(`stream at ${offset} is not as long`)
    const packed = bytes.slice(start, start + length)
    return {
      number: Number(head[1]),
      dictionary: head[2] ?? '',
      content: head[2]?.includes('/FlateDecode') ? await inflate(packed) : latin1(packed),
    }
  }

  const trailer = await streamAt(Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1]))
  const at = (index: number) => [0, 1, 3, 4].map((byte) => trailer.content.charCodeAt(6 * index + byte))
  for (let number = 1; number < trailer.content.length / 6; number++) {
    const [kind = 0] = at(number)
    if (kind !== 1) continue
    const where = [1, 2, 3].reduce((value, byte) => 256 * value + trailer.content.charCodeAt(6 * number + byte), 0)
    const stream = await streamAt(where)
    if (stream.number !== number) throw new Error(`object ${number} is ${stream.number}`)
    objects.set(number, stream.content)
    const first = Number(/\/First (\d+)/.exec(stream.dictionary)?.[1])
    if (!stream.dictionary.includes('/ObjStm')) continue
    const places = stream.content.slice(0, first).trim().split(' ').map(Number)
    for (let index = 0; index < places.length; index += 2) {
      objects.set(
        places[index] ?? 0,
        stream.content.slice(first + (places[index + 1] ?? 0), first + (places[index + 3] ?? 1e9)),
      )
    }
  }
  const all = [...objects.values()]
  const pages = all.flatMap((object) => {
    const content = /^<< \/Type \/Page \/Parent \d+ 0 R \/Contents (\d+) 0 R >>/.exec(object)?.[1]
    return content === undefined ? [] : [objects.get(Number(content)) ?? '']
  })
  /** The tables of embedded fonts, whose codes have four digits. */
  const tables = new Map(
    [...(/\/Font << (.*?) >>/.exec(all.join('\n'))?.[1] ?? '').matchAll(/\/(P\d+) (\d+) 0 R/g)].map(
      ([, name = '', font]) => {
        const table = objects.get(Number(/\/ToUnicode (\d+)/.exec(objects.get(Number(font)) ?? '')?.[1])) ?? ''
        const lines = [...table.matchAll(/^<(\w{4})> <(\w{4})>$/gm)].map(
          ([, glyph = '', char = '']): [string, string] => [glyph, String.fromCharCode(Number.parseInt(char, 16))],
        )
        return [name, new Map(lines)]
      },
    ),
  )
  return {
    dictionary: trailer.dictionary,
    objects: all,
    pages,
    box: /\/MediaBox \[([^\]]*)\]/.exec(all.join())?.[1],
    /** The texts of all pages, one for each place at which one begins. */
    texts: pages.flatMap((page) =>
      [...page.matchAll(/BT (.*?) ET/g)].map(([, text = '']) =>
        [...text.matchAll(/\/(\w|P\d+) \S+ Tf (?:<([0-9a-f]*)> Tj|\[(.*?)\] TJ)/g)].flatMap(
          ([, font = '', plain, moved = '']): PdfText[] => {
            const table = tables.get(font)
            if (!table) return plain === undefined ? [] : [{ font, hex: plain }]
            const hex = plain ?? [...moved.matchAll(/<(\w*)>/g)].map(([, part]) => part).join('')
            const shown = (hex.match(/..../g) ?? []).map((glyph) => table.get(glyph) ?? '?').join('')
            return [{ font, hex, shown }]
          },
        ),
      ),
    ),
  }
}

/** What a text in Windows-1252 or, in the fonts for squares, UTF-16 says; `?` where glyphs are named apart. */
export const spell = (text: readonly PdfText[]) =>
  text
    .map(({ font, hex, shown }) => {
      if (shown !== undefined) return shown
      const bytes = Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))
      if (font === 'X') return '?'.repeat(bytes.length)
      return new TextDecoder(font === 'H' ? 'windows-1252' : 'utf-16be').decode(bytes)
    })
    .join('')
