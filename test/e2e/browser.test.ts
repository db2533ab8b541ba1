import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import demo from '../../tools/cli/demo/demo-venue.json' with { type: 'json' }
import { resolvePictures } from '../../tools/cli/loader/pictures.ts'
import { load } from '../support/catalogue.ts'
import { getBrowser, listAxeViolations, listColourViolations, visit, widthOf } from './browser.ts'
import { takeShare } from './rounds.ts'
import { savePicture } from './save-picture.ts'
import { createVenueService, type VenueService } from './venue-service.ts'

const morning = 'at=2026-11-21T10:00:00Z'

let site: VenueService
const browser = await getBrowser()
let otter: Awaited<ReturnType<VenueService['createVenue']>>
let table: { id: string; url: string }

const openAll = (page: Page) =>
  page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true')

beforeAll(async () => {
  site = await createVenueService()
  otter = await site.createVenue(demo.merchant)
  await load(otter.post, resolvePictures(demo, site.origin))
  const tag = await otter.post('/tags', {
    metadata: [
      { key: 'table', value: '4' },
      { key: 'area', value: 'Terrace' },
      { key: 'zone', value: 'hidden-zone', visible: false },
    ],
  })
  table = tag.body
})

describe('a guest who scans a tag', () => {
  test("gets the menu with the table's name", async () => {
    await visit(browser, new URL(new URL(table.url).pathname, site.origin).href, {}, async (page) => {
      expect(page.url()).toBe(`${otter.page}?tag=${table.id}`)
      expect(await page.locator('header .tag li').allTextContents()).toEqual(['Table 4', 'Terrace'])
      expect(await page.locator('h1').allTextContents()).toEqual([demo.merchant.name])
    })
  })

  test('needs no JavaScript', async () => {
    await visit(browser, `${otter.page}?${morning}`, { javaScriptEnabled: false }, async (page) => {
      const dish = page.locator('.dish', { hasText: 'Galão' }).first()
      expect(await dish.textContent()).toContain('€2.40')
      expect(await dish.getByText('Oat').isVisible()).toBe(false)
      await dish.locator('summary').click()
      expect(await dish.getByText('Oat').isVisible()).toBe(true)
      await page.getByRole('link', { name: 'Petiscos' }).click()
      await expect
        .poll(() =>
          page
            .getByRole('heading', { name: 'Petiscos' })
            .boundingBox()
            .then((box) => box?.y),
        )
        .toBeLessThan(200)
    })
  })

  test('receives only a page, fonts and pictures, without browser errors', async () => {
    await visit(browser, `${otter.page}?${morning}`, {}, async (page, { browserErrors, requests }) => {
      const shown = new Set(['document', 'font', 'image'].map((type) => `${type} ${new URL(site.origin).host}`))
      await expect.poll(() => new Set(requests)).toEqual(shown)
      expect(browserErrors).toEqual([])
      const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '')
      expect(data.hasMenu.map((menu: { name: string }) => menu.name)).toEqual(
        demo.menus.map(({ title }) => title).sort(),
      )
    })
  })

  test.each<[string, () => string]>([
    ['of a table', () => `${otter.page}?${morning}&tag=${table.id}`],
    ['at night', () => `${otter.page}?at=2026-11-21T23:30:00Z`],
    ['that does not exist', () => `${site.origin}/m/x`],
  ])('never scrolls sideways on a menu %s', async (_, toAddress) => {
    await visit(browser, toAddress(), {}, async (page) => {
      await openAll(page)
      for (const width of [320, 390, 768, 1440]) {
        await page.setViewportSize({ width, height: 700 })
        expect(await widthOf(page)).toBe(width)
      }
    })
  })
})

describe('axe finds no issues', () => {
  test('on any page, in both themes', async () => {
    const trial = await site.createVenue({ name: 'Trial', currency: 'USD' }, 'test')
    const [product] = await load(trial.post, { ...resolvePictures(demo, site.origin), menus: demo.menus.slice(1) })
    const tag = await trial.post('/tags', { metadata: [{ key: 'table', value: '1' }] })
    await trial.post(`/products/${product}/details`, { allergens: [], diets: ['vegan'] })
    const empty = await site.createVenue({ name: 'Empty' })
    const pages = [
      `${otter.page}?${morning}&tag=${table.id}`,
      `${trial.page}?at=2026-11-21T10:00:00Z&tag=${tag.body.id}`,
      `${trial.page}?at=2026-11-21T16:00:00Z&tag=${tag.body.id}`,
      `${trial.page}?diet=vegan&tag=${tag.body.id}`,
      `${trial.page}/allergens?tag=${tag.body.id}`,
      empty.page,
      `${otter.page}?at=never`,
      `${site.origin}/m/x`,
    ]
    for (const address of takeShare(pages, 3)) {
      await visit(browser, address, { bypassCSP: true }, async (page) => {
        await openAll(page)
        expect([address, await listAxeViolations(page)]).toEqual([address, []])
        await page.emulateMedia({ colorScheme: 'dark' })
        expect([address, await listColourViolations(page)]).toEqual([address, []])
      })
    }
  })
})

describe('a page in a right-to-left script', () => {
  test('is laid out from right to left without clipping', async () => {
    const venue = await site.createVenue({ name: 'مقهى الياسمين', currency: 'AED', timezone: 'Asia/Dubai' })
    await load(venue.post, {
      modifiers: [{ title: 'الحجم', options: [{ label: 'كبير', additionalCost: 4 }] }],
      products: [
        { title: 'قهوة عربية', price: 18, description: 'قهوة محمّصة مع الهيل.', modifiers: [0] },
        { title: 'Flat white', price: 21.5, images: [{ url: 'https://images.example.com/flat-white.jpg' }] },
      ],
      menus: [
        {
          title: 'المشروبات',
          sections: [
            { title: 'ساخنة', items: [0, 1] },
            { title: 'باردة', items: [1] },
          ],
        },
      ],
    })
    await visit(browser, venue.page, { viewport: { width: 320, height: 700 }, bypassCSP: true }, async (page) => {
      const html = page.locator('html')
      expect([await html.getAttribute('lang'), await html.getAttribute('dir')]).toEqual(['ar', 'rtl'])
      expect(await widthOf(page)).toBe(320)
      for (const dish of await page.locator('.dish').all()) {
        const [title, price] = [
          await dish.locator('> div > b').boundingBox(),
          await dish.locator('> div > span').boundingBox(),
        ]
        // Beside a picture, a price that does not fit next to its title is below it.
        expect(price?.x).toBeLessThanOrEqual(title?.x ?? 0)
      }
      expect(await listAxeViolations(page)).toEqual([])
    })
  })
})

describe('names that contain markup', () => {
  const hostile = [
    '<script>alert(1)</script>',
    '</script><script>alert(2)</script><!--',
    '"><img src=x onerror=alert(3)>',
    "' autofocus onfocus=alert(4) x='",
    '\u202Eevil\u202D \u2066unclosed',
    '{{constructor.constructor("alert(5)")()}}',
    '</style><style>body{display:none}</style>',
  ]

  test('are shown as text', async () => {
    const venue = await site.createVenue({ name: hostile.join(' '), currency: 'EUR' })
    await load(venue.post, {
      modifiers: hostile.map((text) => ({
        title: text,
        instructions: text,
        description: text,
        options: [{ label: text }],
      })),
      products: hostile.map((text) => ({
        title: text,
        description: text,
        price: 1,
        modifiers: hostile.map((_, index) => index),
        images: [{ url: `https://images.example.com/x.jpg?${encodeURIComponent(text)}"onerror="alert(6)` }].filter(
          ({ url }) => !/\s/.test(url),
        ),
      })),
      menus: [
        {
          title: hostile[1],
          description: hostile[2],
          sections: hostile.map((text) => ({ title: text, description: text, items: [0, 1, 2, 3, 4, 5, 6] })),
        },
      ],
    })
    const tag = await venue.post('/tags', {
      metadata: hostile.map((text, index) => ({ key: `k${index}`, value: text })),
    })
    await visit(browser, `${venue.page}?tag=${tag.body.id}`, {}, async (page, { browserErrors, requests }) => {
      expect(browserErrors).toEqual([])
      expect(requests.filter((request) => !/images\.example\.com|^font /.test(request))).toHaveLength(1)
      expect(await page.locator('script').count()).toBe(2)
      expect(await page.locator('style').count()).toBe(1)
      expect(await page.locator('[onerror],[onfocus]').count()).toBe(0)
      expect(await page.locator('.dish > div > b').allTextContents()).toEqual(hostile.flatMap(() => hostile))
      expect(await page.locator('.dish').first().isVisible()).toBe(true)
      JSON.parse((await page.locator('script').first().textContent()) ?? '')
      expect(await widthOf(page)).toBe(390)
    })
  })
})

test('printed pages show all choices and no controls', async () => {
  await visit(browser, `${otter.page}?${morning}`, {}, async (page) => {
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('nav').first().isVisible()).toBe(false)
    expect(await page.locator('.dish', { hasText: 'Galão' }).first().getByText('Oat').isVisible()).toBe(true)
  })
})

test('matches docs/menu.png', async () => {
  const shots: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await visit(
      browser,
      `${otter.page}?${morning}&tag=${table.id}`,
      { colorScheme, deviceScaleFactor: 2 },
      async (page) => {
        await page.evaluate('scrollTo(0, 0)')
        shots.push((await page.screenshot()).toString('base64'))
      },
    )
  }
  const side = shots.map((shot) => `<img width="390" height="844" src="data:image/png;base64,${shot}">`).join('')
  const context = await browser.newContext({ viewport: { width: 860, height: 904 } })
  const page = await context.newPage()
  await page.setContent(
    `<style>body{margin:0;padding:30px;display:flex;gap:20px;background:#d9d3ca}img{border-radius:28px}</style>${side}`,
  )
  await savePicture('menu', await page.screenshot())
  await context.close()
})
