import { describe, expect, test } from 'vitest'
import { createVenue, toIssues } from '../../support/api.ts'
import { createFieldCases } from '../../support/field-cases.ts'

const venue = await createVenue()

/** A body with a number that `JSON.stringify` cannot write. */
const written = (body: object, field: string, number: string) =>
  JSON.stringify({ ...body, [field]: '#' }).replace('"#"', number)

const amount = {
  good: [0, 0.0001, 0.1, 4.35, 1.005, 12_345.6789, 999_999_999.9999, 1_000_000_000],
  texts: { '1000000000': 1e9, '12.50': 12.5, '0.0001': 0.0001, '007.10': 7.1, '1000000000.0000': 1e9 },
  bad: {
    too_large: [1_000_000_000.0001, 1e9 + 1, 1e21, 1.7e308],
    too_precise: [0.00001, 1.23456, 0.30001, 4.350000002],
  },
}
const negative = { too_small: [-0.0001, -1, -1e300] }
const count = {
  good: [0, 1, 2 ** 31, Number.MAX_SAFE_INTEGER],
  texts: { '12': 12, '9007199254740991': Number.MAX_SAFE_INTEGER, '3.0': 3 },
  bad: {
    too_small: [-1, -0.5],
    too_large: [Number.MAX_SAFE_INTEGER + 1, 1e21],
    too_precise: [0.5, 1.0000001],
  },
}
const numbers: [string, string, { good: number[]; texts: Record<string, number>; bad: Record<string, number[]> }][] = [
  ['products', '/price', { ...amount, bad: { ...amount.bad, ...negative } }],
  ['coupons', '/minimumOrderAmount', { ...amount, bad: { ...amount.bad, ...negative } }],
  [
    'coupons',
    '/value',
    { ...amount, good: amount.good.filter((value) => value > 0), bad: { ...amount.bad, too_small: [0, -0.0001, -1] } },
  ],
  [
    'modifiers',
    '/options/0/additionalCost',
    {
      good: [...amount.good, -0.0001, -4.35, -1_000_000_000],
      texts: { ...amount.texts, '-12.50': -12.5 },
      bad: { ...amount.bad, too_small: [-1_000_000_000.0001, -1e21] },
    },
  ],
  ['products', '/calories', count],
  ['modifiers', '/options/0/additionalCalories', count],
  ['coupons', '/timesRedeemed', count],
  ['modifiers', '/rules/selectRestriction', count],
  [
    'products',
    '/taxRate',
    {
      good: [0, 7.7, 19, 33.333333333, 100],
      texts: { '19.00': 19 },
      bad: { too_small: [-0.1], too_large: [100.01, 1e300] },
    },
  ],
  [
    'products',
    '/stockQuantity',
    {
      good: [0, -0.0001, -3, 2.5, 1e9 + 1, -123_456_789.1234],
      texts: { '-2.5': -2.5 },
      bad: { too_precise: [0.00001, -1.00001] },
    },
  ],
]

describe.each(numbers)('the number %s%s', (collection, pointer, { good, texts, bad }) => {
  const { takes, refuses } = createFieldCases(venue, collection, pointer)

  test('is accepted up to its limits and returned as it was sent', async () => {
    for (const value of good) await takes(value)
    for (const [text, value] of Object.entries(texts)) await takes(text, value)
  })

  test('is refused one past its limits, as a number and as a text', async () => {
    for (const [code, values] of Object.entries(bad)) {
      for (const value of values) {
        await refuses(value, code)
        if (!String(value).includes('e')) await refuses(String(value), code)
      }
    }
    await refuses('9'.repeat(400), 'too_large')
  })

  test('is finite, and nothing else than a number', async () => {
    for (const value of [true, false, [], [1], {}]) await refuses(value, 'invalid_type')
    for (const text of ['', '1e3', ' 1', '1,5', 'Infinity']) await refuses(text, 'invalid_format')
  })
})

test('a number that JSON can write but no double can hold is refused, and a negative zero is a zero', async () => {
  for (const field of ['price', 'taxRate', 'stockQuantity', 'calories']) {
    const send = (number: string) => venue.raw('/products', written({ title: 'Tea', price: 1 }, field, number))
    for (const number of ['1e9999', '-1e9999', `1${'0'.repeat(400)}`]) {
      expect(toIssues(await send(number))).toEqual([`/${field} too_large`])
    }
    for (const number of ['-0', '-0.0', '0e5', '0.00', '1e-400', '-1e-400']) {
      expect([number, Object.is((await send(number)).body[field], 0)]).toEqual([number, true])
    }
    expect((await send('1E2')).body[field]).toBe(100)
  }
})

describe("a customer's email", () => {
  const { takes, refuses } = createFieldCases(venue, 'customers', '/email')
  const label = 'd'.repeat(63)
  const longest = `${'l'.repeat(64)}@${label}.${label}.${label}.${label}`

  test('is an address, of any script', async () => {
    expect(longest).toHaveLength(320)
    const addresses = [
      'a@b.co',
      "o'brien+tag@sub.example.com",
      'a.b-c_d@e-f.example',
      '1@2.example',
      '!#$%&*/=?^`{|}~@b.co',
    ]
    for (const address of [
      ...addresses,
      'üser@exämple.de',
      '用户@例え.テスト',
      'अ@उदाहरण.भारत',
      'A@XN--P1AI.XN--P1AI',
      longest,
    ]) {
      await takes(address)
    }
    await takes('\u3000 a@b.co\n', 'a@b.co')
  })

  test('is rejected otherwise', async () => {
    const texts = [
      'plain',
      'a@',
      '@b.co',
      'a@b',
      'a@@b.co',
      'a@b@c.co',
      'a b@c.co',
      'a@b c.co',
      'a@b..co',
      'a@.b.co',
      'a@b.co.',
    ]
    const dots = ['.a@b.co', 'a.@b.co', 'a..b@c.co', 'a@-b.co', 'a@b-.co', 'a@b_c.co', 'a@b.co,c@d.co', 'a@b.co;c@d.co']
    const tricks = [
      '<a@b.co>',
      'Ann <a@b.co>',
      'mailto:a@b.co',
      'a\n@b.co',
      'a@b.co\nBcc: c@d.co',
      'a\u200b@b.co',
      'a@b\u200b.co',
    ]
    for (const text of [...texts, ...dots, ...tricks, `${'l'.repeat(65)}@b.co`, `a@${'d'.repeat(64)}.co`]) {
      await refuses(text, 'invalid_format')
    }
    await refuses(`${longest}d`, 'too_long')
    for (const text of ['', '  ']) await refuses(text, 'too_short')
    await refuses('a\0@b.co', 'invalid_character')
    await refuses(5, 'invalid_type')
  })
})

describe("a customer's phone", () => {
  const { takes, refuses } = createFieldCases(venue, 'customers', '/phone')

  test('consists of digits, spaces, + - ( ) . and an extension', async () => {
    const phones = [
      '1',
      '+49 (0)89 1234-567',
      '555.123.4567',
      '(555) 123-4567 x89',
      '5551234x1',
      '5551234 x 12',
      '1'.repeat(32),
    ]
    for (const phone of phones) await takes(phone)
    await takes(' +1 555 \n', '+1 555')
  })

  test('is rejected otherwise', async () => {
    const texts = [
      'abc',
      '+',
      '()',
      '-',
      'x12',
      '123x',
      '123 x',
      '123 x4 x5',
      '12/34',
      '12#34',
      '1\t2',
      '1\n2',
      '١٢٣',
      '１２３',
      'tel:1',
    ]
    for (const text of texts) await refuses(text, 'invalid_format')
    await refuses('1'.repeat(33), 'too_long')
    for (const text of ['', ' ']) await refuses(text, 'too_short')
    await refuses('1\0', 'invalid_character')
    await refuses(49301, 'invalid_type')
  })
})

test.each<[string, string, string[], string[]]>([
  ['products', '/type', ['SIMPLE'], ['simple', 'VARIABLE', '', ' SIMPLE']],
  ['modifiers', '/type', ['CHECKBOX', 'RADIO'], ['radio', 'SELECT', '']],
  ['menus', '/sections/0/type', ['LIST'], ['list', 'GRID', '']],
  ['coupons', '/type', ['PERCENTAGE', 'FIXED'], ['fixed', 'BOGO', '', 'constructor']],
  [
    'webhooks',
    '/events/0',
    ['*', 'order.created', 'tag.deleted'],
    ['order.deleted', 'webhook.test', 'Order.created', '', '**'],
  ],
])('%s%s knows only its own words', async (collection, pointer, good, bad) => {
  const { takes, refuses } = createFieldCases(venue, collection, pointer)
  for (const word of good) await takes(word)
  for (const word of bad) await refuses(word, 'invalid_value')
  for (const value of [5, true, []]) await refuses(value, 'invalid_value')
})
