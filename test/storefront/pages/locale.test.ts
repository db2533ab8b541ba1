import { describe, expect, test } from 'vitest'
import { detectLocale } from '../../../src/storefront/pages/locale.ts'
import { choosePageLanguage, type PageLanguage, pageLanguages } from '../../../src/storefront/pages/messages.ts'
import { createPrices } from '../../../src/storefront/pages/prices.ts'
import { toTagLabel } from '../../../src/storefront/pages/tag-label.ts'

describe('how a venue writes', () => {
  test.each([
    ['EUR', 'Europe/Lisbon', 'Café', 'pt-PT', undefined, 'ltr'],
    ['EUR', 'Europe/Kyiv', 'Café', 'en', undefined, 'ltr'],
    ['CHF', 'Europe/Zurich', 'Café', 'de-CH', undefined, 'ltr'],
    ['XOF', 'Africa/Dakar', 'Café', 'en', undefined, 'ltr'],
    [undefined, 'UTC', 'Café', 'en', undefined, 'ltr'],
    ['JPY', 'Asia/Tokyo', '小エビのサラダ', 'ja-JP', 'ja', 'ltr'],
    ['JPY', 'Asia/Tokyo', 'Prawn salad', 'en-JP', undefined, 'ltr'],
    ['TWD', 'Asia/Taipei', '牛肉麵', 'zh-TW', 'zh', 'ltr'],
    ['KRW', 'Asia/Seoul', '비빔밥', 'ko-KR', 'ko', 'ltr'],
    ['AED', 'Asia/Dubai', 'مقهى', 'ar-AE', 'ar', 'rtl'],
    ['AED', 'Asia/Dubai', 'Coffee house', 'en-AE', undefined, 'ltr'],
    ['IRR', 'Asia/Tehran', 'چای', 'fa-IR', 'fa', 'rtl'],
    ['ILS', 'Asia/Jerusalem', 'חומוס', 'he-IL', 'he', 'rtl'],
    ['EUR', 'Europe/Athens', 'Καφές', 'el-GR', 'el', 'ltr'],
    ['UAH', 'Europe/Kyiv', 'Борщ', 'uk-UA', 'uk', 'ltr'],
    ['EUR', 'Europe/Berlin', 'مقهى', 'ar-DE', 'ar', 'rtl'],
    ['EUR', 'Europe/Berlin', '123 🎉', 'de-DE', undefined, 'ltr'],
  ])('%s, %s, %s: %s', (currency, timezone, text, locale, language, direction) => {
    expect(detectLocale({ currency, timezone }, text, undefined)).toEqual({ locale, language, direction })
  })

  test('gives way to the language a guest asks for, but not in its country', () => {
    expect(detectLocale({ currency: 'EUR', timezone: 'Europe/Lisbon' }, 'Café', 'en').locale).toBe('en-PT')
    expect(detectLocale({ currency: 'EUR', timezone: 'Europe/Lisbon' }, 'Café', 'pt-BR').locale).toBe('pt-PT')
  })
})

test.each([
  ['de', undefined, 'de'],
  ['de-AT', 'fr', 'de'],
  ['pt-BR', undefined, 'pt'],
  ['zh-TW', undefined, 'zh-Hant'],
  ['zh-Hant-HK', undefined, 'zh-Hant'],
  ['zh', undefined, 'zh-Hans'],
  ['iw', undefined, 'he'],
  ['xx', 'fr', 'fr'],
  [undefined, 'xx, fr;q=0.2, es-MX;q=0.8', 'es'],
  [undefined, 'fr;q=0, sv;q=0.1', 'sv'],
  [undefined, 'zh-HK, ja;q=0.5', 'zh-Hant'],
  [undefined, '*', undefined],
  [undefined, undefined, undefined],
  ['constructor', '__proto__, toString, x'.repeat(30), undefined],
])('chooses the language of page texts: lang=%s, Accept-Language %s: %s', (requested, header, language) => {
  expect(choosePageLanguage(requested, header)).toBe(language)
})

test.each([
  ['en-US', 'USD', 3.5, '$3.50', '+$3.50'],
  ['en-US', 'USD', 0, '$0.00', ''],
  ['en-US', 'USD', -1, '-$1.00', '-$1.00'],
  ['en-US', 'USD', 0.0125, '$0.0125', '+$0.0125'],
  ['en-US', 'JPY', 319, '¥319', '+¥319'],
  ['en-US', 'JPY', 319.4, '¥319.4', '+¥319.4'],
  ['en', undefined, 12, '12', '+12'],
  ['en', undefined, 3.5, '3.5', '+3.5'],
])('%s in %s: %d is %s', (locale, currency, amount, price, extra) => {
  const prices = createPrices(locale, currency)
  expect([prices.format(amount), prices.formatExtra(amount)]).toEqual([price, extra])
})

test.each([
  ['table', '4', 'Table 4'],
  ['tableNumber', '4', 'Table Number 4'],
  ['seat_row', 'B', 'Seat row B'],
  ['table', 'Table 4', 'Table 4'],
  ['стол', '4', 'Стол 4'],
  ['_', '4', '4'],
  ['area', 'Terrace', 'Terrace'],
  ['Zone', 'Dachterrasse', 'Dachterrasse'],
  ['area', '2', 'Area 2'],
  ['area', 'B', 'Area B'],
])('%s %s reads %s', (key, value, label) => {
  expect(toTagLabel({ key, value })).toBe(label)
})

test('a table is named in the language of the text around it, unless its venue names it', () => {
  const label = (key: string, value: string, language: PageLanguage) => toTagLabel({ key, value }, language)
  expect(label('table', '201', 'de')).toBe('Tisch 201')
  expect(label('Table', '4', 'ja')).toBe('テーブル 4')
  expect([label('Mesa', '4', 'de'), label('table', 'Tisch 4', 'de')]).toEqual(['Mesa 4', 'Tisch 4'])
  expect(pageLanguages.filter((language) => !label('table', '4', language).endsWith(' 4'))).toEqual([])
})
