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
  'windows-1253':
    '€\u0081‚ƒ„…†‡\u0088‰\u008a‹\u008c\u008d\u008e\u008f\u0090‘’“”•–—\u0098™\u009a›\u009c\u009d\u009e\u009f\u00a0΅Ά£¤¥¦§¨©ª«¬\u00ad®―°±²³΄µ¶·ΈΉΊ»Ό½ΎΏΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡÒΣΤΥΦΧΨΩΪΫάέήίΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώÿ',
  'windows-1254':
    '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008d\u008e\u008f\u0090‘’“”•–—˜™š›œ\u009d\u009eŸ\u00a0¡¢£¤¥¦§¨©ª«¬\u00ad®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏĞÑÒÓÔÕÖ×ØÙÚÛÜİŞßàáâãäåæçèéêëìíîïğñòóôõö÷øùúûüışÿ',
  'windows-1255':
    '€\u0081‚ƒ„…†‡ˆ‰\u008a‹\u008c\u008d\u008e\u008f\u0090‘’“”•–—˜™\u009a›\u009c\u009d\u009e\u009f\u00a0¡¢£₪¥¦§¨©×«¬\u00ad®¯°±²³´µ¶·¸¹÷»¼½¾¿\u05b0\u05b1\u05b2\u05b3\u05b4\u05b5\u05b6\u05b7\u05b8\u05b9\u05ba\u05bb\u05bc\u05bd־\u05bf׀\u05c1\u05c2׃װױײ׳״ÙÚÛÜÝÞßאבגדהוזחטיךכלםמןנסעףפץצקרשתûü\u200e\u200fÿ',
  'windows-1256':
    '€پ‚ƒ„…†‡ˆ‰ٹ‹Œچژڈگ‘’“”•–—ک™ڑ›œ\u200c\u200dں\u00a0،¢£¤¥¦§¨©ھ«¬\u00ad®¯°±²³´µ¶·¸¹؛»¼½¾؟ہءآأؤإئابةتثجحخدذرزسشصض×طظعغـفقكàلâمنهوçèéêëىيîï\u064b\u064c\u064d\u064eô\u064f\u0650÷\u0651ù\u0652ûü\u200e\u200fے',
  'windows-874':
    '€\u0081\u0082\u0083\u0084…\u0086\u0087\u0088\u0089\u008a\u008b\u008c\u008d\u008e\u008f\u0090‘’“”•–—\u0098\u0099\u009a\u009b\u009c\u009d\u009e\u009f\u00a0กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรฤลฦวศษสหฬอฮฯะ\u0e31าำ\u0e34\u0e35\u0e36\u0e37\u0e38\u0e39\u0e3aÛÜÝÞ฿เแโใไๅๆ\u0e47\u0e48\u0e49\u0e4a\u0e4b\u0e4c\u0e4d\u0e4e๏๐๑๒๓๔๕๖๗๘๙๚๛üýþÿ',
} as const

export type CodePage = keyof typeof tables
/** Encodings with one byte for each character that a client can choose. Only the first two are ever guessed. */
export const codePages = [
  'windows-1252',
  'macintosh',
  'iso-8859-15',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-874',
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

/**
 * Encodings with up to four bytes for a character. No byte of a longer character is a comma, semicolon, quote, tab or line end, so that the cells of a
 * table can be decoded one by one.
 */
export const multiByteEncodings = ['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'] as const
export type MultiByteEncoding = (typeof multiByteEncodings)[number]

const isMultiByte = (encoding: string): encoding is MultiByteEncoding =>
  multiByteEncodings.some((name) => name === encoding)

const decoders = new Map<MultiByteEncoding, TextDecoder>()

function decodeMultiByte(bytes: Uint8Array, encoding: MultiByteEncoding): string {
  const decoder = decoders.get(encoding) ?? new TextDecoder(encoding, { fatal: false, ignoreBOM: true })
  decoders.set(encoding, decoder)
  return decoder.decode(bytes)
}

/** The bytes of a text that `decodePage` made. */
function encodePage(text: string, page: CodePage): Uint8Array {
  const known = bytesByPage.get(page)
  const { [page]: upper } = tables
  const bytes = known ?? new Map(Array.from(upper, (character, index) => [character, index + 0x80]))
  bytesByPage.set(page, bytes)
  return Uint8Array.from(text, (character) => bytes.get(character) ?? character.charCodeAt(0) % 0x100)
}

/** A text that was decoded with one table, decoded with another one, or in an encoding with several bytes for a character. */
export function decodeAgain(text: string, from: CodePage, to: CodePage | MultiByteEncoding): string {
  if (from === to) return text
  const bytes = encodePage(text, from)
  return isMultiByte(to) ? decodeMultiByte(bytes, to) : decodePage(bytes, to)
}
