import { expect, test } from 'vitest'
import { indexTerms, matchExpression } from '../../../src/platform/lib/search-terms.ts'

const words = (text: string) => indexTerms('mer_abcdef', 'l', { names: [], others: [text] }).split(' ')
const terms = (text: string) => words(text).map((word) => word.replace(/^abcdefl:/, ''))
const asked = (query: string) =>
  matchExpression('mer_abcdef', 'l', query)
    ?.split(' AND ')
    .map((phrase) => phrase.replace(/^"abcdefl:(.*)"\*$/, '$1'))

test.each([
  ['Crème BRÛLÉE', ['creme', 'brulee']],
  ['Straße STRASSE', ['strasse']],
  ['Smørrebrød Ærø Łódź', ['smorrebrod', 'aero', 'lodz']],
  ['İstanbul ılık', ['istanbul', 'ilik']],
  ['ΟΔΟΣ οδός', ['οδοσ'.replaceAll('σ', 's')]],
  ['ﬁ ½ ① Ⅳ', ['fi', '1', '⁄', '2', 'iv']],
  ['Ｔｅａ ｶﾞｷﾞ', ['tea', 'ガギ', 'ギ']],
  ['カレーライス', ['カレ', 'レー', 'ーラ', 'ライ', 'イス', 'ス']],
  ['東京tower', ['東京', '京', 'tower']],
  ['50% off!', ['50', '%', 'off', '!']],
  ['a-b_c', ['a', '-', 'b', '_', 'c']],
  ['👍🏽', ['👍', '🏽']],
  ['हिन्दी', ['हिन्दी']],
  ['', ['']],
  ['\0\u200b\t', ['']],
])('%s is split into %o', (text, expected) => expect(terms(text)).toEqual(expected))

test('every word of a row is in its partition once', () => {
  expect(words('tea Tea TEA')).toEqual(['abcdefl:tea'])
  expect(indexTerms('mer_abcdef', 't', { names: ['a', undefined, 'b'] })).toBe('abcdeft:a abcdeft:b')
})

test.each([
  ['te', ['te']],
  ['crème-brûlée', ['creme', 'brulee']],
  ['gin + tonic', ['gin', 'tonic']],
  ['%', ['%']],
  ['"', ['""']],
  ['100%', ['100']],
  ['カレー', ['カレ', 'レー']],
  ['カ', ['カ']],
  ['👍🏽 ok', ['👍', 'ok']],
  ['tea tea TEA', ['tea']],
  ['NEAR(a*, "b") AND NOT c:d', ['near', 'a', 'b', 'and', 'not', 'c', 'd']],
])('%s searches for %o', (query, expected) => expect(asked(query)).toEqual(expected))

test.each(['', ' ', '\0', '\u200d\u0301'])('%o searches for nothing', (query) => expect(asked(query)).toBeUndefined())

/** The terms of a name besides its words. */
const ends = (name: string) => {
  const all = indexTerms('mer_abcdef', 'l', { names: [name] }).split(' ')
  const own = new Set(words(name))
  return all.filter((term) => !own.has(term)).map((term) => term.replace(/^abcdefl:/, ''))
}

test.each([
  ['Suppe', ['ppe', 'pe']],
  ['Tees', []],
  ['Süß süßer', ['sser', 'ser', 'er']],
  ['ἀθῆναι', ['ηναι', 'ναι', 'αι']],
  ['Ёжики', ['ики', 'ки']],
  ['हिन्दीहिन्दी', ['दीहिन्दी', 'हिन्दी', 'न्दी']],
  ['カレーライス', []],
  ['ข้าวผัดกุ้ง', []],
  ['a-b-c-d', []],
])('%s is found from within by %o', (name, expected) => expect(ends(name)).toEqual(expected))

test('the ends of a word and of all words have a maximum size', () => {
  // Of a longer word, all ends of equal letters are the same.
  const sizes = [80, 81, 400].map((length) => ends('x'.repeat(length)).length)
  expect(sizes).toEqual([77, 78, 1])
  expect(Math.max(...ends('abcdefgh'.repeat(100)).map(({ length }) => length))).toBe(80)
  const many = Array.from({ length: 20_000 }, (_, n) => `abcde${n}fghij`)
  const size = ends(many.join(' ')).reduce((sum, { length }) => sum + length + 9, 0)
  expect(size).toBeGreaterThan(149_900)
  expect(size).toBeLessThan(151_000)
})
