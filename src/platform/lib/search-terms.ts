/** Combining marks of accents and vowel points. Does not include marks that form another letter (kana, Indic). */
const marks = /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670]/g
/** Letters with strokes and ligatures, which Unicode does not decompose. */
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

/** Normalizes text for comparison: ignores width, case and accents. */
const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(marks, '')
    .toUpperCase()
    .toLowerCase()
    .replace(strokedPattern, (letter) => strokedLetters[letter] ?? letter)
    .normalize('NFKC')

/** Normalizes a label for comparison as a whole: ignores width, case, accents and white space around it. */
export const foldLabel = (label: string) => fold(label.trim())

/** Scripts written without spaces. Their text is indexed as pairs of characters. */
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

/** The tokens of a row: one for each word, symbol and punctuation mark, and one for each pair of characters in text without spaces. */
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

/** The tokens of a query. Uses punctuation only if the query contains nothing else: `gin + tonic` finds "Gin Tonic", `%` finds "100%". */
function queryTokens(query: string): Set<string> {
  const words = new Set<string>()
  const punctuation = new Set<string>()
  for (const { groups } of fold(query).matchAll(tokenPattern)) {
    const run = groups?.['run']
    if (run) {
      const all = [...pairs(run)]
      // Leaves out the last, incomplete pair, because the previous pair contains it.
      for (const pair of all.length > 1 ? all.slice(0, -1) : all) words.add(pair)
    } else if (groups?.['mark']) punctuation.add(groups['mark'])
    else words.add(groups?.['word'] ?? groups?.['symbol'] ?? '')
  }
  return words.size > 0 ? words : punctuation
}

/**
 * Prefix of a merchant's tokens in the full-text index, so that a query reads few rows of other merchants. Two merchants may share a prefix, so the
 * scope of the statement filters the result.
 */
const partition = (merchantId: string, suffix: string) => `${merchantId.slice(-6)}${suffix}:`

/** The tokens of a row, as the full-text index stores them. */
export function indexTerms(merchantId: string, suffix: string, texts: readonly (string | undefined)[]): string {
  const prefix = partition(merchantId, suffix)
  return Array.from(documentTokens(texts.filter((text) => text !== undefined)), (token) => prefix + token).join(' ')
}

/** The FTS5 expression that matches every token of the query as a prefix. Undefined if the query has no token. */
export function matchExpression(merchantId: string, suffix: string, query: string): string | undefined {
  const prefix = partition(merchantId, suffix)
  const phrases = Array.from(queryTokens(query), (token) => `"${prefix}${token.replaceAll('"', '""')}"*`)
  return phrases.length > 0 ? phrases.join(' AND ') : undefined
}

/** Returns a function that compares the texts of a row with a query, as the full-text index does. Undefined if the query has no token. */
export function createMatcher(query: string): ((texts: readonly (string | undefined)[]) => boolean) | undefined {
  const wanted = [...queryTokens(query)].sort()
  if (wanted.length === 0) return undefined
  return (texts) => {
    const tokens = [...documentTokens(texts.filter((text) => text !== undefined))].sort()
    let at = 0
    // Of the tokens that do not precede a word, the first begins with it if any does.
    return wanted.every((word) => {
      for (let token = tokens[at]; token !== undefined && token < word; token = tokens[at]) at++
      return tokens[at]?.startsWith(word) === true
    })
  }
}
