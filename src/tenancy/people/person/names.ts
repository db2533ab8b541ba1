/** A text without case, accents and repeated white space, for comparison. */
export const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()

/** Words of a text. Scripts without spaces between words have one word for each character. */
const words =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*|[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]]+/gv

interface Word {
  text: string
  start: number
  end: number
}
const splitWords = (text: string): Word[] =>
  Array.from(text.matchAll(words), ({ 0: word, index }) => ({
    text: fold(word),
    start: index,
    end: index + word.length,
  }))

/** The name of the person that a part of a text matches. A full name is both names, in either order. */
type NameKind = 'first' | 'last' | 'full'
export interface FoundName {
  start: number
  end: number
  kinds: ReadonlySet<NameKind>
}

/** Maximum number of characters between two words of one name. */
const maxSeparator = 3

/** The names of a person at one time. */
export interface PersonName {
  first: string
  last: string
}

interface Sequence {
  words: readonly string[]
  kinds: Set<NameKind>
}

/** The names of a person, for search in texts. */
export class NameIndex {
  readonly #byFirstWord = new Map<string, Sequence[]>()
  readonly #whole = new Set<string>()
  readonly firsts: ReadonlySet<string>
  readonly lasts: ReadonlySet<string>

  constructor(names: readonly PersonName[]) {
    const toSet = (texts: readonly string[]) => new Set(texts.map(fold).filter((text) => text !== ''))
    this.firsts = toSet(names.map(({ first }) => first))
    this.lasts = toSet(names.map(({ last }) => last))
    for (const { first, last } of names) {
      for (const text of [first, last, `${first} ${last}`, `${last} ${first}`, first + last, last + first]) {
        if (fold(text) !== '') this.#whole.add(fold(text))
      }
      const [firstWords, lastWords] = [splitWords(first), splitWords(last)].map((list) => list.map(({ text }) => text))
      if (!firstWords?.length || !lastWords?.length) continue
      this.#add('full', [...firstWords, ...lastWords])
      this.#add('full', [...lastWords, ...firstWords])
      this.#add('full', [[...firstWords, ...lastWords].join('')])
      this.#add('full', [[...lastWords, ...firstWords].join('')])
    }
    for (const first of this.firsts)
      this.#add(
        'first',
        splitWords(first).map(({ text }) => text),
      )
    for (const last of this.lasts)
      this.#add(
        'last',
        splitWords(last).map(({ text }) => text),
      )
    for (const list of this.#byFirstWord.values()) list.sort((a, b) => b.words.length - a.words.length)
  }

  #add(kind: NameKind, sequence: readonly string[]) {
    const [first] = sequence
    if (first === undefined) return
    const list = this.#byFirstWord.get(first) ?? []
    this.#byFirstWord.set(first, list)
    const known = list.find((each) => each.words.join(' ') === sequence.join(' '))
    if (known) known.kinds.add(kind)
    else list.push({ words: sequence, kinds: new Set([kind]) })
  }

  /** Whether a text is a name of the person, or both names in either order. */
  isWhole = (text: string) => this.#whole.has(fold(text))

  /** The names in a text, at word boundaries. A single name of one character counts only as a whole text. */
  find(text: string): FoundName[] {
    const list = splitWords(text)
    const found: FoundName[] = []
    const matches = (at: number, { words: sequence }: Sequence) =>
      sequence.every((word, index) => {
        const [current, before] = [list[at + index], list[at + index - 1]]
        const isNear = index === 0 || (current?.start ?? 0) - (before?.end ?? 0) <= maxSeparator
        return isNear && current?.text === word
      })
    for (let at = 0; at < list.length; at++) {
      const sequence = this.#byFirstWord.get(list[at]?.text ?? '')?.find((each) => matches(at, each))
      if (!sequence) continue
      const [start, end] = [list[at]?.start ?? 0, list[at + sequence.words.length - 1]?.end ?? 0]
      const isCounted =
        sequence.kinds.has('full') || sequence.words.join('').length > 1 || text.trim().length === end - start
      if (isCounted) found.push({ start, end, kinds: sequence.kinds })
      at += sequence.words.length - 1
    }
    return found
  }
}
