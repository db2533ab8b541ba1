import { expect, test } from 'vitest'
import { getBrowser, readAtRest, visit, widthOf } from '../browser.ts'
import { createOwner, sizes, visitConsole } from './console-page.ts'

const word = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenmacherei'
const browser = await getBrowser()

test('a long word in the name of a product widens no page of a phone', async () => {
  const owner = await createOwner()
  const { id } = await owner.post('/products', { title: word, price: 1_200 })
  await owner.post(`/products/${id}/details`, { allergens: [{ code: 'milk', level: 'contains' }] })
  const menu = await owner.post('/menus', { title: 'Lunch', sections: [{ title: 'Mains', items: [id] }] })
  await visitConsole(
    browser,
    owner,
    `/menus/${menu.id}`,
    async (page) => {
      await page.getByRole('button', { name: `Remove ${word}` }).waitFor()
      expect(await widthOf(page)).toBe(sizes.phone.viewport.width)
      await page.getByRole('button', { name: 'Add product' }).click()
      const offer = page.getByRole('option', { name: word })
      await offer.waitFor()
      expect(
        await offer.evaluate(
          (each: { scrollWidth: number; clientWidth: number }) => each.scrollWidth - each.clientWidth,
        ),
      ).toBe(0)
    },
    sizes.phone,
  )
  await visit(browser, `${owner.origin}/m/${owner.id}/allergens`, {}, async (page) => {
    await page.getByRole('rowheader', { name: word }).waitFor()
    expect(
      await page.evaluate(
        'document.querySelector(".sheet").scrollWidth - document.querySelector(".sheet").clientWidth',
      ),
    ).toBe(0)
  })
})

test('a long word in any name widens no screen, and no editor, of the narrowest phone with the largest text', async () => {
  const title = word.slice(0, 54)
  const owner = await createOwner({ venue: { name: title } })
  const product = await owner.post('/products', { title, price: 1_200 })
  await owner.post(`/products/${product.id}/availability`, { soldOut: true, until: 'further_notice' })
  const sections = [{ title, items: [product.id] }]
  const menu = await owner.post('/menus', { title, sections })
  await owner.post('/menus', { title, sections, begin: '0001', end: '0002' })
  const modifier = await owner.post('/modifiers', {
    title,
    instructions: title,
    options: [{ label: title, additionalCost: 1 }],
  })
  const coupon = await owner.post('/coupons', { title, code: 'A'.repeat(30), type: 'PERCENTAGE', value: 10 })
  const customer = await owner.post('/customers', {
    firstName: title,
    lastName: title,
    email: `${'a'.repeat(40)}@b.example`,
  })
  const tag = await owner.post('/tags', {
    metadata: [
      { key: 'table', value: title },
      { key: 'area', value: title },
    ],
  })
  const webhook = await owner.post('/webhooks', { title, url: `https://example.com/${title}`, events: ['*'] })
  const paths = [
    'today',
    'products',
    `products/${product.id}`,
    'modifiers',
    `modifiers/${modifier.id}`,
    'menus',
    `menus/${menu.id}`,
    'coupons',
    `coupons/${coupon.id}`,
    'customers',
    `customers/${customer.id}`,
    'tables',
    `tables/${tag.id}`,
    'sold-out',
    'webhooks',
    `webhooks/${webhook.id}`,
    'import-export',
    'settings',
  ]
  await visitConsole(
    browser,
    owner,
    '/today',
    async (page) => {
      await page.evaluate('document.documentElement.style.fontSize = "200%"')
      for (const path of paths) {
        await page.evaluate(
          `history.pushState(null, '', '/console/${path}'); dispatchEvent(new PopStateEvent('popstate'))`,
        )
        const read = () =>
          page.evaluate<number[]>(
            `[document.documentElement, ...document.querySelectorAll('dialog[open] .dialog-body')].map((each) => each.scrollWidth)`,
          )
        expect([path, await readAtRest(page, read)]).toEqual([
          path,
          path.includes('/') && !path.startsWith('menus') ? [320, 320] : [320],
        ])
      }
    },
    { ...sizes.phone, viewport: { width: 320, height: 700 } },
  )
})
