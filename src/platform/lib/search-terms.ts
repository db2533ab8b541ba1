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

type Texts = readonly (string | undefined)[]

/** The texts of an object that a search finds. */
export interface SearchTexts {
  /** Titles and names: a search also finds parts of their words, and words with a typing error. */
  names: Texts
  /** Texts whose words a search finds by their beginnings. */
  others?: Texts | undefined
}

/** Which parts of a word are indexed besides the word: its ends from the third letter on, with at least two letters. */
const inner = { minLetters: 5, first: 2, minLeft: 2 } as const
/** Maximum number of letters of a word of which ends are indexed, and of an end. */
export const maxInnerLetters = 80
/** Maximum size of the ends of all words of an object, in UTF-16 units. They are stored with the texts of the object in one value. */
const maxEndSize = 150_000
/** Size of an end besides its letters: its prefix and a blank. */
const endOverhead = 9
/** A letter with its marks. */
const letterPattern = /\P{M}\p{M}*/gu

/** The ends of a word of a name. Their number and length are limited, so that the size of the index is. */
function* wordEnds(word: string) {
  if (word.length < inner.minLetters) return
  const starts = Array.from(word.matchAll(letterPattern), ({ index }) => index)
  if (starts.length < inner.minLetters) return
  const last = Math.min(starts.length - inner.minLeft, maxInnerLetters)
  for (let letter: number = inner.first; letter <= last; letter++)
    yield word.slice(starts[letter], starts[letter + maxInnerLetters])
}

/**
 * The tokens of a row: one for each word, symbol and punctuation mark, one for each pair of characters in text without spaces, and one for each end of
 * a word in a name.
 */
function documentTokens({ names, others = [] }: SearchTexts): Set<string> {
  const tokens = new Set<string>()
  let left = maxEndSize
  const add = (text: string | undefined, isName: boolean) => {
    if (text === undefined) return
    for (const { groups } of fold(text).matchAll(tokenPattern)) {
      const { run, word, symbol, mark } = groups ?? {}
      if (run) for (const pair of pairs(run)) tokens.add(pair)
      else tokens.add(word ?? symbol ?? mark ?? '')
      if (!word || !isName || left <= 0) continue
      for (const end of wordEnds(word)) {
        if (tokens.has(end)) continue
        tokens.add(end)
        left -= end.length + endOverhead
      }
    }
  }
  for (const name of names) add(name, true)
  for (const text of others) add(text, false)
  return tokens
}

/** The tokens of a query. Uses punctuation only if the query contains nothing else: `gin + tonic` finds "Gin Tonic", `%` finds "100%". */
export function queryTokens(query: string): Set<string> {
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

/** The words of names, without words of scripts without spaces. */
export function* nameWords({ names }: SearchTexts): Iterable<string> {
  for (const name of names)
    for (const { groups } of fold(name ?? '').matchAll(tokenPattern)) if (groups?.['word']) yield groups['word']
}

/**
 * Prefix of a merchant's tokens in the full-text index, so that a query reads few rows of other merchants. Two merchants may share a prefix, so the
 * scope of the statement filters the result.
 */
const partition = (merchantId: string, suffix: string) => `${merchantId.slice(-6)}${suffix}:`

/** The tokens of a row, as the full-text index stores them. */
export function indexTerms(merchantId: string, suffix: string, texts: SearchTexts): string {
  const prefix = partition(merchantId, suffix)
  return Array.from(documentTokens(texts), (token) => prefix + token).join(' ')
}

/** The FTS5 expression that matches tokens that begin with a text. */
export const toBeginning = (merchantId: string, suffix: string, text: string) =>
  `"${partition(merchantId, suffix)}${text.replaceAll('"', '""')}"*`

/** The FTS5 expression that matches every token of the query as a prefix. Undefined if the query has no token. */
export function matchExpression(merchantId: string, suffix: string, query: string): string | undefined {
  const phrases = Array.from(queryTokens(query), (token) => toBeginning(merchantId, suffix, token))
  return phrases.length > 0 ? phrases.join(' AND ') : undefined
}

/** Whether a query may have a word that is long enough for a search with a typing error: see `catalogue/resource/store/similar-words.ts`. */
export const mayBeMisspelt = (query: string | undefined): query is string =>
  query !== undefined && /[\p{L}\p{N}\p{M}]{5}/u.test(query)

/** Returns a function that compares the texts of a row with a query, as the full-text index does. Undefined if the query has no token. */
export function createMatcher(query: string): ((texts: SearchTexts) => boolean) | undefined {
  const wanted = [...queryTokens(query)].sort()
  if (wanted.length === 0) return undefined
  return (texts) => {
    const tokens = [...documentTokens(texts)].sort()
    let at = 0
    // Of the tokens that do not precede a word, the first begins with it if any does.
    return wanted.every((word) => {
      for (let token = tokens[at]; token !== undefined && token < word; token = tokens[at]) at++
      return tokens[at]?.startsWith(word) === true
    })
  }
}
