/** Letters that Unicode does not decompose. */
const letters = new Map(Object.entries({ ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', ı: 'i' }))

/** Normalizes text for comparison, as the service does: ignores width, case and accents. */
const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/[øłđæœı]/g, (letter) => letters.get(letter) ?? letter)

/** Numbers of letters of a word that may have a typing error. */
const misspelt = { min: 5, max: 40 } as const

/** A pattern of a word with one typing error: a letter too many, too few, another one, or two in the wrong order. */
function toSimilar(word: string): RegExp {
  const all = [...word]
  const variants = all.flatMap((letter, at) => {
    const [before, rest] = [all.slice(0, at).join(''), all.slice(at + 1)]
    const exchanged = [rest[0], letter, ...rest.slice(1)].join('')
    return [`\\S?${rest.join('')}`, `\\S${letter}${rest.join('')}`, exchanged].map((end) => before + end)
  })
  return new RegExp(variants.join('|'), 'u')
}

/**
 * A test of texts for the typed words: they begin with a letter, or contain two or more. Digits match the start of a number: 5 finds tables 5 and 50,
 * but not 15. A word of at least five letters that is in none of `all` texts may have a typing error. A search without words finds its characters.
 */
export function createMatcher(typed: string, all: readonly string[]): (text: string) => boolean {
  const texts = all.map(fold)
  const patterns = fold(typed)
    .match(/[\p{L}\p{M}\p{N}]+/gu)
    ?.map((word) => {
      const isNumber = /^\d+$/.test(word)
      const exact = new RegExp(
        isNumber ? `(?<!\\d)${word}` : word.length > 1 ? word : `(?<![\\p{L}\\p{N}])${word}`,
        'u',
      )
      const mayBeMisspelt = !isNumber && word.length >= misspelt.min && word.length <= misspelt.max
      return mayBeMisspelt && !texts.some((text) => exact.test(text)) ? toSimilar(word) : exact
    })
  const mark = typed.trim()
  return (text) => (patterns ? patterns.every((pattern) => pattern.test(fold(text))) : text.includes(mark))
}
