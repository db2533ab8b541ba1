import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { checkLook, createOwner, sizes, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()

/** One object of each resource that the service restores: the path of its screen, and its name there. */
const objects = {
  products: { path: '/products', title: 'Otter cake', body: { title: 'Otter cake', price: 4 } },
  modifiers: {
    path: '/modifiers',
    title: 'Milk',
    body: { title: 'Milk', instructions: '', options: [{ label: 'Oat' }] },
  },
  menus: { path: '/menus', title: 'Brunch', body: { title: 'Brunch', sections: [] } },
  coupons: { path: '/coupons', title: 'Spring', body: { title: 'Spring', code: 'SPRING', type: 'FIXED', value: 1 } },
  customers: { path: '/customers', title: 'Ana Lopes', body: { firstName: 'Ana', lastName: 'Lopes' } },
  tags: { path: '/tables', title: 'Table 4', body: { metadata: [{ key: 'table', value: '4' }] } },
}

const restore = (page: Page, title: string) => page.getByRole('button', { name: `Restore ${title}`, exact: true })

test('below each list, what was deleted is named with its time and its actor, and returns by one tap', async () => {
  const owner = await createOwner()
  for (const [resource, { path, title, body }] of Object.entries(objects)) {
    const { id } = await owner.post(`/${resource}`, body)
    await owner.delete(`/${resource}/${id}`)
    await visitConsole(
      browser,
      owner,
      path,
      async (page) => {
        await page.getByRole('link', { name: 'Deleted', exact: true }).tap()
        const sheet = page.getByRole('dialog', { name: 'Deleted' })
        // The integrator's key deleted it: it has no title, so its beginning names it.
        await sheet
          .getByRole('listitem')
          .filter({ hasText: title })
          .getByText(/\d{2}:\d{2} · \S+…\S+$/)
          .waitFor()
        await restore(page, title).tap()
        await waitForStatus(page, `“${title}” is back.`)
        await sheet.getByText('Nothing was deleted in the last 30 days.').waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('table').getByText(title, { exact: true }).waitFor()
      },
      sizes.phone,
    )
    expect((await owner.get(`/${resource}/${id}`)).id).toBe(id)
  }
})

test('Today lists what was deleted last in all lists; the message says where it stands again, and what is missing', async () => {
  const owner = await createOwner()
  const milk = await owner.post('/modifiers', objects.modifiers.body)
  const [cake, tea] = [
    await owner.post('/products', { title: 'Cake', price: 4, modifiers: [milk.id] }),
    await owner.post('/products', { title: 'Tea', price: 2 }),
  ]
  const menu = await owner.post('/menus', { title: 'Brunch', sections: [{ title: 'Sweet', items: [cake.id] }] })
  const coupon = await owner.post('/coupons', objects.coupons.body)
  for (const path of [`/products/${cake.id}`, `/products/${tea.id}`, `/modifiers/${milk.id}`, `/coupons/${coupon.id}`])
    await owner.delete(path)
  await owner.post('/coupons', { ...objects.coupons.body, title: 'Summer' })
  await visitConsole(browser, owner, '/today', async (page) => {
    const list = page.getByRole('region', { name: 'Deleted' }).getByRole('listitem')
    await list.nth(3).waitFor()
    // Several may have been deleted in one second.
    expect((await list.locator('> span').allInnerTexts()).map((text) => text.split('\n')[0]).sort()).toEqual([
      'Coupon “Spring”',
      'Modifier “Milk”',
      'Product “Cake”',
      'Product “Tea”',
    ])
    await restore(page, 'Cake').click()
    await waitForStatus(page, '“Cake” is back. It is on again: Brunch. Without Milk, which no longer exists.')
    await restore(page, 'Tea').click()
    await waitForStatus(page, '“Tea” is back. It is on no menu.')
    await restore(page, 'Spring').click()
    await page.getByRole('alert').getByText('Another coupon has this code now.').waitFor()
    await restore(page, 'Cake').waitFor({ state: 'detached' })
    expect((await owner.get(`/menus/${menu.id}`)).sections[0].items).toEqual([cake.id])
  })
})

test('staff, who may not write, are offered no deleted objects', async () => {
  const owner = await createOwner({ scopes: ['products:read', 'menus:read'] })
  const { id } = await owner.post('/products', objects.products.body)
  await owner.delete(`/products/${id}`)
  await visitConsole(browser, owner, '/products', async (page, { requests }) => {
    await page.getByText('No products yet').waitFor()
    expect(await page.getByRole('link', { name: 'Deleted', exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'Today' }).click()
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    expect(await page.getByRole('region', { name: 'Deleted' }).count()).toBe(0)
    expect(requests.filter((each) => each.includes('/products'))).not.toEqual([])
  })
})

test('the deleted objects are accessible in both themes, and fit 320 px', async () => {
  const owner = await createOwner()
  for (const title of ['Otter cake', 'Donaudampfschifffahrtsgesellschaftskapitänsmützentorte']) {
    const { id } = await owner.post('/products', { title, price: 4 })
    await owner.delete(`/products/${id}`)
  }
  await checkLook(browser, owner, '/products/deleted', 'deleted', async (page) => {
    await restore(page, 'Otter cake').waitFor()
    return undefined
  })
})
