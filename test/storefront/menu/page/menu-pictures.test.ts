import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { app } from '../../../../src/app/app.ts'
import type { Bindings } from '../../../../src/platform/env.ts'
import { createVenue } from '../../../support/api.ts'

const origin = 'https://menu.example'
const digest = '0123456789abcdefghjkmnpqrstvwxyz'
const at = (widths: string) => `${origin}/i/${digest}-${widths}`

async function readPage(images: readonly string[], branding: object = {}, bindings: Bindings = env) {
  const venue = await createVenue()
  const { body } = await venue.post('/products', {
    title: 'Soup & "bread"',
    price: 4,
    images: images.map((url) => ({ url })),
  })
  await venue.post('/menus', { title: 'All day', branding, sections: [{ title: 'Soups', items: [body.id] }] })
  const context = createExecutionContext()
  const page = await (await app.fetch(new Request(`${origin}/m/${venue.id}`), bindings, context)).text()
  await waitOnExecutionContext(context)
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

describe('where the service makes smaller files, a page', () => {
  const withImages: Bindings = { ...env, IMAGES: env.LOCAL_IMAGES }
  const made = (picture: string, ...widths: number[]) => widths.map((width) => `${at(picture)}/w${width} ${width}w`)

  test.each([
    [
      'a wide picture',
      '1600',
      [`${at('1600')}/w176`, made('1600', 112, 176).join(), '88px'],
      [`${at('1600')}/w1216`, made('1600', 608, 832, 1216).join(), wide],
    ],
    [
      'a picture that is hardly wider than shown',
      '700',
      [`${at('700')}/w176`, made('700', 112, 176).join(), '88px'],
      [at('700'), `${made('700', 608)},${at('700')} 700w`, wide],
    ],
    [
      'a picture of a width that is made',
      '176',
      [at('176'), `${made('176', 112)},${at('176')} 176w`, '88px'],
      [at('176'), undefined, undefined],
    ],
    ['a small picture', '112', [at('112'), undefined, undefined], [at('112'), undefined, undefined]],
    ['a picture with uploaded files', '1600-100', [at('100'), undefined, undefined], [at('100'), undefined, undefined]],
  ])('offers those of %s, of at most twice the shown width', async (_, widths, small, large) => {
    expect(sources(await readPage([at(widths)], {}, withImages))).toEqual([small, large])
  })

  test('offers those of banners and icons, and none of other services', async () => {
    const url = `https://other.example/i/${digest}-1600`
    const page = await readPage([url], { banner: at('1000'), icon: at('512') }, withImages)
    expect(sources(page)).toEqual([
      [at('1000'), `${made('1000', 608, 832)},${at('1000')} 1000w`, wide],
      [`${at('512')}/w112`, undefined, undefined],
      [url, undefined, undefined],
      [url, undefined, undefined],
    ])
  })
})
