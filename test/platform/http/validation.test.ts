import { describe, expect, test } from 'vitest'
import { createVenue, toIssues } from '../../support/api.ts'
import { samples } from '../../support/samples.ts'

const venue = await createVenue()
const product = (await venue.post('/products', { title: 'Tea', price: 4.5 })).body.id

describe('a read-only field', () => {
  test.each(samples)('differs from an unknown one, for a $name', async ({ collection, body, prefix, name }) => {
    const readOnly: Record<string, string[]> = {
      tag: [
        'alias',
        'url',
        'qrUrl',
        'nfcUrl',
        'message',
        'documentCollection',
        'documentId',
        'edited',
        'qr',
        'timestamp',
      ],
      webhook: ['bearerToken'],
    }
    const foreign = [
      'id',
      'createdAt',
      'updatedAt',
      // Responses contain them on request.
      'externalId',
      'version',
      ...(name === 'tag' ? [] : ['testMode']),
      ...(readOnly[name] ?? []),
    ]
    const unknown = ['merchantId', 'seq', 'Title', 'title ', '', '~/', '__proto__', 'constructor', 'toString']
    const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')
    const issues = [
      ...foreign.map((key) => `/${key} read_only_field`),
      ...unknown.map((key) => `/${escaped(key)} unknown_field`),
    ].sort()
    const extra = Object.fromEntries([...foreign, ...unknown].map((key) => [key, key === 'testMode' ? true : 'x']))
    const {
      body: { secret: _shownOnce, ...made },
    } = await venue.post(`/${collection}`, body('Thing'))
    expect(made.id).toMatch(prefix)
    expect(toIssues(await venue.post(`/${collection}`, { ...body('Thing'), ...extra }))).toEqual(issues)
    expect(toIssues(await venue.post(`/${collection}/${made.id}`, extra))).toEqual(issues)
    // Sending the stored value is rejected, too.
    expect(toIssues(await venue.post(`/${collection}/${made.id}`, { id: made.id }))).toEqual(['/id read_only_field'])
    expect((await venue.get(`/${collection}/${made.id}`)).body).toEqual(made)
  })

  test.each<[string, object, string[]]>([
    ['products', { images: [{ url: 'https://a.b/c', alt: 'x' }] }, ['/images/0/alt']],
    ['products', { metadata: [{ key: 'a', value: 'b', visible: true }] }, ['/metadata/0/visible']],
    [
      'products',
      { images: [{ url: 'https://a.b/c', id: 'x', createdAt: 1 }] },
      ['/images/0/createdAt', '/images/0/id'],
    ],
    ['modifiers', { rules: { require: true } }, ['/rules/require']],
    ['modifiers', { options: [{}, { title: 'x', price: 1 }] }, ['/options/1/price', '/options/1/title']],
    ['menus', { branding: { logo: false } }, ['/branding/logo']],
    ['menus', { sections: [{ products: [] }] }, ['/sections/0/products']],
    ['tags', { metadata: [{ key: 'a', value: 'b', hidden: true }] }, ['/metadata/0/hidden']],
  ])('is reported inside %s too: %j', async (collection, extra, pointers) => {
    const body = samples.find((each) => each.collection === collection)?.body('Thing')
    expect(toIssues(await venue.post(`/${collection}`, { ...body, ...extra }))).toEqual(
      pointers.map((pointer) => `${pointer} unknown_field`),
    )
  })
})

describe('one response reports every issue of a body', () => {
  test.each<[string, string, object, string[]]>([
    [
      'fields of every kind',
      'products',
      { price: -1, visible: 'yes', images: [{ url: 'x' }, {}], metadata: [{ key: '' }], nope: 1, id: 'x' },
      [
        '/id read_only_field',
        '/images/0/url invalid_format',
        '/images/1/url required',
        '/metadata/0/key too_short',
        '/metadata/0/value required',
        '/nope unknown_field',
        '/price too_small',
        '/title required',
        '/visible invalid_type',
      ],
    ],
    [
      'a field, a rule between others and an object that is not there',
      'coupons',
      { code: 'c', type: 'PERCENTAGE', value: 120, products: [product, 'prod_no', 'x'] },
      ['/products/1 not_found', '/products/2 not_found', '/title required', '/value too_large'],
    ],
    [
      'a section and what it names',
      'menus',
      {
        title: ' ',
        begin: '0900',
        sections: [{}, { title: 5, items: ['prod_no', product, 'x'] }, { nope: 1, items: ['y'] }],
      },
      [
        '/end required',
        '/sections/1/items/0 not_found',
        '/sections/1/items/2 not_found',
        '/sections/1/title invalid_type',
        '/sections/2/items/0 not_found',
        '/sections/2/nope unknown_field',
        '/title too_short',
      ],
    ],
    [
      'an element that is no id, by which none of the others changes its place',
      'coupons',
      { title: 'a', code: 'd', type: 'FIXED', value: 0, products: [5, product, 'prod_no'] },
      ['/products/0 invalid_type', '/value too_small'],
    ],
    [
      'a part of an option and a rule about their number',
      'modifiers',
      { title: 'Milk', rules: { selectRestriction: 3 }, options: [{ label: 5 }, { additionalCost: 'x' }] },
      [
        '/instructions required',
        '/options/0/label invalid_type',
        '/options/1/additionalCost invalid_format',
        '/rules/selectRestriction conflict',
      ],
    ],
    [
      'elements, their number and their repetition',
      'webhooks',
      { title: 'a', url: 'http://x', events: [...Array(100).fill('tag.created'), 'nope'] },
      [
        '/events too_many',
        ...Array.from({ length: 99 }, (_, index) => `/events/${index + 1} duplicate`),
        '/events/100 invalid_value',
        '/url invalid_value',
      ],
    ],
  ])('%s', async (_, collection, body, issues) => {
    expect(toIssues(await venue.post(`/${collection}`, body))).toEqual(issues.sort())
  })

  const zeros = Array(127_000).fill(0)
  test.each<[string, object, string[]]>([
    ['products', { images: zeros }, ['/images too_many']],
    ['products', { title: zeros, images: [0] }, ['/images/0 invalid_type', '/title invalid_type']],
    ['products', { nope: zeros }, ['/nope unknown_field']],
    ['menus', { sections: Array(26).fill({ items: zeros.slice(0, 4_800) }) }, ['/sections too_many']],
    ['menus', { sections: [{ items: zeros }] }, ['/sections too_many']],
    ['coupons', { products: zeros, value: 0 }, ['/products too_many', '/value too_small']],
  ])('if every field of %s is invalid', async (collection, part, issues) => {
    const sample = samples.find((each) => each.collection === collection)
    const { body: made } = await venue.post(`/${collection}`, sample?.body('Thing'))
    expect(toIssues(await venue.post(`/${collection}`, { ...sample?.body('Thing'), ...part }))).toEqual(issues)
    expect(toIssues(await venue.post(`/${collection}/${made.id}`, part))).toEqual(issues)
  })

  test('if there are thousands of issues', async () => {
    const many = await venue.post('/menus', { title: 5, sections: [{ items: zeros.slice(0, 2_000) }] })
    expect(many.body.errors).toHaveLength(2_001)
    const unknown = Object.fromEntries(zeros.slice(0, 4_000).map((zero, index) => [`f${index}`, zero]))
    expect((await venue.post('/menus', unknown)).body.errors).toHaveLength(4_001)
  })

  test('each issue has a message, and the problem their number', async () => {
    const { body } = await venue.post('/products', { title: '', price: 'x' })
    expect(body).toMatchObject({ status: 422, code: 'invalid_request', title: expect.any(String) })
    expect(body.detail).toContain('2')
    for (const issue of body.errors) {
      expect(Object.keys(issue).sort()).toEqual(['code', 'message', 'pointer'])
      expect(issue.message).toMatch(/^[a-z].{8,}/)
    }
  })

  test('a required field is required in a create and cannot be null in an update', async () => {
    const required = {
      products: ['title', 'price'],
      modifiers: ['title', 'instructions'],
      menus: ['title'],
      coupons: ['title', 'code', 'type', 'value'],
      customers: ['firstName', 'lastName'],
      webhooks: ['title', 'url'],
      tags: [],
    }
    for (const { collection, body } of samples) {
      const fields = Object.entries(required).find(([name]) => name === collection)?.[1] ?? ['?']
      const nothing = Object.fromEntries(fields.map((field) => [field, null]))
      const issues = fields.map((field) => `/${field} required`).sort()
      const {
        body: { secret: _shownOnce, ...made },
      } = await venue.post(`/${collection}`, body('Thing'))
      if (issues.length === 0) continue
      expect(toIssues(await venue.post(`/${collection}`, {}))).toEqual(issues)
      expect(toIssues(await venue.post(`/${collection}`, nothing))).toEqual(issues)
      expect(toIssues(await venue.post(`/${collection}/${made.id}`, nothing))).toEqual(issues)
    }
    expect((await venue.post('/tags', {})).status).toBe(201)
  })
})
