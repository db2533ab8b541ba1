import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { checkLook, createOwner, sizes, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

test('a coupon is created by keyboard with limits, and its code is tried against a basket', async () => {
  const tea = await owner.post('/products', { title: 'Mint tea', price: 3 })
  await owner.post('/products', { title: 'Mint cake', price: 4.5 })
  await visitConsole(browser, owner, '/coupons', async (page) => {
    await page.getByText('No coupons yet').waitFor()
    await page.keyboard.press('n')
    const created = page.getByRole('dialog', { name: 'New coupon' })
    await created.waitFor()
    await page.keyboard.type('Summer')
    await page.keyboard.press('Tab')
    await page.keyboard.type('SUMMER10')
    await created.getByLabel('Value').fill('10')
    await created.getByLabel('Valid until').fill('2030-08-31T23:59')
    await created.getByLabel('Redemptions in total').fill('50')
    const warning = created.getByText('It does not apply to any product:')
    expect(await warning.count()).toBe(0)
    await created.getByLabel('All products').press('Space')
    await warning.waitFor()
    await created.getByRole('combobox', { name: 'Find a product' }).fill('mint')
    await created.getByRole('option', { name: 'Mint tea' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await created.getByRole('button', { name: 'Remove Mint tea' }).waitFor()
    expect(await warning.count()).toBe(0)
    await created.getByLabel('Value').press('Enter')
    await waitForStatus(page, '“Summer” is created.')
    const [coupon] = await owner.get('/coupons')
    expect(coupon).toMatchObject({ code: 'SUMMER10', type: 'PERCENTAGE', value: 10, products: [tea.id] })
    // 31 August 2030, 23:59 in Lisbon, where it is summer time.
    expect(await owner.get(`/coupons/${coupon.id}/limits`)).toEqual({
      endsAt: Date.UTC(2030, 7, 31, 22, 59) / 1000,
      maxRedemptions: 50,
    })

    await page.getByLabel('Code to try').fill('summer10')
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    await page.getByText('Find at least one product first.').waitFor()
    await page.getByRole('combobox', { name: 'Find a product' }).fill('mint t')
    await page.getByRole('option', { name: 'Mint tea' }).click()
    await page.getByLabel('Quantity of Mint tea').fill('2')
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    await waitForStatus(page, '“summer10” takes €0.60 off.')
    await page.getByLabel('Code to try').fill('winter')
    await page.keyboard.press('Enter')
    await waitForStatus(page, 'No coupon has this code.')
  })
})

test('products that are offered disappear after a pick, and are offered again by a click or a key', async () => {
  await owner.post('/products', { title: 'Rye bread', price: 3 })
  await visitConsole(browser, owner, '/coupons', async (page) => {
    const finder = page.getByRole('combobox', { name: 'Find a product' })
    const offer = page.getByRole('option', { name: 'Rye bread' })
    const isOffered = () => page.locator('.offers').isVisible()
    await finder.fill('rye')
    await offer.click()
    await page.getByLabel('Quantity of Rye bread').waitFor()
    expect(await isOffered()).toBe(false)
    await finder.click()
    await offer.click()
    expect(await isOffered()).toBe(false)
    await finder.press('ArrowDown')
    await offer.waitFor()
    await finder.press('Escape')
    expect(await isOffered()).toBe(false)
    expect(await page.getByLabel('Quantity of Rye bread').inputValue()).toBe('2')
  })
})

test('the state of a coupon is said in words, and its limits are changed on a phone', async () => {
  const { id } = await owner.post('/coupons', { title: 'Welcome', code: 'HELLO', type: 'FIXED', value: 2 })
  await owner.post(`/coupons/${id}/limits`, { maxRedemptions: 1 })
  await owner.post('/redemptions', { code: 'HELLO', order: 'order-1', amount: 2 })
  const later = await owner.post('/coupons', { title: 'Later', code: 'SOON', type: 'FIXED', value: 1 })
  await owner.post(`/coupons/${later.id}/limits`, { startsAt: Date.UTC(2030, 0, 2, 10) / 1000 })
  await visitConsole(
    browser,
    owner,
    '/coupons',
    async (page) => {
      const list = page.getByRole('table', { name: 'Coupons' })
      const row = list.getByRole('row', { name: 'Welcome HELLO · Used up · redeemed 1 of 1 times €2.00' })
      await list.getByText('SOON · Starts 2 Jan 2030, 10:00 · never redeemed').waitFor()
      await row.getByRole('button', { name: 'Welcome' }).tap()
      const editor = page.getByRole('dialog', { name: 'Edit coupon' })
      await editor.getByText('Used up · redeemed 1 of 1 times').waitFor()
      await editor.getByRole('table', { name: 'Redemptions' }).getByText('order-1').waitFor()
      for (const text of ['many', '1,000', '1.000']) {
        await editor.getByLabel('Redemptions in total').fill(text)
        await editor.getByRole('button', { name: 'Save' }).tap()
        await editor.getByText('Enter a whole number, in digits only.').waitFor()
        await editor.getByLabel('Redemptions in total').fill('')
      }
      for (const label of ['Value', 'Minimum order', 'Maximum discount per order']) {
        const amount = editor.getByLabel(label)
        const before = await amount.inputValue()
        await amount.fill('1,200')
        await editor.getByRole('button', { name: 'Save' }).tap()
        await editor.getByText('Enter a number such as 12.50, without a separator for thousands.').waitFor()
        await amount.fill(before)
      }
      await editor.getByLabel('Valid from').fill('2026-01-02T10:00')
      await editor.getByLabel('Valid until').fill('2026-01-01T10:00')
      await editor.getByRole('button', { name: 'Save' }).tap()
      await editor.getByText('This must be after the start.').waitFor()
      expect(await editor.getByLabel('Valid until').getAttribute('aria-invalid')).toBe('true')
      await editor.getByLabel('Valid until').fill('')
      await editor.getByRole('button', { name: 'Save' }).tap()
      await waitForStatus(page, '“Welcome” is saved.')
      // In winter the clock of Lisbon is UTC.
      const limits = { startsAt: Date.UTC(2026, 0, 2, 10) / 1000 }
      expect(await owner.get(`/coupons/${id}/limits`)).toEqual(limits)

      await page.getByRole('button', { name: 'Welcome' }).tap()
      await editor.getByRole('table', { name: 'Redemptions' }).waitFor()
      await editor.getByRole('button', { name: 'Delete' }).tap()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).tap()
      await waitForStatus(page, '“Welcome” is deleted.')
      await page.getByRole('button', { name: 'Undo' }).tap()
      await waitForStatus(page, '“Welcome” is back.')
      const [restored] = await owner.get('/coupons?q=welcome')
      expect(restored.id).toBe(id)
      expect(await owner.get(`/coupons/${restored.id}/limits`)).toEqual(limits)
    },
    sizes.phone,
  )
  await checkLook(browser, owner, '/coupons', 'coupons', async (page) => {
    await page.getByRole('button', { name: 'Welcome' }).waitFor()
    return () => page.getByRole('button', { name: 'Welcome' }).click()
  })
})

test('days, hours and order types are limited on a phone, and single-use codes are made and saved', async () => {
  const { id } = await owner.post('/coupons', { title: 'Happy hour', code: 'HAPPY', type: 'FIXED', value: 1 })
  await visitConsole(
    browser,
    owner,
    '/coupons',
    async (page) => {
      await page.getByRole('button', { name: 'Happy hour' }).tap()
      const editor = page.getByRole('dialog', { name: 'Edit coupon' })
      const save = editor.getByRole('button', { name: 'Save', exact: true })
      for (const day of ['Sat', 'Sun']) await editor.getByLabel(day, { exact: true }).uncheck()
      await editor.getByLabel('Delivery').uncheck()
      await editor.getByLabel('From (hour)').fill('17:00')
      await save.tap()
      await editor.getByText('Fill this in.').waitFor()
      await editor.getByLabel('Until (hour)').fill('19:30')
      await editor.getByLabel('Applies without a code').check()

      await editor.getByLabel('How many').fill('0')
      await editor.getByRole('button', { name: 'Make codes' }).tap()
      await editor.getByText('Enter a number from 1 to').waitFor()
      await editor.getByLabel('How many').fill('3')
      await editor.getByLabel('They begin with').fill('HAPPY-')
      const saved = page.waitForEvent('download')
      await editor.getByRole('button', { name: 'Make codes' }).tap()
      const file = await readFile(await (await saved).path(), 'utf8')
      expect(file.match(/^HAPPY-\w{10},available,\r$/gm)).toHaveLength(3)
      await editor.getByText('3 codes HAPPY-…').waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await save.tap()
      await waitForStatus(page, '“Happy hour” is saved.')
    },
    sizes.phone,
  )
  expect(await owner.get(`/coupons/${id}/limits`)).toEqual({
    days: ['mon', 'tue', 'wed', 'thu', 'fri'],
    begin: '1700',
    end: '1930',
    orderTypes: ['dine_in', 'takeaway'],
    automatic: true,
  })
  expect(await owner.get(`/coupons/${id}/codes/batches`)).toMatchObject([{ count: 3, prefix: 'HAPPY-' }])
})

test.each([
  ['en-GB', 'This exists already.'],
  ['de-DE', 'Das gibt es schon.'],
])('a code that another coupon has is marked, in %s', async (locale, text) => {
  const code = `LEAVES-${locale}`
  await owner.post('/coupons', { title: 'Autumn', code, type: 'FIXED', value: 2 })
  const act = async (page: Page) => {
    await page.getByRole('button', { name: 'Autumn' }).first().waitFor()
    await page.keyboard.press('n')
    const created = page.getByRole('dialog')
    await created.getByLabel(/^(Title|Titel)$/).fill('Wind')
    await created.getByLabel(/^(Value|Wert)/).fill('1')
    await created.getByLabel(/^Code$/).fill(code.toLowerCase())
    await page.keyboard.press('Enter')
    await created.getByText(text).waitFor()
    // The focus moves with the next frame.
    const focused = '[document.activeElement.value, document.activeElement.ariaInvalid]'
    await expect.poll(() => page.evaluate(focused)).toEqual([code.toLowerCase(), 'true'])
  }
  await visitConsole(browser, owner, '/coupons', act, { ...sizes.desk, locale })
})

test('the list shows the current state at each visit, and after limits could not be read', async () => {
  const venue = await createOwner()
  const { id } = await venue.post('/coupons', { title: 'Spring', code: 'SPRING', type: 'FIXED', value: 1 })
  await venue.post(`/coupons/${id}/limits`, { endsAt: 1_700_000_000 })
  await visitConsole(browser, venue, '/settings', async (page) => {
    const visit = async (screen: string) => {
      await page.getByRole('navigation').first().getByRole('link', { name: screen, exact: true }).click()
      await page.getByRole('heading', { level: 1, name: screen }).waitFor()
    }
    const row = page.getByRole('row', { name: 'Spring' })
    await page.route('**/limits', (route) => route.fulfill({ status: 403, body: '' }), { times: 1 })
    await visit('Coupons')
    await row.getByText('never redeemed', { exact: true }).waitFor()
    await visit('Products')
    await visit('Coupons')
    await row.getByText(/^Ended/).waitFor()
    await venue.post(`/coupons/${id}/limits`, { endsAt: null })
    await visit('Products')
    await visit('Coupons')
    await row.getByText(/^Active ·/).waitFor()
  })
})
