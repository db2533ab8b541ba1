import { describe, expect, test } from 'vitest'
import { getMessages } from '../../../src/storefront/pages/languages/messages-by-language.ts'
import { type PageLanguage, pageLanguages } from '../../../src/storefront/pages/messages.ts'
import { createPhrases, fill } from '../../../src/storefront/pages/phrases.ts'

/** Each language's sentences with one and with three menus, and with a count. */
const sentences: Readonly<Record<PageLanguage, readonly [string, string, string]>> = {
  en: ['A is served from 7:00.', 'A, B, and C are served from 7:00.', 'choose 1 to 3'],
  de: ['A gibt es ab 7:00.', 'A, B und C gibt es ab 7:00.', '1 bis 3 auswählen'],
  fr: ['A : à partir de 7:00.', 'A, B et C : à partir de 7:00.', 'choisir de 1 à 3'],
  es: ['A se sirve a partir de: 7:00.', 'A, B y C se sirven a partir de: 7:00.', 'elija de 1 a 3'],
  it: ['A – inizio: 7:00.', 'A, B e C – inizio: 7:00.', 'scegliere da 1 a 3'],
  pt: ['A serve-se a partir de: 7:00.', 'A, B e C servem-se a partir de: 7:00.', 'escolha de 1 a 3'],
  nl: ['A is er vanaf 7:00.', 'A, B en C zijn er vanaf 7:00.', 'kies 1 tot en met 3'],
  pl: ['A – początek: 7:00.', 'A, B i C – początek: 7:00.', 'wybierz od 1 do 3'],
  cs: ['A – začátek: 7:00.', 'A, B a C – začátek: 7:00.', 'vyberte 1 až 3'],
  da: ['A serveres fra 7:00.', 'A, B og C serveres fra 7:00.', 'vælg 1 til 3'],
  sv: ['A serveras från 7:00.', 'A, B och C serveras från 7:00.', 'välj 1 till 3'],
  fi: ['A alkaa: 7:00.', 'A, B ja C alkavat: 7:00.', 'valitse 1–3'],
  hu: ['A – kezdete: 7:00.', 'A, B és C – kezdete: 7:00.', '1–3 választandó'],
  el: ['A σερβίρεται από: 7:00.', 'A, B και C σερβίρονται από: 7:00.', 'επιλέξτε από 1 έως 3'],
  tr: ['A – başlangıç: 7:00.', 'A, B ve C – başlangıç: 7:00.', '1 ile 3 arasında seçin'],
  ru: ['A — начало: 7:00.', 'A, B и C — начало: 7:00.', 'выберите от 1 до 3'],
  uk: ['A — початок: 7:00.', 'A, B і C — початок: 7:00.', 'виберіть від 1 до 3'],
  ar: ['A: ابتداءً من 7:00.', 'A وB وC: ابتداءً من 7:00.', 'اختر من 1 إلى 3'],
  he: ['A – החל מ: 7:00.', 'A, B ו-C – החל מ: 7:00.', 'יש לבחור 1 עד 3'],
  th: ['A เริ่มให้บริการ 7:00', 'A B และC เริ่มให้บริการ 7:00', 'เลือก 1 ถึง 3 รายการ'],
  ja: ['Aは7:00からご提供します。', 'A、B、Cは7:00からご提供します。', '1～3個選択'],
  ko: ['A: 7:00부터 제공됩니다.', 'A, B 및 C: 7:00부터 제공됩니다.', '1~3개 선택'],
  'zh-Hans': ['A：7:00开始供应。', 'A、B和C：7:00开始供应。', '选 1 至 3 项'],
  'zh-Hant': ['A：7:00開始供應。', 'A、B和C：7:00開始供應。', '選 1 至 3 項'],
}
const toText = (value: unknown) =>
  String(value)
    .replaceAll(/<\/?bdi[^>]*>/g, '')
    .replaceAll('\u00a0', ' ')

describe.each(pageLanguages)('the texts in %s', (language) => {
  const phrases = createPhrases(language, language)

  test('agree with the number of menus, and write lists and numbers as the language does', () => {
    const { next, count, messages } = phrases
    expect([
      toText(next(['A'], '7:00')),
      toText(next(['A', 'B', 'C'], '7:00')),
      count(messages.chooseBetween, { one: 1, count: 3 }),
    ]).toEqual(sentences[language])
  })

  test.each([2, 5, 11, 21])('name each of %i menus and the time once', (amount) => {
    const titles = Array.from({ length: amount }, (_, index) => `Menu ${String.fromCharCode(65 + index)}`)
    const sentence = toText(phrases.next(titles, '7:00'))
    expect(sentence.match(/Menu [A-U]/g)).toEqual(titles)
    expect(sentence.split('7:00')).toHaveLength(2)
    expect(sentence).not.toContain('{')
  })

  test('have the same placeholders as the English ones', () => {
    const english = getMessages('en')
    const listPlaceholders = (text: string) => Array.from(text.matchAll(/\{\w+\}/g), ([name]) => name).sort()
    for (const [name, text] of Object.entries(phrases.messages)) {
      if (name === 'next' || name === 'fullStop') continue
      expect([name, text]).not.toEqual([name, ''])
      const original = Object.entries(english).find(([key]) => key === name)?.[1]
      expect([name, listPlaceholders(text)]).toEqual([name, listPlaceholders(original)])
    }
    for (const text of Object.values(phrases.messages.next)) {
      expect(listPlaceholders(text)).toEqual(['{menus}', '{time}'])
    }
  })
})

test('there are texts in 24 languages', () => expect(pageLanguages).toHaveLength(24))

test('a text says its language where the content is in another', () => {
  const { say, next } = createPhrases('de', 'ar')
  expect(String(say('Ausverkauft'))).toBe('<bdi lang="de">Ausverkauft</bdi>')
  expect(String(next(['عشاء'], '19:00'))).toBe('<bdi lang="ar">عشاء</bdi> gibt es ab 19:00.')
  expect(String(createPhrases('de', 'de').say('Ausverkauft'))).toBe('Ausverkauft')
})

test('a text without a value for a placeholder leaves it empty', () => {
  expect(fill('from {time}!', { time: '7' }).join('')).toBe('from 7!')
  expect(fill('from {time}!', {}).join('')).toBe('from !')
})
