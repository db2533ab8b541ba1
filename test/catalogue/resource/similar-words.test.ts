import { expect, test } from 'vitest'
import {
  createSimilarMatcher,
  longWords,
  similarExpression,
} from '../../../src/catalogue/resource/store/similar-words.ts'

const isSimilar = (query: string, name: string) => createSimilarMatcher(query, longWords(query))({ names: [name] })

test.each([
  [
    'Kürbiscremesuppe',
    ['kürbiscremsuppe', 'krübiscremesuppe', 'suppw', 'supppe', 'cremesupe', 'uürbis'],
    ['sxppw', 'bissx'],
  ],
  ['Cappuccino', ['capuccino', 'cappucino', 'cappuccion', 'cappuchino', 'appuccino'], ['capucino', 'cpacuccino']],
  ['Weißbier', ['weisbier', 'weißbeir', 'wiessbier'], ['weisbeir']],
  ['Ἀθῆναι', ['αθηνοι', 'αθναι', 'θαηναι'], ['αθηοο']],
  ['Борщ Окрошка', ['окрошко', 'акрошка', 'окорошка'], ['акрошко']],
  ['Käsespätzle mit Röstzwiebeln', ['kaesespaetzle', 'kaesespaetlze', 'roestzwiebeln'], ['kaeseespaetlze']],
  ['Blaue Trauben', ['blaue', 'trauben', 'blauue'], ['blu']],
  ['Smørrebrød', ['smoer', 'smoerrebroed'], ['smaer']],
  ['Tee', ['teees'], []],
  ['Tea and cake', ['teacake'], []],
])('%s is similar to %o and not to %o', (name, similar, others) => {
  for (const query of similar)
    expect([query, isSimilar(query, name)]).toEqual([query, !['teees', 'teacake'].includes(query)])
  for (const query of others) expect([query, isSimilar(query, name)]).toEqual([query, false])
})

test('words of four letters, pairs of letters and punctuation are not similar to others', () => {
  expect(longWords('tea cake カレーライス %%%%%% 🍕🍕🍕🍕🍕 cakes Käse-Kuchen')).toEqual(['cakes', 'kuchen'])
})

test('a query has at most eight words that may be misspelt', () => {
  expect(longWords(Array.from({ length: 20 }, (_, n) => `word${n}`).join(' '))).toHaveLength(8)
})

test('the expression has both halves of a misspelt word, and the word with its middle exchanged', () => {
  expect(similarExpression('mer_abcdef', 'l', 'hot suppe', ['suppe'])).toBe(
    '"abcdefl:hot"* AND ("abcdefl:sup"* OR "abcdefl:pe"* OR "abcdefl:suppe"*)',
  )
  expect(similarExpression('mer_abcdef', 'l', 'abdcef', ['abdcef'])).toContain('"abcdefl:abcdef"*')
})
