import { describe, test } from 'vitest'
import { createVenue } from '../../support/api.ts'
import { createFieldCases } from '../../support/field-cases.ts'

const venue = await createVenue()

/** Collection, place, fewest and most code points. A coupon's code, which can be had only once, has its own test. */
type TextLimit = [string, string, number, number]

const trimmed: TextLimit[] = [
  ['products', '/title', 1, 255],
  ['products', '/upc', 1, 64],
  ['products', '/sku', 1, 64],
  ['products', '/metadata/0/key', 1, 64],
  ['modifiers', '/title', 1, 255],
  ['modifiers', '/options/0/label', 0, 255],
  ['menus', '/title', 1, 255],
  ['menus', '/sections/0/title', 0, 255],
  ['coupons', '/title', 1, 255],
  ['customers', '/firstName', 1, 255],
  ['customers', '/lastName', 1, 255],
  ['tags', '/metadata/0/key', 1, 64],
  ['webhooks', '/title', 1, 255],
]
const exact: TextLimit[] = [
  ['products', '/description', 0, 5_000],
  ['products', '/metadata/0/value', 0, 5_000],
  ['modifiers', '/instructions', 0, 5_000],
  ['modifiers', '/description', 0, 5_000],
  ['menus', '/description', 0, 5_000],
  ['menus', '/sections/0/description', 0, 5_000],
  ['coupons', '/description', 0, 5_000],
  ['tags', '/metadata/0/value', 0, 5_000],
]

describe.each([...trimmed, ...exact])('the text %s%s', (collection, pointer, min, max) => {
  const { takes, refuses } = createFieldCases(venue, collection, pointer)
  const isTrimmed = trimmed.some((limit) => limit[0] === collection && limit[1] === pointer)

  test(`has ${min} to ${max} code points`, async () => {
    for (const length of [min, max]) await takes('🍵'.repeat(length))
    await refuses('🍵'.repeat(max + 1), 'too_long')
    await refuses('a'.repeat(max + 1), 'too_long')
    if (min > 0) await refuses('', 'too_short')
  })

  test('rejects NUL, unpaired surrogates and values that are not text', async () => {
    for (const text of ['\0', 'a\0b', '\ud83c', 'a\ude00', '\ude00\ud83c']) await refuses(text, 'invalid_character')
    for (const value of [5, true, ['a'], { a: 'b' }]) await refuses(value, 'invalid_type')
  })

  if (isTrimmed) {
    test('is stored without the white space around it, which does not count', async () => {
      await takes('\u3000\ufeff\u00a0 \t\r\na  b\u2028', 'a  b')
      await takes(`  ${'a'.repeat(max)}\n`, 'a'.repeat(max))
      await takes('\u200b', '\u200b')
      if (min > 0) await refuses(' \n\u3000', 'too_short')
      else await takes(' \n', '')
    })
  }
  if (!isTrimmed) {
    test('is kept exactly', async () => {
      for (const text of ['', ' \t\r\n ', '\ufeff\u0001\u007f\u2028"\\\'</script>', 'e\u0301 é ﷺ 👨‍👩‍👧'])
        await takes(text)
    })
  }
})

describe.each([
  ['products', '/images/0/url'],
  ['menus', '/branding/banner'],
  ['menus', '/branding/icon'],
])('the address %s%s', (collection, pointer) => {
  const { takes, refuses } = createFieldCases(venue, collection, pointer)
  const long = (length: number) => `https://a.example.com/${'é'.repeat(length - 22)}`

  test('is http or https and has at most 2,048 characters', async () => {
    for (const url of [
      'https://a.b/c',
      'HTTP://A.B:8080/x?y=z#q',
      'https://bücher.de/ä',
      'http://[::1]/',
      long(2_048),
    ]) {
      await takes(url)
    }
    await refuses(long(2_049), 'too_long')
  })

  test('is rejected otherwise', async () => {
    const texts = [
      '',
      'a.png',
      '/a.png',
      '//a.b/c',
      'https://',
      'https:a.b',
      'ftp://a.b',
      'javascript:alert(1)',
      'data:,x',
    ]
    for (const text of [
      ...texts,
      ' https://a.b',
      'https://a.b/ c',
      'https://a.b/\n',
      'https://a b/',
      'https://a.b:x/',
    ]) {
      await refuses(text, 'invalid_format')
    }
    await refuses('https://a.b/\0', 'invalid_character')
    await refuses('https://a.b/\ud800', 'invalid_character')
    for (const value of [true, 0, 5, ['https://a.b'], { url: 'https://a.b' }]) await refuses(value, 'invalid_type')
    if (collection === 'menus') await takes(false)
    else await refuses(false, 'invalid_type')
  })
})
