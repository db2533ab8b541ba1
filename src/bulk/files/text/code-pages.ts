/** Characters of the bytes 0x80 to 0xFF. Each byte has a character of its own, so that a text can be decoded again with another table. */
const latin = Array.from({ length: 96 }, (_, index) => String.fromCharCode(0xa0 + index)).join('')
const tables = {
  'windows-1252': `€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ${latin}`,
  macintosh: `ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u00a0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\uf8ffÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ`,
  'iso-8859-15': `${Array.from({ length: 32 }, (_, index) => String.fromCharCode(0x80 + index)).join('')}${latin
    .replace('¤', '€')
    .replace('¦', 'Š')
    .replace('¨', 'š')
    .replace('´', 'Ž')
    .replace('¸', 'ž')
    .replace('¼', 'Œ')
    .replace('½', 'œ')
    .replace('¾', 'Ÿ')}`,
  'windows-1250':
    '€\u0081‚\u0083„…†‡\u0088‰Š‹ŚŤŽŹ\u0090‘’“”•–—\u0098™š›śťžź\u00a0ˇ˘Ł¤Ą¦§¨©Ş«¬\u00ad®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙',
  'windows-1251':
    'ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u0098™љ›њќћџ\u00a0ЎўЈ¤Ґ¦§Ё©Є«¬\u00ad®Ї°±Ііґµ¶·ё№є»јЅѕїАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя',
} as const

export type CodePage = keyof typeof tables
/** Encodings with one byte for each character that a client can choose. Only the first two are ever guessed. */
export const codePages = [
  'windows-1252',
  'macintosh',
  'iso-8859-15',
  'windows-1250',
  'windows-1251',
] as const satisfies CodePage[]

/** Number of bytes that become one piece of text. */
const pieceBytes = 8_192

/** Decodes bytes with a table. Every sequence of bytes is text. */
export function decodePage(bytes: Uint8Array, page: CodePage): string {
  const { [page]: upper } = tables
  const units = new Uint16Array(bytes.length)
  for (const [index, byte] of bytes.entries()) units[index] = byte < 0x80 ? byte : upper.charCodeAt(byte - 0x80)
  const pieces: string[] = []
  for (let start = 0; start < units.length; start += pieceBytes) {
    pieces.push(String.fromCharCode(...units.subarray(start, start + pieceBytes)))
  }
  return pieces.join('')
}

const bytesByPage = new Map<CodePage, ReadonlyMap<string, number>>()

/** The bytes of a text that `decodePage` made. */
function encodePage(text: string, page: CodePage): Uint8Array {
  const known = bytesByPage.get(page)
  const { [page]: upper } = tables
  const bytes = known ?? new Map(Array.from(upper, (character, index) => [character, index + 0x80]))
  bytesByPage.set(page, bytes)
  return Uint8Array.from(text, (character) => bytes.get(character) ?? character.charCodeAt(0) % 0x100)
}

/** A text that was decoded with one table, decoded with another one. */
export const decodeAgain = (text: string, from: CodePage, to: CodePage): string =>
  from === to ? text : decodePage(encodePage(text, from), to)
