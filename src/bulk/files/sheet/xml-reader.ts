import { ApiError } from '../../../platform/errors.ts'
import { getOwn } from '../../../platform/lib/schema-guard.ts'

/** Receives the parts of an XML document in their order. Names are without their prefix. */
export interface XmlHandler {
  open?(name: string, attribute: (name: string) => string | undefined): void
  close?(name: string): void
  text?(text: string): void
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decode = (text: string) =>
  text.includes('&')
    ? text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (whole, hex, decimal, name) => {
        if (name !== undefined) return getOwn(entities, name) ?? whole
        const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
        return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : ''
      })
    : text

/** Maximum number of characters of a tag or of a text between two tags. */
export const maxTokenUnits = 1_048_576

const tooLong = () => new ApiError('body_too_large', 'A cell or a tag of the spreadsheet is too long.')

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** Finds the value of an attribute in a tag. */
function findAttribute(tag: string, wanted: string): string | undefined {
  for (const [, name = '', , double, single] of tag.matchAll(/(?<=\s)([\w:.-]+)\s*=\s*("([^"]*)"|'([^']*)')/g)) {
    if (name === wanted || localName(name) === wanted) return decode(double ?? single ?? '')
  }
  return undefined
}

/**
 * Reads XML that arrives in pieces of text, so that a document is never in memory as a whole. It knows elements, attributes, text, comments,
 * instructions and CDATA. It expands no entities of a document, so none can grow.
 */
export function createXmlReader(handler: XmlHandler) {
  let rest = ''
  const readTag = (tag: string) => {
    if (tag.startsWith('/')) handler.close?.(localName(tag.slice(1).trim()))
    else if (!tag.startsWith('?') && !tag.startsWith('!')) {
      const [name = ''] = /^[^\s/]+/.exec(tag) ?? []
      handler.open?.(localName(name), (wanted) => findAttribute(tag, wanted))
      if (tag.endsWith('/')) handler.close?.(localName(name))
    }
  }
  return {
    push(piece: string): void {
      const text = rest + piece
      let start = 0
      for (;;) {
        const open = text.indexOf('<', start)
        if (open === -1) break
        const end = text.startsWith('<!--', open) ? '-->' : text.startsWith('<![CDATA[', open) ? ']]>' : '>'
        const close = text.indexOf(end, open)
        if (close === -1) break
        if (open - start > maxTokenUnits) throw tooLong()
        if (open > start) handler.text?.(decode(text.slice(start, open)))
        if (end === ']]>') handler.text?.(text.slice(open + '<![CDATA['.length, close))
        else if (end === '>') readTag(text.slice(open + 1, close))
        start = close + end.length
      }
      rest = text.slice(start)
      if (rest.length > maxTokenUnits) throw tooLong()
    },
  }
}
