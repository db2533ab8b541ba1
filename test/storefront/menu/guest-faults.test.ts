import { expect, test } from 'vitest'
import { createVenue, origin, send } from '../../support/api.ts'
import { load } from '../../support/catalogue.ts'

const foreign = 'http://pictures.example'
async function createBar(merchant: object) {
  const venue = await createVenue({ name: 'Bar', ...merchant })
  const pictures = [`${foreign}/a.png`, 'https://pictures.example/b.png', `${origin}/i/c.png`]
  const products = [
    { title: 'Tea', price: 1.5, images: pictures.map((url) => ({ url })) },
    { title: 'Rum', price: 4 },
  ]
  const branding = { banner: `${foreign}/banner.png`, icon: `${foreign}/icon.png` }
  const ids = await load(venue.post, {
    modifiers: [],
    products,
    menus: [
      { title: 'Open', branding, sections: [{ title: 'Hot', items: [0, 1] }] },
      {
        title: 'Closed',
        branding,
        begin: '0300',
        end: '0301',
        allDayMenu: false,
        sections: [{ title: 'Hot', items: [0] }],
      },
    ],
  })
  return { ...venue, ids, tag: (await venue.post('/tags', {})).body }
}
const readJsonLd = async (id: string) => {
  const page = String((await send(`/m/${id}`)).body)
  return JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(page)?.[1] ?? '')
}

test('a picture without encryption is neither in the page nor in the data', async () => {
  const { id } = await createBar({ currency: 'EUR', logo: `${foreign}/logo.png` })
  const page = String((await send(`/m/${id}`)).body)
  const { body } = await send(`/m/${id}.json`)
  expect([page.includes(foreign), JSON.stringify(body).includes(foreign)]).toEqual([false, false])
  const [tea] = body.menus[0].sections[0].products
  expect(tea.images).toEqual([{ url: 'https://pictures.example/b.png' }, { url: `${origin}/i/c.png` }])
  expect([body.menus[0].branding, body.closedMenus[0].branding, body.venue.logo]).toEqual([{}, {}, undefined])
})

test('an offer has a price only with its currency', async () => {
  const offersOf = async (merchant: object, soldOut = false) => {
    const { id, post, ids } = await createBar(merchant)
    if (soldOut) await post(`/products/${ids[0]}/availability`, { soldOut: true })
    const items: { offers?: object }[] = (await readJsonLd(id)).hasMenu[0].hasMenuSection[0].hasMenuItem
    return items.map(({ offers }) => offers)
  }
  expect(await offersOf({ currency: 'EUR' })).toEqual([
    { '@type': 'Offer', price: 1.5, priceCurrency: 'EUR' },
    { '@type': 'Offer', price: 4, priceCurrency: 'EUR' },
  ])
  expect(await offersOf({ currency: undefined })).toEqual([undefined, undefined])
  expect(await offersOf({ currency: undefined }, true)).toEqual([
    { '@type': 'Offer', availability: 'https://schema.org/SoldOut' },
    undefined,
  ])
})

/** Addresses as share sheets, chats and shorteners change them: `%s` is the last part. */
const manglings = [
  '%s&utm_source=x',
  '%s%26utm_source=x',
  '%s%3Futm_source=x',
  '%22%s%22',
  '(%s)',
  '%C2%AB%s%C2%BB',
  '%E2%80%9C%s%E2%80%9D',
  '<%s>',
  '%5B%s%5D',
  "'%s'.",
  '**%s**',
  '%7B%s%7D',
  '%EF%BC%BB%s%EF%BC%BD',
]

test.each(manglings)('an address mangled as %s leads to the table', async (form) => {
  const { id, tag } = await createBar({ currency: 'EUR' })
  const mangle = (name: string) => form.replace('%s', name)
  for (const name of [tag.alias[0], String(tag.alias[0]).toLowerCase(), tag.id]) {
    const response = await send(`/t/${mangle(name)}`)
    expect([name, response.status, response.headers.get('location')]).toEqual([name, 302, `/m/${id}?tag=${tag.id}`])
  }
  const [, , , , signature = ''] = String(tag.nfcUrl).split('/')
  expect((await send(`/n/${tag.alias[0]}/${mangle(signature)}`)).status).toBe(302)
  expect((await send(`/m/${mangle(id)}`)).status).toBe(200)
})

test('a menu whose address lost its question mark keeps its table and its filter', async () => {
  const { id, ids, tag, post } = await createBar({ currency: 'EUR' })
  await post('/tags', {})
  await post(`/products/${ids[0]}/details`, { allergens: [{ code: 'nuts', level: 'contains' }] })
  await post(`/products/${ids[1]}/details`, { allergens: [{ code: 'milk', level: 'contains' }] })
  const titlesOf = async (path: string) =>
    [...String((await send(path)).body).matchAll(/(?:Tea|Rum)(?=<)/g)].map(([title]) => title)
  const filters = ['?without=nuts', '%3Fwithout=nuts', '&without=nuts', '%26without=nuts']
  for (const filter of filters)
    expect([filter, new Set(await titlesOf(`/m/${id}${filter}`))]).toEqual([filter, new Set(['Rum'])])
  const both = await titlesOf(`/m/${id}?without=nuts&without=milk`)
  expect(both).toEqual([])
  const pages = await Promise.all(
    [`?tag=${tag.id}`, `%3Ftag=${tag.id}`].map(async (query) =>
      String((await send(`/m/${id}${query}`)).body).includes('noindex'),
    ),
  )
  expect(pages[0]).toBe(pages[1])
})

test('structured data names no diet that a choice or a trace may break', async () => {
  const { id, ids, post } = await createBar({ currency: 'EUR' })
  const { body: modifier } = await post('/modifiers', { title: 'Milk', instructions: '', options: [{ label: 'Oat' }] })
  await post(`/products/${ids[0]}`, { modifiers: [modifier.id] })
  await post(`/products/${ids[0]}/details`, { diets: ['vegan'] })
  await post(`/products/${ids[1]}/details`, {
    diets: ['gluten_free', 'vegan'],
    allergens: [{ code: 'gluten', level: 'may_contain' }],
  })
  const items: { suitableForDiet?: string[] }[] = (await readJsonLd(id)).hasMenu[0].hasMenuSection[0].hasMenuItem
  expect(items.map(({ suitableForDiet }) => suitableForDiet)).toEqual([undefined, ['https://schema.org/VeganDiet']])
})
