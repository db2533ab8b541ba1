import { describe, expect, test } from 'vitest'
import { createVenue, toIssues } from '../../support/api.ts'
import { queryHome } from '../../support/home.ts'
import { create, inSizes, latte, size } from './detailed-operations.ts'
import { product, run, statuses } from './requests.ts'

describe('details in a batch', () => {
  test('report their issues where they stand', async () => {
    const venue = await createVenue()
    const atomic = await run(venue, [
      { ...size, details: { options: { xl: { max: 2 } }, colour: 1 } },
      latte({ sizes: inSizes(3), diets: ['vegan'], allergens: [{ code: 'milk', level: 'contains' }] }, { price: -1 }),
      create('products', '#set', product(), { bundle: { groups: [{ title: 'A', min: 1, max: 1, items: [] }] } }),
      create('products', '#cake', product({ details: {} }), { labels: ['x'.repeat(50)] }),
      create('products', '#tea', product(), { sizes: { modifier: 'mod_none', prices: {} } }),
    ])
    expect([atomic.status, atomic.body.code]).toEqual([422, 'batch_failed'])
    expect(toIssues(atomic)).toEqual(
      [
        '/operations/0/details/colour unknown_field',
        '/operations/1/body/price too_small',
        '/operations/3/body/details read_only_field',
        '/operations/3/details/labels/0 too_long',
        '/operations/4/details/sizes/modifier not_found',
      ].sort(),
    )
    expect((await venue.get('/products')).body).toEqual([])
    const valid = [
      { ...size, details: { options: { xl: { max: 2 } } } },
      latte({ sizes: inSizes(3), diets: ['vegan'], allergens: [{ code: 'milk', level: 'contains' }] }),
      create('products', '#tea', product(), { sizes: { modifier: 'mod_none', prices: {} } }),
    ]
    expect(toIssues(await run(venue, valid))).toEqual([
      '/operations/0/details/options/xl not_found',
      '/operations/1/details/diets/0 contradicts',
      '/operations/1/details/sizes/prices/l required',
      '/operations/2/details/sizes/modifier not_found',
    ])
  })

  test('fail their operation alone in independent mode, and those that name its object', async () => {
    const venue = await createVenue()
    const bundle = (part: string) => ({ groups: [{ title: 'A', min: 1, max: 1, items: [{ product: part }] }] })
    const done = await run(
      venue,
      [
        size,
        latte({ sizes: inSizes(3) }),
        create('products', '#set', product({ title: 'Set' }), { bundle: bundle('#latte') }),
        create('products', '#tea', product({ title: 'Tea' }), { labels: ['hot'] }),
        create('products', '#both', product({ title: 'Both' }), { bundle: bundle('#tea') }),
        create('products', '#deep', product({ title: 'Deep' }), { bundle: bundle('#both') }),
      ],
      { mode: 'independent' },
    )
    expect(statuses(done)).toEqual([201, 422, 422, 201, 201, 422])
    const issuesOf = (index: number) => toIssues({ ...done, status: 422, body: done.body.results[index].problem })
    expect([1, 2, 5].map(issuesOf)).toEqual([
      ['/details/sizes/prices/l required'],
      ['/details/bundle/groups/0/items/0/product unresolved_reference'],
      ['/details/bundle/groups/0/items/0/product conflict'],
    ])
    const titles = (await venue.get('/products')).body.map(({ title }: { title: string }) => title).sort()
    expect(titles).toEqual(['Both', 'Tea'])
  })

  test('are only for creates and updates of objects that have details, and name only known refs', async () => {
    const venue = await createVenue()
    const { body } = await venue.post('/products', product())
    const customer = { firstName: 'A', lastName: 'B' }
    for (const mode of ['atomic', 'independent']) {
      const rejected = await run(
        venue,
        [
          { op: 'create', resource: 'customers', body: customer, details: {} },
          { op: 'delete', resource: 'products', id: body.id, details: {} },
          { op: 'create', resource: 'menus', body: { title: 'A', sections: [] }, details: [] },
        ],
        { mode },
      )
      expect(toIssues(rejected)).toEqual([
        '/operations/0/details unknown_field',
        '/operations/1/details unknown_field',
        '/operations/2/details invalid_type',
      ])
      const unknown = await run(venue, [latte({ sizes: inSizes(3, 4) }, { modifiers: [] })], { mode })
      expect([unknown.body.code, toIssues(unknown)]).toEqual([
        'invalid_request',
        ['/operations/0/details/sizes/modifier unresolved_reference'],
      ])
    }
  })

  test('have the limit of a single request, and count towards the bytes of a batch', async () => {
    const venue = await createVenue()
    const text = 'x'.repeat(4_990)
    const translations = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `aa-${String(index).padStart(4, 'b')}`.slice(0, 7),
          { description: text },
        ]),
      )
    const large = create('products', '#a', product(), { translations: translations(53) })
    expect(toIssues(await run(venue, [large]))).toContain('/operations/0/details too_large')
    const made = await run(
      venue,
      Array.from({ length: 9 }, (_, index) => create('products', `#p${index}`, product(), { labels: [`${index}`] })),
    )
    // 960 KB in each, as if it had been written in many requests.
    await queryHome(
      venue.id,
      `update details set data = json_set(data, '$.later', hex(zeroblob(480000))) where merchant_id = ?`,
      venue.id,
    )
    const updates = made.body.results.map(({ id }: { id: string }) => ({
      ...{ op: 'update', resource: 'products', id, body: {} },
      details: { labels: ['new'] },
    }))
    expect((await run(venue, updates)).body.code).toBe('batch_too_large')
    expect(statuses(await run(venue, updates.slice(0, 2)))).toEqual([200, 200])
  })

  test('that are damaged fail their operation', async () => {
    const venue = await createVenue()
    const made = await run(venue, [create('products', '#a', product(), { labels: ['x'] })])
    const [{ id }] = made.body.results
    await queryHome(venue.id, `update details set data = '{"labels":7}' where merchant_id = ?`, venue.id)
    const update = { op: 'update', resource: 'products', id, body: { price: 9 }, details: { labels: ['y'] } }
    expect(toIssues(await run(venue, [update]))).toEqual(['/operations/0 damaged'])
    expect((await venue.get(`/products/${id}`)).body.price).toBe(3)
  })
})
