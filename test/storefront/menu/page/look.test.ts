import { describe, expect, test } from 'vitest'
import { themes } from '../../../../src/platform/themes.ts'
import { menuScript } from '../../../../src/storefront/pages/look/menu-script.ts'
import { palettes } from '../../../../src/storefront/pages/look/tokens.ts'
import { createVenue, send } from '../../../support/api.ts'
import { createCafe } from '../cafe.ts'

const styleOf = (body: string) => /<style>(.*?)<\/style>/s.exec(body)?.[1] ?? ''

describe.each(themes)('the design %s', (theme) => {
  test('colors the page, also in pure yellow, and loads only its fonts', async () => {
    const venue = await createVenue({ theme, color: '#ffff00' })
    const { body } = await send(`/m/${venue.id}`)
    const style = styleOf(body)
    for (const scheme of ['light', 'dark'] as const)
      expect(style).toContain(`--paper:${palettes[theme][scheme].paper};`)
    expect(style).toContain('--brand:#ffff00;--on-brand:#000000')
    expect(style).not.toContain('--mark:#ffff00;--brand:#ffff00;--on-brand:#000000;--text')
    const families = new Set(Array.from(style.matchAll(/url\(\/fonts\/(\w+)-/g), ([, family]) => family))
    expect([...families].toSorted()).toEqual({ cafe: ['sans', 'serif'], bar: ['sans'], fine: ['serif'] }[theme])
    expect((await send(`/m/${venue.id}/allergens`)).body).toContain(`--paper:${palettes[theme].light.paper};`)
  })
})

test('a page declares only the alphabets that it shows', async () => {
  const alphabetsOf = async (name: string) =>
    new Set(
      Array.from(
        styleOf((await send(`/m/${(await createVenue({ name })).id}`)).body).matchAll(/url\(\/fonts\/\w+-(\w+)-/g),
        ([, alphabet]) => alphabet,
      ),
    )
  expect([...(await alphabetsOf('Café Müller'))]).toEqual(['latin'])
  expect([...(await alphabetsOf('Żabka'))]).toEqual(['more', 'latin'])
  expect([...(await alphabetsOf('Кафе'))]).toEqual(['cyrillic', 'latin'])
  expect([...(await alphabetsOf('Καφενείο'))]).toEqual(['greek', 'latin'])
})

test('the script of a menu has at most 3 KB and no element that ends it', () => {
  expect(new TextEncoder().encode(menuScript).byteLength).toBeLessThanOrEqual(3_072)
  expect(menuScript).not.toContain('</')
})

test('the head is one line; address and hours stand in the footer', async () => {
  const venue = await createVenue({ address: { street: 'Ring 1', city: 'Bonn' }, phone: '+49 228 1' })
  const { body } = await send(`/m/${venue.id}`)
  const [header = ''] = /<header>.*?<\/header>/s.exec(body) ?? []
  expect(header).not.toContain('<address>')
  expect(body).toMatch(/<\/main><footer><address>.*Ring 1.*<\/address><\/footer>/)
})

test('the bar has the menus and their sections in the order of the page', async () => {
  const cafe = await createCafe()
  const { body } = await send(`${cafe.page}?at=2026-11-21T12:00:00Z`)
  const [bar = ''] = /<nav class="bar".*?<\/nav>/s.exec(body) ?? []
  const ids = Array.from(bar.matchAll(/href="#([\w-]+)"/g), ([, id]) => id)
  expect(ids.length).toBeGreaterThan(4)
  const inOrder = Array.from(body.matchAll(/<(?:article class="menu"|section) id="([\w-]+)"/g), ([, id]) => id)
  // A menu without `showSectionNavigation` is there alone.
  expect(ids).toEqual(inOrder.filter((id) => ids.includes(id)))
  for (const id of ids) expect(inOrder).toContain(id)
  expect(inOrder.filter((id) => id?.startsWith('m'))).toEqual(ids.filter((id) => id?.startsWith('m')))
})

test('a preview of a link has a picture that every program can show', async () => {
  const venue = await createVenue()
  expect((await send(`/m/${venue.id}`)).body).toMatch(
    /<meta property="og:image" content="https?:\/\/[^"/]+\/plate\.png">/,
  )
  const { status, headers } = await send('/plate.png')
  expect([status, headers.get('content-type')]).toEqual([200, 'image/png'])
  await venue.post('/menus', { title: 'Bar', branding: { banner: 'https://images.example.com/wide.svg' } })
  expect((await send(`/m/${venue.id}`)).body).toContain('/plate.png"')
  await venue.post('/menus', { title: 'All day', branding: { banner: 'https://images.example.com/wide.jpg' } })
  const { body } = await send(`/m/${venue.id}`)
  expect(body).toContain('<meta property="og:image" content="https://images.example.com/wide.jpg">')
  // The first banner is loaded at once.
  expect(body).toContain('<img src="https://images.example.com/wide.jpg" alt="" fetchpriority="high">')
})

test('a menu can be put on a home screen', async () => {
  const venue = await createVenue({ name: 'Bar <b>', theme: 'bar' })
  const { body } = await send(`/m/${venue.id}`)
  const [, address = ''] = /<link rel="manifest" href="(.*?)">/.exec(body) ?? []
  const manifest = await send(address)
  expect([manifest.status, manifest.headers.get('content-type')]).toEqual([200, 'application/manifest+json'])
  const read = typeof manifest.body === 'string' ? JSON.parse(manifest.body) : manifest.body
  expect(read).toMatchObject({
    name: 'Bar <b>',
    start_url: `/m/${venue.id}`,
    background_color: palettes.bar.light.paper,
  })
  for (const { src } of read.icons) expect((await send(src)).status).toBe(200)
  expect((await send('/m/mer_01m7y3mn8cengs5j41n4dzxtjv/manifest.webmanifest')).status).toBe(404)
})
