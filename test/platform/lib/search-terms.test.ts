import { expect, test } from 'vitest'
import { indexTerms, matchExpression } from '../../../src/platform/lib/search-terms.ts'

const words = (text: string) => indexTerms('mer_abcdef', 'l', [text]).split(' ')
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
  expect(indexTerms('mer_abcdef', 't', ['a', undefined, 'b'])).toBe('abcdeft:a abcdeft:b')
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
