import { getOwn } from '../../../platform/lib/schema-guard.ts'
import { decodePage } from './code-pages.ts'

/** Named entities that shop systems write. */
const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', shy: '', hellip: '…', bull: '•', middot: '·' },
  ...{
    ndash: '–',
    mdash: '—',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    bdquo: '„',
    sbquo: '‚',
    laquo: '«',
    raquo: '»',
  },
  ...{
    euro: '€',
    pound: '£',
    yen: '¥',
    cent: '¢',
    copy: '©',
    reg: '®',
    trade: '™',
    deg: '°',
    frac12: '½',
    frac14: '¼',
  },
  ...{
    times: '×',
    eacute: 'é',
    egrave: 'è',
    ecirc: 'ê',
    euml: 'ë',
    agrave: 'à',
    acirc: 'â',
    aacute: 'á',
    auml: 'ä',
    aring: 'å',
  },
  ...{ ccedil: 'ç', iacute: 'í', icirc: 'î', iuml: 'ï', ntilde: 'ñ', oacute: 'ó', ocirc: 'ô', ouml: 'ö', oslash: 'ø' },
  ...{ uacute: 'ú', ugrave: 'ù', ucirc: 'û', uuml: 'ü', szlig: 'ß', aelig: 'æ', oelig: 'œ' },
  ...{ Eacute: 'É', Agrave: 'À', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', Ccedil: 'Ç', Ntilde: 'Ñ', Oslash: 'Ø', Aring: 'Å' },
}

function decodeEntity(whole: string, name: string): string {
  const [, hex, decimal] = /^#(?:x([0-9a-f]+)|(\d+))$/i.exec(name) ?? []
  if (hex === undefined && decimal === undefined) return getOwn(entities, name) ?? whole
  const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  const isCharacter = point > 0x1f && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)
  if (point === 10 || point === 13) return '\n'
  // As in browsers, these numbers mean the characters of Windows-1252.
  if (point >= 0x80 && point <= 0x9f) return decodePage(Uint8Array.of(point), 'windows-1252')
  return isCharacter ? String.fromCodePoint(point).replace('\u00a0', ' ') : ''
}

const decodeEntities = (text: string) => text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z][a-z0-9]{1,7});/gi, decodeEntity)

const inline = 'a abbr b big code del em font i img ins mark s small span strike strong sub sup u'.split(' ')
const blocks =
  'address article blockquote div dl dt dd figure footer h1 h2 h3 h4 h5 h6 header hr ol p pre section table tbody td th thead tr ul'.split(
    ' ',
  )
const known = new Set([...inline, ...blocks, 'br', 'li', 'script', 'style'])
const blockTags = new Set(blocks)

const tagForm = /<(?:!--|(\/?)([a-z][a-z0-9]*)\b)/iy

/** The tag or comment at a position, and where it ends. Undefined: the character is text. */
function readTag(
  text: string,
  index: number,
  lastComment: number,
): { name: string; isClosing: boolean; end: number } | undefined {
  tagForm.lastIndex = index
  const [opening, slash, name = ''] = tagForm.exec(text) ?? []
  if (opening === undefined) return undefined
  if (opening === '<!--') {
    return index < lastComment ? { name: '', isClosing: false, end: text.indexOf('-->', index) + 3 } : undefined
  }
  if (!known.has(name.toLowerCase())) return undefined
  const close = text.indexOf('>', index)
  return close === -1 ? undefined : { name: name.toLowerCase(), isClosing: slash === '/', end: close + 1 }
}

/** Text that stands for a tag. */
function toMark(name: string, isClosing: boolean): string {
  if (name === 'br') return '\n'
  if (name === 'li') return isClosing ? '' : '\n• '
  return blockTags.has(name) ? '\n' : ''
}

/** Position of the next closing tag with a name, in any case; -1 without one. */
function findClosingTag(text: string, name: string, start: number): number {
  const form = new RegExp(`</${name}\\b`, 'gi')
  form.lastIndex = start
  return form.exec(text)?.index ?? -1
}

/** The text without tags, comments, scripts and styles. Reads each character once: without a closing bracket, none is searched again. */
function removeTags(text: string): string {
  const pieces: string[] = []
  const [lastBracket, lastComment] = [text.lastIndexOf('>'), text.lastIndexOf('-->')]
  let start = 0
  for (let index = text.indexOf('<'); index !== -1 && index < lastBracket; ) {
    const tag = readTag(text, index, lastComment)
    if (!tag) {
      index = text.indexOf('<', index + 1)
      continue
    }
    const isHidden = !tag.isClosing && (tag.name === 'script' || tag.name === 'style')
    const close = isHidden ? findClosingTag(text, tag.name, tag.end) : tag.end
    pieces.push(text.slice(start, index), toMark(tag.name, tag.isClosing))
    start = close === -1 ? text.length : close
    index = text.indexOf('<', start)
  }
  pieces.push(text.slice(start))
  return pieces.join('')
}

/**
 * The text of HTML, with line breaks and list marks. Undefined if the text has neither tags nor entities. Only known tags count, so that
 * "a < b" stays.
 */
export function htmlToText(text: string): string | undefined {
  if (!text.includes('<') && !text.includes('&')) return undefined
  const without = removeTags(text)
  const isHtml = without !== text
  const decoded = decodeEntities(without)
  if (decoded === text) return undefined
  if (!isHtml) return decoded
  return decoded
    .split('\n')
    .map((line) => line.replace(/[ \t\u00a0]+/g, ' ').trim())
    .filter((line) => line !== '' && line !== '•')
    .join('\n')
}
