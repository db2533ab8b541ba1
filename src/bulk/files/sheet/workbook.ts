import { createXmlReader, type XmlHandler } from './xml-reader.ts'

interface Sheet {
  name: string
  isHidden: boolean
  /** Path of its file in the archive. */
  path: string
}

/** How a cell of a style shows its number. */
type CellStyle = 'date' | 'percent' | 'plain'

export interface Workbook {
  sheets: readonly Sheet[]
  /** Dates count from 1904. */
  is1904: boolean
  styles: readonly CellStyle[]
}

/** Numbers of the built-in formats. */
const builtIn = new Map<number, CellStyle>([
  ...[14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47].map((id) => [id, 'date'] as const),
  ...[9, 10].map((id) => [id, 'percent'] as const),
])

/** The kind of a format such as `0.00%` or `dd.mm.yyyy`. Texts, escaped characters and blanks of the width of a character, such as `_D`, do not count. */
function toStyle(format: string): CellStyle {
  const plain = format.replace(/"[^"]*"|[\\_*].|\[[^[\]]*\]/g, '')
  if (/[dmyhs]/i.test(plain) && !/general/i.test(plain)) return 'date'
  return plain.includes('%') ? 'percent' : 'plain'
}

const toPath = (target: string) => (target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`)

/** Files of an archive that describe its sheets. */
export const workbookFiles: ReadonlySet<string> = new Set([
  'xl/workbook.xml',
  'xl/_rels/workbook.xml.rels',
  'xl/styles.xml',
])

/** Collects the description of a workbook from its files. */
export function createWorkbookReader() {
  const found: { name: string; isHidden: boolean; relation: string }[] = []
  const targets = new Map<string, string>()
  const formats = new Map<number, string>()
  const styles: CellStyle[] = []
  let is1904 = false
  let isInCellFormats = false
  const handlers: Readonly<Record<string, XmlHandler>> = {
    'xl/workbook.xml': {
      open(name, attribute) {
        if (name === 'workbookPr') is1904 = /^(?:1|true)$/.test(attribute('date1904') ?? '')
        if (name !== 'sheet') return
        found.push({
          name: attribute('name') ?? '',
          isHidden: (attribute('state') ?? 'visible') !== 'visible',
          relation: attribute('r:id') ?? attribute('id') ?? '',
        })
      },
    },
    'xl/_rels/workbook.xml.rels': {
      open(name, attribute) {
        if (name === 'Relationship') targets.set(attribute('Id') ?? '', attribute('Target') ?? '')
      },
    },
    'xl/styles.xml': {
      open(name, attribute) {
        if (name === 'cellXfs') isInCellFormats = true
        if (name === 'numFmt') formats.set(Number(attribute('numFmtId')), attribute('formatCode') ?? '')
        if (name !== 'xf' || !isInCellFormats) return
        const id = Number(attribute('numFmtId') ?? 0)
        const format = formats.get(id)
        styles.push(format === undefined ? (builtIn.get(id) ?? 'plain') : toStyle(format))
      },
      close(name) {
        if (name === 'cellXfs') isInCellFormats = false
      },
    },
  }
  const readers = new Map(Object.entries(handlers).map(([file, handler]) => [file, createXmlReader(handler)]))
  return {
    push: (file: string, text: string): void => readers.get(file)?.push(text),
    finish: (): Workbook => ({
      is1904,
      styles,
      sheets: found.map(({ relation, ...sheet }) => ({ ...sheet, path: toPath(targets.get(relation) ?? '') })),
    }),
  }
}

/** Collects the texts that cells share. Readings of characters above a text do not belong to it. */
export function createTextsReader(countUnits: (units: number) => void) {
  const texts: string[] = []
  let current = ''
  let isText = false
  let isReading = false
  const reader = createXmlReader({
    open(name) {
      if (name === 'si') current = ''
      if (name === 'rPh') isReading = true
      isText = name === 't' && !isReading
    },
    text(text) {
      if (isText) current += text
    },
    close(name) {
      if (name === 'rPh') isReading = false
      if (name === 't') isText = false
      if (name !== 'si') return
      countUnits(current.length)
      texts.push(current)
    },
  })
  return { push: (text: string) => reader.push(text), texts }
}
