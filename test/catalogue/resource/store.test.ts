import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createVenue } from '../../support/api.ts'
import { toRounds } from '../../support/rounds.ts'
import { samples } from '../../support/samples.ts'

/** The same cases on every run; a failure names its seed and path, with which fast-check replays it. */
const runs = (numRuns: number) => ({ seed: 20_261_121, numRuns: toRounds(numRuns) })

const venue = await createVenue()
const several = <Value>(count: number, make: () => Promise<Value>) => Promise.all(Array.from({ length: count }, make))
const products: string[] = await several(
  6,
  async () => (await venue.post('/products', { title: 'Tea', price: 1 })).body.id,
)
const modifiers: string[] = await several(
  6,
  async () => (await venue.post('/modifiers', { title: 'Milk', instructions: '' })).body.id,
)

/** Any text that can be stored: all of Unicode but NUL. */
const text = (maxLength = 40) => fc.string({ unit: 'binary', maxLength }).map((value) => value.replaceAll('\0', ''))
const label = text().map((value) => value.trim())
const title = label.filter((value) => value !== '')
const url = fc.webUrl({ withFragments: true, withQueryParameters: true }).filter((value) => value.length <= 2_048)
const decimals = (min: number, max: number) => fc.integer({ min, max }).map((units) => units / 10_000)
const amount = decimals(0, 10 ** 13)
const count = fc.maxSafeNat()
const flag = fc.boolean()
const subset = (ids: readonly string[]) => fc.shuffledSubarray([...ids])
const record = <Shape>(required: (keyof Shape)[], shape: { [key in keyof Shape]: fc.Arbitrary<Shape[key]> }) =>
  fc.record(shape, { requiredKeys: required })

/** Valid bodies, in the form in which they are returned. */
const valid: Record<string, fc.Arbitrary<Record<string, unknown>>> = {
  products: record(['title', 'price'], {
    title,
    price: amount,
    description: text(),
    visible: flag,
    taxable: flag,
    useCustomTaxRate: flag,
    taxRate: fc.double({ min: 0, max: 100, noNaN: true }).map((value) => value + 0),
    calories: count,
    manageStock: flag,
    stockQuantity: decimals(-(10 ** 13), 10 ** 13),
    type: fc.constant('SIMPLE'),
    upc: title,
    sku: title,
    images: fc.array(fc.record({ url }), { maxLength: 3 }),
    metadata: fc.array(fc.record({ key: title, value: text() }), { maxLength: 3 }),
    modifiers: subset(modifiers),
  }),
  modifiers: record(['title', 'instructions'], {
    title,
    instructions: text(),
    description: text(),
    rules: record([], { required: flag, requireSelectRestriction: flag, enableOptionQuantity: flag }),
    options: fc.uniqueArray(
      record(['id'], {
        id: fc.string({ unit: fc.constantFrom(...'aZ0_-'), minLength: 1, maxLength: 64 }),
        label,
        additionalCost: decimals(-(10 ** 13), 10 ** 13),
        additionalCalories: count,
        preSelected: flag,
      }),
      { maxLength: 4, selector: ({ id }) => id },
    ),
  }),
  menus: record(['title'], {
    title,
    description: text(),
    showSectionNavigation: flag,
    visible: flag,
    branding: record([], { banner: fc.oneof(fc.constant(false), url), icon: fc.oneof(fc.constant(false), url) }),
    sections: fc.array(
      record(['type', 'items'], {
        title: label,
        description: text(),
        type: fc.constant('LIST'),
        items: subset(products),
      }),
      { maxLength: 3 },
    ),
  }),
  coupons: record(['title', 'code', 'type', 'value', 'applyToAllProducts'], {
    title,
    code: fc.uuid(),
    type: fc.constant('FIXED'),
    value: decimals(1, 10 ** 13),
    description: text(),
    active: flag,
    minimumOrderAmount: amount,
    individualUse: flag,
    timesRedeemed: count,
    applyToAllProducts: flag,
    products: subset(products),
  }),
  customers: record(['firstName', 'lastName'], {
    firstName: title,
    lastName: title,
    phone: fc.stringMatching(/^\+?\d{1,20}$/),
  }),
  tags: record(['metadata'], {
    nfc: flag,
    testMode: flag,
    metadata: fc.array(fc.record({ key: title, value: text(), visible: flag }), { maxLength: 3 }),
  }),
  webhooks: record(['title', 'url'], {
    title,
    url: fc.webPath().map((path) => `https://hooks.example.com${path}`),
    events: fc.shuffledSubarray(['*', 'order.created', 'tag.updated', 'menu.deleted']),
    active: flag,
    // Nothing is sent anywhere.
  }).map((body) => ({ ...body, ...(body['events'] ? { active: false } : {}) })),
}

describe.each(samples)('any valid $name', ({ collection, defaults }) => {
  test('is returned as sent, and the same update changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(valid[collection] ?? fc.constant({}), async (body) => {
        const created = await venue.post(`/${collection}`, body)
        expect(created).toMatchObject({ status: 201, body: { ...defaults, ...body } })
        const path = `/${collection}/${created.body.id}`
        // Only the response to create contains a webhook's secret.
        const { secret: _secret, ...kept } = created.body
        expect((await venue.get(path)).body).toEqual(kept)
        const same = 'sections' in body ? { ...body, sections: created.body.sections } : body
        const again = await venue.post(path, same)
        expect([again.status, { ...created.body, ...again.body }]).toEqual([200, created.body])
        // Codes of coupons are unique, so each object needs its own.
        await venue.remove(path)
      }),
      runs(100),
    )
  })
})

describe.each(samples)('a $name from random JSON', ({ collection, body, full }) => {
  const nested = ['key', 'value', 'visible', 'url', 'id', 'label', 'items', 'required', 'banner', 'title', '__proto__']
  const anything = fc.jsonValue({ noUnicodeString: false, maxDepth: 3 })
  const likely = fc.oneof(
    anything,
    fc.constantFrom(
      0,
      1,
      -0.5,
      1e21,
      '12.50',
      '',
      ' ',
      'RADIO',
      'FIXED',
      '0900',
      '2400',
      null,
      [],
      {},
      [null],
      '\ud800',
    ),
    fc.dictionary(fc.constantFrom(...nested), anything),
    fc.array(fc.dictionary(fc.constantFrom(...nested), anything), { maxLength: 3 }),
  )
  const named = { product: products[0] ?? '', modifier: modifiers[0] ?? '' }
  const fields = [...Object.keys(full(named)), 'image', 'hideCategoryNavigation', 'id', 'testMode']
  const hostile = fc.dictionary(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...fields) }, fc.string()), likely)

  test('is created with all fields, or rejected with every issue', async () => {
    const { id } = (await venue.post(`/${collection}`, body('Thing'))).body
    await fc.assert(
      fc.asyncProperty(hostile, fc.boolean(), async (part, isUpdate) => {
        const sent = isUpdate ? part : { ...body('Thing'), ...part }
        const response = await venue.post(`/${collection}${isUpdate ? `/${id}` : ''}`, sent)
        expect([200, 201, 409, 422]).toContain(response.status)
        if (response.status === 422) {
          expect(response.body.errors.length).toBeGreaterThan(0)
          for (const { pointer, code, message } of response.body.errors) {
            expect([pointer, code, message]).toEqual([
              expect.stringMatching(/^\//),
              expect.stringMatching(/^[a-z_]+$/),
              expect.any(String),
            ])
          }
          expect(
            new Set(
              response.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
            ).size,
          ).toBe(response.body.errors.length)
        } else if (response.status !== 409) {
          const shown = Object.keys(sent).filter((key) => key !== 'image' && key !== 'hideCategoryNavigation')
          for (const key of shown)
            expect([key, Reflect.get(sent, key) === null || key in response.body]).toEqual([key, true])
        }
      }),
      runs(240),
    )
    expect((await venue.get(`/${collection}/${id}`)).status).toBe(200)
  })
})
