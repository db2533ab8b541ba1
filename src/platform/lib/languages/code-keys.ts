/** Characters that no font shows: joiners, variation selectors, soft hyphens, fillers. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu
/** The dot of an i as a combining mark, behind other marks below or above the letter. */
const dotsOfI = /(i[\u0300-\u0306\u0308-\u036f]*)\u0307+/g

/**
 * Normalizes a code for comparison. Spellings that differ in case, width or form (NFKC, full case folding), or by invisible characters are equal, and
 * so are an i with and without a dot. Letters of different scripts that look alike stay different.
 */
export const foldCode = (code: string) =>
  code
    .normalize('NFKD')
    .replace(invisible, '')
    // The capital ẞ is in upper case already: only its lower case becomes SS.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    // The lower case of the last sigma of a word differs from that of the others.
    .replaceAll('ς', 'σ')
    .replaceAll('ı', 'i')
    .replace(dotsOfI, '$1')
    .normalize('NFKC')

/** The normalization of earlier releases. Coupons have such keys until they are rewritten, or if another coupon has their new key. */
export const foldCodeBefore = (code: string) => code.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')

/** The keys to look up a code: that of earlier releases only if it differs. A coupon with exactly this spelling has priority. */
export const toCodeKeys = (code: string): { codeKey: string; oldKey: string | null } => {
  const [codeKey, oldKey] = [foldCode(code), foldCodeBefore(code)]
  return { codeKey, oldKey: oldKey === codeKey ? null : oldKey }
}
