/** Combining marks that carry an accent or a vowel point; marks that make another letter (kana, Indic) stay. */
const marks = /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670]/g
/** Letters with a stroke or joined letters, which Unicode does not decompose. */
const strokedLetters: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ħ: 'h',
  ς: 's',
  σ: 's',
}
const strokedPattern = /[øłđðþæœıħςσ]/g

/** Text as it is compared: width, case and accents do not count. */
const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(marks, '')
    .toUpperCase()
    .toLowerCase()
    .replace(strokedPattern, (letter) => strokedLetters[letter] ?? letter)
    .normalize('NFKC')

/** A code as it is compared: case and width do not count. */
export const foldCode = (code: string) => code.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')

/** Scripts written without spaces; their runs are cut into pairs of characters. */
const unspacedScripts =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u30fc\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
const tokenPattern = new RegExp(
  `(?<run>[${unspacedScripts}]+)|(?<word>[[\\p{L}\\p{N}\\p{M}]--[${unspacedScripts}]]+)|(?<symbol>[\\p{So}\\p{Sc}\\p{Co}])|(?<mark>[\\p{P}\\p{Sm}\\p{Sk}])`,
  'gv',
)

function* pairs(run: string) {
  const characters = [...run]
  for (const [index, character] of characters.entries()) yield character + (characters[index + 1] ?? '')
}

/** What a row is found by: one token for each word, symbol and mark, and one for each pair in a run without spaces. */
function documentTokens(texts: readonly string[]): Set<string> {
  const tokens = new Set<string>()
  for (const text of texts) {
    for (const { groups } of fold(text).matchAll(tokenPattern)) {
      if (groups?.['run']) for (const pair of pairs(groups['run'])) tokens.add(pair)
      else tokens.add(groups?.['word'] ?? groups?.['symbol'] ?? groups?.['mark'] ?? '')
    }
  }
  return tokens
}

/** Marks count only where nothing else is asked for: `gin + tonic` finds "Gin Tonic", and `%` still finds "100%". */
function queryTokens(query: string): Set<string> {
  const messages = new Set<string>()
  const punctuation = new Set<string>()
  for (const { groups } of fold(query).matchAll(tokenPattern)) {
    const run = groups?.['run']
    if (run) {
      const all = [...pairs(run)]
      // The last, half pair would only repeat the end of the pair before it.
      for (const pair of all.length > 1 ? all.slice(0, -1) : all) messages.add(pair)
    } else if (groups?.['mark']) punctuation.add(groups['mark'])
    else messages.add(groups?.['word'] ?? groups?.['symbol'] ?? '')
  }
  return messages.size > 0 ? messages : punctuation
}

/**
 * The partition of the full-text index that holds a merchant's words: every word is stored behind it, so that a query reads
 * nothing of other merchants. It may be shared by accident; the statement's own scope decides what is returned.
 */
const partition = (merchantId: string, suffix: string) => `${merchantId.slice(-6)}${suffix}:`

/** The words of a row, as its full-text index stores them. */
export function indexTerms(merchantId: string, suffix: string, texts: readonly (string | undefined)[]): string {
  const prefix = partition(merchantId, suffix)
  return Array.from(documentTokens(texts.filter((text) => text !== undefined)), (token) => prefix + token).join(' ')
}

/** The FTS5 expression for "every word of the query, or its beginning"; undefined where the query has no word. */
export function matchExpression(merchantId: string, suffix: string, query: string): string | undefined {
  const prefix = partition(merchantId, suffix)
  const phrases = Array.from(queryTokens(query), (token) => `"${prefix}${token.replaceAll('"', '""')}"*`)
  return phrases.length > 0 ? phrases.join(' AND ') : undefined
}
