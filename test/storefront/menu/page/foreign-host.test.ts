import { expect, test } from 'vitest'
import { createVenue } from '../../../support/api.ts'
import { load } from '../../../support/catalogue.ts'
import { createTestWorker } from '../../../support/test-worker.ts'

const marker = 'attacker.example'

/** A venue that uses all that its page can show. */
async function createBar(picture: string) {
  const venue = await createVenue({ name: 'Bar', language: 'en', currency: 'EUR', website: 'https://bar.example' })
  const [product] = await load(venue.post, {
    modifiers: [{ title: 'Size', options: [{ label: 'L' }] }],
    products: [{ title: 'Tea', price: 1, images: [{ url: picture }], modifiers: [0] }],
    menus: [{ title: 'All', branding: { banner: picture }, sections: [{ title: 'Hot', items: [0] }] }],
  })
  await venue.post(`/products/${product}/details`, { allergens: [], translations: { de: { title: 'Tee' } } })
  const { body: tag } = await venue.post('/tags', { metadata: [{ key: 'table', value: '4' }] })
  return { id: venue.id, code: String(tag.alias[0]) }
}
const bar = await createBar('https://images.example/tea.png')
const pages = [
  `/m/${bar.id}`,
  `/m/${bar.id}?lang=de&tag=${bar.code}`,
  `/m/${bar.id}?without=milk`,
  `/m/${bar.id}.json`,
  `/m/${bar.id}/allergens`,
  `/m/${'x'.repeat(10)}`,
  `/t/${bar.code}`,
  `/t/${bar.code}/qr.svg`,
  '/t/0000000000007777',
  '/t',
  '/n/0000000000007777/x',
  '/robots.txt',
  '/nothing',
]

test.each(pages)('%s repeats no foreign host to guests and caches', async (page) => {
  const worker = createTestWorker({ PUBLIC_BASE_URL: undefined })
  const response = await worker.fetch(`http://${marker}${page}`)
  const shown = [JSON.stringify([...response.headers]), JSON.stringify(response.body)]
  expect([page, ...shown.map((text) => text.includes(marker))]).toEqual([page, false, false])
})

test.each([
  ['http://localhost:8787', undefined, 'http://localhost:8787'],
  ['http://127.0.0.1', undefined, 'http://127.0.0.1'],
  [`https://${marker}`, 'https://menu.example', 'https://menu.example'],
  [`https://localhost.${marker}`, undefined, undefined],
])('at %s, with %s configured, the canonical address begins with %s', async (host, PUBLIC_BASE_URL, origin) => {
  const text = String((await createTestWorker({ PUBLIC_BASE_URL }).fetch(`${host}/m/${bar.id}`)).body)
  const addresses = ['rel="canonical" href="', 'property="og:url" content="'].map(
    (start) => text.split(start)[1]?.split('"')[0],
  )
  const expected = origin === undefined ? undefined : `${origin}/m/${bar.id}`
  expect(addresses).toEqual([expected, expected])
})

test('a picture without encryption is no picture of the service because a request names its host', async () => {
  const { id } = await createBar(`http://${marker}/tea.png`)
  const page = String((await createTestWorker({ PUBLIC_BASE_URL: undefined }).fetch(`http://${marker}/m/${id}`)).body)
  const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page) ?? []
  expect([data.includes('"hasMenuItem":[{'), data.includes(marker)]).toEqual([true, false])
  expect(page).not.toContain('og:image')
})
