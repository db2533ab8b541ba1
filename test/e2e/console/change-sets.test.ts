import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { createOwner, type Owner, sizes, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()

const createProducts = (owner: Owner, count: number) =>
  owner.post('/batch', {
    operations: Array.from({ length: count }, (_, index) => ({
      ...{ op: 'create', resource: 'products' },
      body: { title: `Bun ${String(index).padStart(3, '0')}`, price: 10 },
    })),
  })

const sets = (page: Page) => page.getByRole('region', { name: 'Changes you can undo' }).getByRole('listitem')

test('prices of many are undone from Today after a reload, except what somebody changed since', async () => {
  const owner = await createOwner()
  const { results } = await createProducts(owner, 3)
  const ids: string[] = results.map(({ id }: { id: string }) => id)
  const prices = () => Promise.all(ids.map(async (id) => (await owner.get(`/products/${id}`)).price))
  await visitConsole(
    browser,
    owner,
    '/products',
    async (page) => {
      await page.getByRole('button', { name: 'Bun 000' }).waitFor()
      await page.getByRole('checkbox', { name: 'Select all shown' }).check()
      await page.getByRole('button', { name: 'Change prices' }).tap()
      await page.getByRole('dialog').getByRole('textbox').fill('10')
      await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).tap()
      await waitForStatus(page, '3 prices are changed.')
      expect(await prices()).toEqual([11, 11, 11])
      await owner.post(`/products/${ids[0]}`, { price: 12 })
      await page.goto(`${owner.origin}/console/today`)
      const set = sets(page).filter({ hasText: 'Prices: 3 changed' })
      await set.getByText(/· You$/).waitFor()
      await set.getByRole('button').tap()
      const question = page.getByRole('alertdialog', { name: 'Undo “Prices”?' })
      await question.getByText('2 changes are taken back. 1 stays as it is.').waitFor()
      await question.getByText('Product “Bun 000” (Price): changed by somebody since.').waitFor()
      await question.getByRole('button', { name: 'Undo' }).tap()
      await page.getByRole('alert').getByText('2 changes are taken back. 1 stays as it is.').waitFor()
      expect(await prices()).toEqual([12, 10, 10])
      await set.getByText('undone', { exact: true }).waitFor()
      // The undo can be undone.
      await sets(page)
        .filter({ hasText: 'Undone: 2 changed' })
        .getByRole('button', { name: /^Undo Undone/ })
        .waitFor()
    },
    sizes.phone,
  )
})

test('an import is undone in steps, whose progress is shown, and a batch of another system has its own name', async () => {
  const owner = await createOwner()
  const rows = Array.from({ length: 700 }, (_, index) => `Roll ${index},1.50`)
  const csv = ['title,price', ...rows].join('\n')
  const { origin, key, id } = owner
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/csv' }
  const response = await fetch(`${origin}/merchants/${id}/imports?resource=products`, {
    method: 'POST',
    headers,
    body: csv,
  })
  const started: { id: string } = await response.json()
  const state = async () => (await owner.get(`/imports/${started.id}`)).state
  await expect.poll(state, { timeout: 30_000 }).toBe('ready')
  await owner.post(`/imports/${started.id}/apply`, {})
  await expect.poll(state, { timeout: 60_000 }).toBe('done')
  const sent = await fetch(`${origin}/merchants/${id}/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'change-set': 'Till update' },
    body: JSON.stringify({ operations: [{ op: 'create', resource: 'products', body: { title: 'Tea', price: 2 } }] }),
  })
  expect(sent.status).toBe(200)
  await visitConsole(browser, owner, '/today', async (page) => {
    await sets(page).filter({ hasText: 'Till update: 1 created' }).waitFor()
    await sets(page).filter({ hasText: 'Import: 700 created' }).getByRole('button').click()
    await page.getByRole('alertdialog').getByText('700 changes are taken back.').waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('progressbar', { name: 'Being undone …' }).waitFor()
    await page.getByRole('status').getByText('Undone. 700 changes are taken back.').waitFor({ timeout: 60_000 })
    expect((await owner.get('/products?limit=5')).map(({ title }: { title: string }) => title)).toEqual(['Tea'])
  })
})
