import { describe, expect, test } from 'vitest'
import { toIssues } from '../../../support/api.ts'
import { createDishVenue } from './dishes.ts'

const { venue, quote, codes, setDetails, createModifier, createDish } = await createDishVenue()
type Chosen = readonly [modifier: string, option: string, quantity?: number, options?: object[]]
const order = (product: string, ...options: Chosen[]) => ({
  items: [
    {
      product,
      quantity: 2,
      options: options.map(([modifier, option, quantity, nested]) => ({ modifier, option, quantity, options: nested })),
    },
  ],
})

describe('the number of options', () => {
  const count = async (product: string, modifier: string, chosen: number) =>
    (
      await codes(order(product, ...['a', 'b', 'c', 'd', 'e'].slice(0, chosen).map((id): Chosen => [modifier, id])))
    ).map((each: string) => each.split(' ')[1])
  const few = 'too_few_options'
  const many = 'too_many_options'
  const missing = 'required_modifier_missing'

  test.each<[string, { rules?: object; type?: string; details?: object; use?: object }, (string | undefined)[]]>([
    ['as before', {}, [undefined, undefined, undefined, undefined, undefined]],
    ['two to four', { details: { min: 2, max: 4 } }, [missing, few, undefined, undefined, undefined, many]],
    ['two to four at this product', { use: { min: 2, max: 4 } }, [missing, few, undefined, undefined, undefined, many]],
    ['optional at this product', { rules: { required: true }, use: { min: 0 } }, [undefined, undefined]],
    ['required at this product', { use: { min: 1 } }, [missing, undefined]],
    [
      'the product before the details before the rules',
      { rules: { selectRestriction: 1 }, details: { min: 1, max: 2 }, use: { max: 3 } },
      [missing, undefined, undefined, undefined, many],
    ],
    [
      'only the member that is set',
      { rules: { required: true, selectRestriction: 2 }, details: { max: 3 } },
      [missing, undefined, undefined, undefined, many],
    ],
    ['a lower maximum at this product', { details: { min: 3 }, use: { max: 1 } }, [missing, undefined, many]],
    [
      'a higher minimum at this product',
      { rules: { selectRestriction: 1 }, use: { min: 2 } },
      [missing, few, undefined, many],
    ],
    ['one for RADIO', { type: 'RADIO', details: { min: 1 } }, [missing, undefined, many]],
    ['none at this product', { rules: { required: true }, use: { max: 0 } }, [undefined, many]],
  ])('is judged: %s', async (_, { rules = {}, type = 'CHECKBOX', details, use }, expected) => {
    const modifier = await createModifier(['a', 'b', 'c', 'd', 'e'], { rules, type }, details)
    const product = await createDish({ modifiers: [modifier] }, use && { modifierRules: [{ modifier, ...use }] })
    for (const [chosen, issue] of expected.entries()) {
      expect([chosen, await count(product, modifier, chosen)]).toEqual([chosen, issue ? [issue] : []])
    }
  })

  test('is judged for each product: milks are optional for cereal and required for coffee', async () => {
    const milk = await createModifier(['oat', 'soy'], {}, { min: 0 })
    const cereal = await createDish({ modifiers: [milk] })
    const coffee = await createDish({ modifiers: [milk] }, { modifierRules: [{ modifier: milk, min: 1 }] })
    expect([await codes(order(cereal)), await codes(order(coffee))]).toEqual([
      [],
      ['/items/0/options required_modifier_missing'],
    ])
  })

  test('that cannot be reached makes the product sold out', async () => {
    const modifier = await createModifier(['a', 'b'])
    const enough = await createDish({ modifiers: [modifier] }, { modifierRules: [{ modifier, min: 2 }] })
    const short = await createDish({ modifiers: [modifier] }, { modifierRules: [{ modifier, min: 3 }] })
    const both: Chosen[] = [
      [modifier, 'a'],
      [modifier, 'b'],
    ]
    expect(await codes(order(enough, ...both))).toEqual([])
    expect(await codes(order(short, ...both))).toEqual([
      '/items/0/product sold_out',
      '/items/0/options too_few_options',
    ])
    await venue.post(`/modifiers/${modifier}`, { rules: { enableOptionQuantity: true } })
    expect(await codes(order(short, [modifier, 'a', 3]))).toEqual([])
    await setDetails(`/modifiers/${modifier}`, { options: { a: { max: 1 }, b: { max: 1 } } })
    expect(await codes(order(short, ...both))).toEqual([
      '/items/0/product sold_out',
      '/items/0/options too_few_options',
    ])
  })
})

test('an option has a maximum of its own, with enableOptionQuantity', async () => {
  const modifier = await createModifier(
    ['a', 'b'],
    { rules: { enableOptionQuantity: true } },
    { options: { a: { max: 2 } } },
  )
  const product = await createDish({ modifiers: [modifier] })
  expect(await codes(order(product, [modifier, 'a', 2], [modifier, 'b', 99]))).toEqual([])
  const { issues } = await quote(order(product, [modifier, 'b'], [modifier, 'a', 3]))
  expect(issues).toEqual([
    {
      pointer: '/items/0/options/1/quantity',
      code: 'too_many_options',
      message: 'The option is allowed at most 2 times, and it is chosen 3 times.',
      modifier,
    },
  ])
  await venue.post(`/modifiers/${modifier}`, { rules: { enableOptionQuantity: false } })
  expect(await codes(order(product, [modifier, 'a', 2]))).toEqual([
    '/items/0/options/0/quantity option_quantity_not_enabled',
  ])
})

describe('options of options', () => {
  const rules = { enableOptionQuantity: true }
  async function createNested(details: object = {}) {
    const sauce = await createModifier(
      [
        ['mild', 0.1],
        ['hot', 0.3],
      ],
      { rules },
      details,
    )
    const dip = await createModifier(['none', ['dips', 1]], { rules }, { options: { dips: { modifiers: [sauce] } } })
    return { sauce, dip, product: await createDish({ modifiers: [dip] }) }
  }

  test('cost as often as the option above them', async () => {
    const { sauce, dip, product } = await createNested()
    const answer = await quote(order(product, [dip, 'dips', 2, [{ modifier: sauce, option: 'hot', quantity: 3 }]]))
    // 2.00 + 2 × (1.00 + 3 × 0.30) = 5.80; twice 11.60.
    expect(answer.items[0]).toMatchObject({
      unitPrice: 5.8,
      total: 11.6,
      options: [{ option: 'dips', quantity: 2, options: [{ option: 'hot', quantity: 3, additionalCost: 0.3 }] }],
    })
    expect((await quote(order(product, [dip, 'none']))).items[0].options[0]).not.toHaveProperty('options')
  })

  test('are judged at the option above them', async () => {
    const { sauce, dip, product } = await createNested({ min: 1, max: 2 })
    const below = (...options: object[]) => order(product, [dip, 'dips', 1, options])
    const hot = { modifier: sauce, option: 'hot' }
    expect(await codes(below())).toEqual(['/items/0/options/0/options required_modifier_missing'])
    expect(await codes(below(hot))).toEqual([])
    expect(await codes(below({ ...hot, quantity: 3 }))).toEqual(['/items/0/options/0/options too_many_options'])
    expect(await codes(below(hot, { modifier: sauce, option: 'sweet' }))).toEqual([
      '/items/0/options/0/options/1/option unknown_option',
    ])
    expect(await codes(below(hot, { modifier: dip, option: 'none' }))).toEqual([
      '/items/0/options/0/options/1/modifier modifier_not_offered',
    ])
    // Only the option that offers them has them, and only if it is chosen.
    expect(await codes(order(product, [dip, 'none', 1, [hot]]))).toEqual([
      '/items/0/options/0/options/0/modifier modifier_not_offered',
    ])
    expect(await codes(order(product, [sauce, 'hot']))).toEqual(['/items/0/options/0/modifier modifier_not_offered'])
    expect(await codes(order(product))).toEqual([])
  })

  test('go one level deep: a modifier that has them itself is ignored, and one that is gone', async () => {
    const { sauce, dip, product } = await createNested({ min: 1 })
    const leaf = await createModifier(['x'])
    await setDetails(`/modifiers/${sauce}`, { options: { hot: { modifiers: [leaf] } } })
    expect(await codes(order(product, [dip, 'dips']))).toEqual([])
    const hot = [{ modifier: sauce, option: 'hot' }]
    expect(await codes(order(product, [dip, 'dips', 1, hot]))).toEqual([
      '/items/0/options/0/options/0/modifier modifier_not_offered',
    ])
    await setDetails(`/modifiers/${sauce}`, { options: null })
    expect(await codes(order(product, [dip, 'dips', 1, hot]))).toEqual([])
    await venue.remove(`/modifiers/${sauce}`)
    expect(await codes(order(product, [dip, 'dips']))).toEqual([])
  })

  test('are rejected two levels deep, and above their limits', async () => {
    const named = { modifier: 'm', option: 'o' }
    const post = async (...options: object[]) =>
      toIssues(await venue.post('/quotes', order('p', ['m', 'o', 1, options])))
    expect(await post({ ...named, options: [] })).toEqual(['/items/0/options/0/options/0/options unknown_field'])
    expect(await post(named, named)).toEqual(['/items/0/options/0/options/1 duplicate'])
    const many = Array.from({ length: 101 }, (_, n) => ({ modifier: 'm', option: `${n}` }))
    expect(await post(...many)).toEqual(['/items/0/options/0/options too_many'])
    expect(await post({ ...named, quantity: 100 })).toEqual(['/items/0/options/0/options/0/quantity too_large'])
  })
})

test('of halves, only the most expensive one costs, once', async () => {
  const rules = { enableOptionQuantity: true }
  const extra = await createModifier([['basil', 0.5]])
  const half = await createModifier(
    [
      ['margherita', 7],
      ['salami', 9],
      ['tuna', 8.5],
    ],
    { rules },
    { pricing: 'highest', min: 2, max: 2, options: { margherita: { modifiers: [extra] } } },
  )
  const product = await createDish({ price: 0, modifiers: [half] })
  const nested = [{ modifier: extra, option: 'basil' }]
  const { items } = await quote(order(product, [half, 'margherita', 1, nested], [half, 'salami'], [half, 'unknown']))
  expect(items[0]).toMatchObject({ unitPrice: 9.5 })
  expect(items[0].options.map(({ additionalCost }: { additionalCost: number }) => additionalCost)).toEqual([0, 9, 0])
  expect((await quote(order(product, [half, 'tuna', 2]))).items[0]).toMatchObject({ unitPrice: 8.5 })
  await setDetails(`/modifiers/${half}`, { pricing: 'sum' })
  expect((await quote(order(product, [half, 'tuna', 2]))).items[0]).toMatchObject({ unitPrice: 17 })
})

test('the highest minimum age of products, their options and options of options is shown', async () => {
  const rum = await createModifier(['rum'], {}, { options: { rum: { ageLimit: 21 } } })
  const shot = await createModifier(
    ['vodka', 'lime', 'own'],
    {},
    { options: { vodka: { ageLimit: 20 }, own: { modifiers: [rum] } } },
  )
  const beer = await createDish({ modifiers: [shot] }, { ageLimit: 16 })
  expect((await quote(order(beer))).ageLimit).toBe(16)
  expect((await quote(order(beer, [shot, 'lime']))).ageLimit).toBe(16)
  expect((await quote(order(beer, [shot, 'vodka']))).ageLimit).toBe(20)
  expect((await quote(order(beer, [shot, 'own', 1, [{ modifier: rum, option: 'rum' }]]))).ageLimit).toBe(21)
  expect(await quote(order(await createDish()))).not.toHaveProperty('ageLimit')
})
