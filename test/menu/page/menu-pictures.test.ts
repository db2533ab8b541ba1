import { describe, expect, test } from 'vitest'
import { createVenue, send } from '../../support/api.ts'

const origin = 'https://menu.example'
const digest = '0123456789abcdefghjkmnpqrstvwxyz'
const at = (widths: string) => `${origin}/i/${digest}-${widths}`

async function readPage(images: readonly string[], branding: object = {}) {
  const venue = await createVenue()
  const { body } = await venue.post('/products', {
    title: 'Soup & "bread"',
    price: 4,
    images: images.map((url) => ({ url })),
  })
  await venue.post('/menus', { title: 'All day', branding, sections: [{ title: 'Soups', items: [body.id] }] })
  const { body: page }: { body: string } = await send(`/m/${venue.id}`)
  return page
}

const sources = (page: string) =>
  [...page.matchAll(/<img src="([^"]*)"(?: srcset="([^"]*)" sizes="([^"]*)")?/g)].map((match) => match.slice(1))

const wide = '(min-width:42rem) 608px,(min-resolution:2.1dppx) 66vw,100vw'

describe('a product', () => {
  test('shows its first picture small, and all in full width on tap', async () => {
    const page = await readPage(['http://a.example/1.jpg', 'https://a.example/2.jpg', 'https://a.example/3.jpg'])
    expect(page).toContain(
      '<details class="pics"><summary aria-label="Soup &amp; &quot;bread&quot;"><img src="https://a.example/2.jpg" alt=""',
    )
    expect(sources(page).map(([src]) => src)).toEqual([2, 2, 3].map((n) => `https://a.example/${n}.jpg`))
  })

  test('without pictures that are shown has no element for them', async () => {
    for (const images of [[], ['http://a.example/1.jpg']])
      expect(await readPage(images)).not.toContain('<details class="pics"')
  })

  test.each([
    [
      'several',
      '1600-1000-176-88',
      [at('176'), `${at('88')} 88w,${at('176')} 176w`, '88px'],
      [at('1000'), `${at('88')} 88w,${at('176')} 176w,${at('1000')} 1000w`, wide],
    ],
    ['one that is small enough', '1600-176', [at('176'), undefined, undefined], [at('176'), undefined, undefined]],
    ['none that is small enough', '1600-1300', [at('1300'), undefined, undefined], [at('1300'), undefined, undefined]],
    ['none', '1600', [at('1600'), undefined, undefined], [at('1600'), undefined, undefined]],
    ['none, being small', '100', [at('100'), undefined, undefined], [at('100'), undefined, undefined]],
  ])('offers files of at most twice the shown width: %s', async (_, widths, small, large) => {
    expect(sources(await readPage([at(widths)]))).toEqual([small, large])
  })

  test('leaves addresses of other services as they are', async () => {
    const url = `https://other.example/i/${digest}-1600-176`
    expect(sources(await readPage([url]))[0]).toEqual([url, undefined, undefined])
  })
})

test('banners and icons offer files of at most twice the shown width', async () => {
  const page = await readPage([], { banner: at('1600-1216-600'), icon: at('512-112-56') })
  expect(sources(page)).toEqual([
    [at('1216'), `${at('600')} 600w,${at('1216')} 1216w`, wide],
    [at('112'), `${at('56')} 56w,${at('112')} 112w`, '56px'],
  ])
})
