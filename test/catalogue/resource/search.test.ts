import { describe, expect, test, vi } from 'vitest'
import { createKey, createVenue, send, type Venue } from '../../support/api.ts'
import { multiply } from '../../support/d1.ts'
import { samples } from '../../support/samples.ts'

const idsIn = (body: { id: string }[]) => body.map(({ id }) => id)
const search = async (venue: Pick<Venue, 'get'>, collection: string, q: string, rest = '') => {
  const { status, body } = await venue.get(`/${collection}?q=${encodeURIComponent(q)}${rest}`)
  expect([q.slice(0, 50), status]).toEqual([q.slice(0, 50), 200])
  return idsIn(body)
}

/** A text, queries that find it, and queries that do not. */
const findings: [text: string, found: string[], missed: string[]][] = [
  [
    'Crème Brûlée',
    ['creme', 'CRÈME', 'brulee', 'cre bru', 'Brûlée crème', 'crème-brûlée', 'c'],
    ['reme', 'cremesxx', 'rulx'],
  ],
  ['Café au lait', ['cafe', 'café', 'cafe\u0301', 'au', 'lait cafe au'], ['caf au laitsx', 'afe', 'cafetière']],
  ['Weißwurst', ['weisswurst', 'WEISSWURST', 'weiß', 'weis', 'weißwurst', 'wurst', 'würst'], ['eiss', 'rust']],
  ['WEISSBIER', ['weißbier', 'Weiss'], ['weizen']],
  ['Smørrebrød', ['smorrebrod', 'smørrebrød', 'SMØR'], ['smaer']],
  ['Æbleskiver Œuf', ['aebleskiver', 'oeuf', 'æ', 'œ', 'skiver'], ['euf']],
  ['Łódź Đuro', ['lodz', 'duro', 'ŁÓDŹ'], ['odz']],
  ['İskender ılık', ['iskender', 'ISKENDER', 'ilik', 'ILIK', 'ENDER'], ['kenderxx', 'lik']],
  ['Ἀθῆναι ΟΔΟΣ', ['αθηναι', 'οδος', 'οδοσ', 'ΑΘΗΝΑΙ', 'ηναι'], ['θην', 'δος']],
  ['Ёлка и йод', ['елка', 'ЁЛКА', 'иод'], ['лка']],
  ['ﬁne ﬀ', ['fine', 'ff'], ['ine']],
  ['Ｔｅａ　Ｓｅｔ', ['tea', 'set', 'ｔｅａ set', 'TEA　SET'], ['eaｓ']],
  ['ｶﾞﾅｯｼｭ', ['ガナッシュ', 'ガナ', 'ｶﾞﾅ'], ['カナ']],
  ['辛味チキンとライス', ['チキン', '辛味', 'ライス', 'チキ ライス', '辛', 'と'], ['チン', '味辛', 'ミラノ']],
  ['宫保鸡丁', ['宫保', '鸡丁', '保鸡', '宫保鸡丁'], ['宫丁', '丁鸡']],
  ['ข้าวผัดกุ้ง', ['ข้าว', 'ผัด', 'กุ้ง'], ['ไก่']],
  ['비빔밥 정식', ['비빔', '비빔밥', '정식'], ['밥']],
  ['Pizza 🍕 night 👩‍🍳', ['🍕', 'pizza 🍕', '👩‍🍳', 'night'], ['🍔', '🍕🍔']],
  ['100% Rye', ['100', '100%', '%', 'rye %'], ['10%0', '_']],
  ['Jack\'s "Best" Burger', ["jack's", 'jack', '"best"', "'", '"', 'best burger'], ['worst']],
  ['Salt & Vinegar (large)', ['&', '(large)', 'salt&vinegar', 'salt, vinegar', '('], ['[']],
  ['A*B C++ .NET #1', ['a*', '*', 'c++', '.net', '#1', 'a b'], ['d++']],
  ['AND OR NOT NEAR', ['and', 'NOT', 'OR AND', 'near', 'NEAR(and or)', 'NOT near'], ['xor', 'and xor']],
  ['Gin Tonic 1/2', ['gin + tonic', 'gin|tonic', '^gin', '~tonic', '½', 'gin & tonic'], ['gin 🍸', '+', '$']],
  ['Absinthe ½ < 1', ['1/2', '½', '<', 'absinthe < 1'], ['>']],
  ['half-baked_thing', ['half', 'baked', 'thing', 'half-baked', 'baked_thing'], ['aked']],
  ['naïve\tnew\nline\u00a0gap', ['naive', 'new', 'line', 'gap', 'line gap'], ['w gap']],
  ['שָׁלוֹם', ['שלום', 'שָׁלוֹם'], ['לום']],
  ['قَهْوَة', ['قهوة'], ['هوة']],
  ['हिन्दी', ['हिन्दी', 'हिन्'], ['दी']],
  ['x²₂①', ['x221', 'x²'], ['2']],
]

test.each(findings)('%s is found by words and prefixes', async (title, found, missed) => {
  const venue = await createVenue()
  const { body } = await venue.post('/products', { title, price: 1 })
  await venue.post('/products', { title: 'zzz', price: 1 })
  for (const q of found) expect([q, await search(venue, 'products', q)]).toEqual([q, [body.id]])
  for (const q of missed) expect([q, await search(venue, 'products', q)]).toEqual([q, []])
})

test('a query without words does not filter', async () => {
  const venue = await createVenue()
  const { body } = await venue.post('/products', { title: 'Tea', price: 1 })
  for (const q of ['', ' ', '\t\n\u3000', '\0', '\u200b', '\u0301']) {
    expect(await search(venue, 'products', q)).toEqual([body.id])
  }
})

test('a query has no syntax and any length', async () => {
  const venue = await createVenue()
  const { body } = await venue.post('/products', { title: 'Tea', price: 1 })
  const tail = body.id.slice(-6)
  for (const q of [
    'te*a',
    'terms:tea',
    '{terms}:tea',
    '-tea x',
    'tea^2',
    'tea NOT coffee',
    'tea OR coffee',
    `${venue.id.slice(-6)}l:tea`,
    `"${tail}l:tea"`,
    'NEAR(tea coffee, 5)',
    'tea" OR "coffee',
    'x'.repeat(10_000),
    '食'.repeat(10_000),
    `${'tea '.repeat(2_500)}x`,
  ]) {
    expect(await search(venue, 'products', q)).toEqual([])
  }
  for (const q of [
    'tea '.repeat(2_500),
    '-tea',
    '^tea',
    'tea*',
    '(tea)',
    '"tea',
    'te t tea',
    `${'%'.repeat(10_000)}tea`,
  ]) {
    expect(await search(venue, 'products', q)).toEqual([body.id])
  }
  const words = Array.from({ length: 2_000 }, (_, n) => `w${n}`)
  expect(await search(venue, 'products', words.join(' '))).toEqual([])
  const long = await venue.post('/products', { title: 'Long', price: 1, description: words.slice(0, 900).join(' ') })
  expect(await search(venue, 'products', words.slice(0, 900).join(' '))).toEqual([long.body.id])
})

/** For each collection the texts that are searched, and those that are not. */
const named = (field: string) => (text: string) => ({ [field]: text })
const texts: Record<string, { searched: ((text: string) => object)[]; unsearched: ((text: string) => object)[] }> = {
  products: {
    searched: ['title', 'description', 'sku', 'upc'].map(named),
    unsearched: [
      (value) => ({ metadata: [{ key: 'k', value }] }),
      (path) => ({ images: [{ url: `https://images.example/${path}` }] }),
    ],
  },
  modifiers: { searched: ['title', 'description'].map(named), unsearched: [] },
  menus: {
    searched: [
      ...['title', 'description'].map(named),
      (title) => ({ sections: [{ title: 'First' }, { title }] }),
      (description) => ({ sections: [{ description }] }),
    ],
    unsearched: [],
  },
  coupons: { searched: ['title', 'code', 'description'].map(named), unsearched: [] },
  customers: {
    searched: ['firstName', 'lastName'].map(named),
    unsearched: [(name) => ({ email: `${name}@example.com` })],
  },
  tags: {
    searched: [
      (key) => ({ metadata: [{ key, value: 'v' }] }),
      (value) => ({
        metadata: [
          { key: 'k', value: 'v' },
          { key: 'l', value },
        ],
      }),
      (value) => ({ metadata: [{ key: 'k', value, visible: false }] }),
    ],
    unsearched: [],
  },
  webhooks: { searched: [named('title')], unsearched: [(path) => ({ url: `https://hooks.example.com/${path}` })] },
}

describe.each(samples)('a search of $collection', ({ collection, body: bodyOf, change }) => {
  const { searched = [], unsearched = [] } = texts[collection] ?? {}
  const first = searched[0] ?? bodyOf

  test('searches exactly the documented fields', async () => {
    const venue = await createVenue()
    await venue.post(`/${collection}`, bodyOf('other'))
    for (const [index, place] of searched.entries()) {
      const made = await venue.post(`/${collection}`, { ...bodyOf('name'), ...place(`Needle${index}é`) })
      expect([made.status, await search(venue, collection, `NEEDLE${index}`)]).toEqual([201, [made.body.id]])
    }
    for (const place of unsearched) {
      const made = await venue.post(`/${collection}`, { ...bodyOf('name'), ...place('haystack') })
      expect([made.status, await search(venue, collection, 'haystack')]).toEqual([201, []])
    }
  })

  test('reflects updates and deletes', async () => {
    const venue = await createVenue()
    const { id } = (await venue.post(`/${collection}`, bodyOf('before'))).body
    await venue.post(`/${collection}`, bodyOf('other'))
    expect(await search(venue, collection, 'before')).toEqual([id])
    await venue.post(`/${collection}/${id}`, change)
    expect(await search(venue, collection, 'before')).toEqual([id])
    await venue.post(`/${collection}/${id}`, first('after'))
    expect([await search(venue, collection, 'before'), await search(venue, collection, 'after')]).toEqual([[], [id]])
    await venue.remove(`/${collection}/${id}`)
    expect(await search(venue, collection, 'after')).toEqual([])
    const next = (await venue.post(`/${collection}`, bodyOf('successor'))).body
    expect([await search(venue, collection, 'after'), await search(venue, collection, 'succ')]).toEqual([[], [next.id]])
  })

  test('returns only objects of the merchant and mode', async () => {
    const venue = await createVenue()
    const tester = await createKey(venue.id, { mode: 'test' })
    const stranger = await createVenue()
    const ids = []
    for (const who of [venue, tester, stranger]) ids.push((await who.post(`/${collection}`, bodyOf('needle'))).body.id)
    const [live, test, foreign] = ids
    // A live key reaches the tags of both modes.
    expect(await search(venue, collection, 'needle')).toEqual(collection === 'tags' ? [test, live] : [live])
    expect(await search(tester, collection, 'needle')).toEqual([test])
    expect(await search(stranger, collection, 'needle')).toEqual([foreign])
  })

  test('returns only objects of the merchant if another merchant has adjacent terms', async () => {
    const venue = await createVenue()
    const twin = `mer_00000000000000000000${venue.id.slice(-6)}`
    await multiply('merchants', venue.id, 1, { id: `'${twin}'` })
    const stranger = await createKey(twin, { mode: 'live' })
    const own = (await venue.post(`/${collection}`, bodyOf('needle'))).body.id
    const foreign = (await stranger.post(`/${collection}`, bodyOf('needle'))).body.id
    expect(await search(venue, collection, 'needle')).toEqual([own])
    expect(await search(stranger, collection, 'needle')).toEqual([foreign])
  })

  test('combines with ids, updatedSince, order and cursor', async () => {
    const venue = await createVenue()
    const ids: string[] = []
    for (const text of ['needle a', 'needle b', 'other', 'needle c', 'needle a']) {
      ids.push((await venue.post(`/${collection}`, bodyOf(text))).body.id)
    }
    const [a, b, other, c, d] = ids
    // This change is later than all others, however long they took.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_000 })
    const changed = (await venue.post(`/${collection}/${b}`, change)).body.updatedAt
    vi.useRealTimers()
    const find = (rest: string) => search(venue, collection, 'needle', rest)
    expect(await find('&order=asc')).toEqual([a, b, c, d])
    expect(await find(`&ids=${c},${other},${a}`)).toEqual([c, a])
    expect(await find(`&updatedSince=${changed}`)).toEqual([b])
    expect(await find(`&updatedSince=${changed}&ids=${a}`)).toEqual([])
    expect(await search(venue, collection, 'a needle', '&order=asc')).toEqual([a, d])
    for (const order of ['asc', 'desc']) {
      const seen: string[] = []
      let next: string | undefined = venue.path(`/${collection}?q=needle&limit=1&order=${order}`)
      while (next !== undefined && seen.length < 20) {
        const { headers, body } = await send(next, { headers: { authorization: `Bearer ${venue.key}` } })
        seen.push(...idsIn(body))
        next = /<(.*)>/.exec(headers.get('link') ?? '')?.[1]
      }
      expect(seen).toEqual(order === 'asc' ? [a, b, c, d] : [d, c, b, a])
    }
  })
})

test('a search combines with the filters of its resource', async () => {
  const venue = await createVenue()
  const post = async (body: object) => (await venue.post('/products', { price: 1, ...body })).body.id
  const [shown, hidden] = [await post({ title: 'Tea', sku: 'T1' }), await post({ title: 'Tea', visible: false })]
  await post({ title: 'Cake', sku: 'T1' })
  expect(await search(venue, 'products', 'tea', '&visible=true')).toEqual([shown])
  expect(await search(venue, 'products', 'tea', '&visible=false')).toEqual([hidden])
  expect(await search(venue, 'products', 'tea', '&sku=T1')).toEqual([shown])
  expect(await search(venue, 'products', 'tea', '&sku=T1&visible=0')).toEqual([])
})
