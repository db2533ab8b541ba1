import {
  createMatcher,
  maxInnerLetters,
  nameWords,
  queryTokens,
  type SearchTexts,
  toBeginning,
} from '../../../platform/lib/search-terms.ts'

/** Minimum number of letters of a word that may have a typing error. */
const minLetters = 5
/** Maximum number of words of a query that may have one, and of objects that are compared with them. */
export const similarLimits = { words: 8, candidates: 500 } as const

const isWord = /^[\p{L}\p{N}\p{M}]+$/u

/** Words of a query that are long enough to be searched with a typing error. Scripts without spaces have none: their tokens are pairs. */
export const longWords = (query: string): string[] =>
  [...queryTokens(query)]
    .filter((word) => isWord.test(word) && [...word].length >= minLetters)
    .slice(0, similarLimits.words)

/** A word, and how it is indexed if its `ae`, `oe` and `ue` stand for umlauts: `kaesespaetzle` for "Käsespätzle". */
const listForms = (word: string) => [...new Set([word, word.replaceAll(/([aou])e/g, '$1')])]

/** Whether the letters from `at` on begin with a word that has at most one error: a letter too many, too few, another one, or two in the wrong order. */
function beginsSimilarly(letters: readonly string[], at: number, word: readonly string[]): boolean {
  let same = 0
  while (same < word.length && word[same] === letters[at + same]) same++
  if (same === word.length) return true
  const continues = (from: number, letter: number) => {
    for (let index = from; index < word.length; index++)
      if (word[index] !== letters[letter + index - from]) return false
    return true
  }
  const next = at + same
  return (
    continues(same + 1, next + 1) ||
    continues(same + 1, next) ||
    continues(same, next + 1) ||
    (word[same] === letters[next + 1] && word[same + 1] === letters[next] && continues(same + 2, next + 2))
  )
}

/** Whether a word of a name begins with a similar word, or has one from its third letter on. A short form of a word must have no error. */
function hasSimilar(name: string, word: readonly string[]): boolean {
  if (word.length < minLetters) {
    const text = word.join('')
    return name.startsWith(text) || name.includes(text, 2)
  }
  const letters = [...name].slice(0, maxInnerLetters)
  if (beginsSimilarly(letters, 0, word)) return true
  for (let at = 2; at + word.length <= letters.length + 1; at++) if (beginsSimilarly(letters, at, word)) return true
  return false
}

/**
 * The FTS5 expression for objects that may match a query with typing errors in the words `misspelt`: they contain the first or the second half of each
 * or of its other form, or the word with its letters in the middle exchanged.
 */
export function similarExpression(
  merchantId: string,
  suffix: string,
  query: string,
  misspelt: readonly string[],
): string {
  const begin = (text: string) => toBeginning(merchantId, suffix, text)
  return Array.from(queryTokens(query), (token) => {
    if (!misspelt.includes(token)) return begin(token)
    const parts = listForms(token).flatMap((form) => {
      const letters = [...form]
      const middle = Math.ceil(letters.length / 2)
      const [first, second] = [letters.slice(0, middle), letters.slice(middle)]
      return [first, second, [...first.slice(0, -1), ...second.slice(0, 1), ...first.slice(-1), ...second.slice(1)]]
    })
    return `(${parts.map((part) => begin(part.join(''))).join(' OR ')})`
  }).join(' AND ')
}

/** Compares the texts of an object with a query that has typing errors in the words `misspelt`, which may only be in names. */
export function createSimilarMatcher(query: string, misspelt: readonly string[]): (texts: SearchTexts) => boolean {
  const others = createMatcher([...queryTokens(query)].filter((token) => !misspelt.includes(token)).join(' '))
  const words = misspelt.map((word) => listForms(word).map((form) => [...form].slice(0, maxInnerLetters)))
  return (texts) => {
    if (others && !others(texts)) return false
    const names = [...new Set(nameWords(texts))]
    return words.every((forms) => forms.some((form) => names.some((name) => hasSimilar(name, form))))
  }
}
