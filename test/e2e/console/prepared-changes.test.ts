import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { checkLook, createOwner, sizes, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()

const bar = (page: Page) => page.getByRole('region', { name: /^Being prepared: / })

/** Begins to prepare changes. Returns after the list shows the release. */
async function prepare(page: Page, title: string) {
  await page.getByRole('button', { name: 'Prepare changes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Prepare changes' })
  await dialog.getByRole('textbox', { name: 'Title' }).fill(title)
  await dialog.getByRole('button', { name: 'Start' }).click()
  await bar(page).getByRole('button', { name: 'No changes yet' }).waitFor()
}

async function createVenue() {
  const owner = await createOwner()
  const latte = await owner.post('/products', { title: 'Latte', price: 3 })
  const tea = await owner.post('/products', { title: 'Tea', price: 2 })
  const menu = await owner.post('/menus', { title: 'Day', sections: [{ title: 'Warm', items: [latte.id, tea.id] }] })
  const milk = await owner.post('/modifiers', { title: 'Milk', instructions: '', options: [{ label: 'Oat' }] })
  /** The catalogue that guests get. */
  const live = async () => ({
    latte: (await owner.get(`/products/${latte.id}`)).price,
    products: (await owner.get('/products')).map(({ title }: { title: string }) => title).sort(),
    menu: (await owner.get(`/menus/${menu.id}`)).title,
    modifiers: (await owner.get('/modifiers')).length,
  })
  return { owner, latte, tea, menu, milk, live }
}
const before = { latte: 3, products: ['Latte', 'Tea'], menu: 'Day', modifiers: 1 }

test('changes on three screens go into a draft, survive a reload, and are published together, on a phone', async () => {
  const { owner, tea, live } = await createVenue()
  await visitConsole(
    browser,
    owner,
    '/products',
    async (page, { requests }) => {
      await prepare(page, 'Autumn menu')
      const price = page.getByRole('textbox', { name: 'Price of Latte' })
      await price.fill('3.60')
      await price.press('Enter')
      await bar(page).getByRole('button', { name: '1 change', exact: true }).waitFor()
      // A dish of the draft only.
      await page.getByRole('button', { name: 'New product' }).tap()
      const editor = page.getByRole('dialog', { name: 'New product' })
      await editor.getByRole('textbox', { name: 'Title' }).first().fill('Pumpkin soup')
      await editor.getByRole('textbox', { name: 'Price', exact: true }).fill('7.50')
      await editor.getByRole('button', { name: 'Save' }).tap()
      await waitForStatus(page, '“Pumpkin soup” is prepared.')
      // A dish that goes.
      await page.getByRole('button', { name: 'Tea', exact: true }).tap()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).tap()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).tap()
      await waitForStatus(page, '“Tea” will be deleted.')
      await page.goto(`${owner.origin}/console/menus`)
      await bar(page).getByRole('button', { name: '3 changes' }).waitFor()
      await page.getByRole('button', { name: 'Day', exact: true }).tap()
      await page.getByRole('textbox', { name: 'Title', exact: true }).first().fill('Autumn')
      await page.getByRole('button', { name: 'Save' }).tap()
      await waitForStatus(page, '“Autumn” is prepared.')
      await page.goto(`${owner.origin}/console/modifiers`)
      await page.getByRole('button', { name: 'Milk', exact: true }).tap()
      await page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).first().fill('Milks')
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).tap()
      await bar(page).getByRole('button', { name: '5 changes' }).waitFor()
      expect(await live()).toEqual(before)
      expect(requests.filter((each) => /^(?:POST|DELETE) .*\/(?:products|menus|modifiers)\b/.test(each))).toEqual([])
      // The list of the draft.
      await page.goto(`${owner.origin}/console/products`)
      await page.getByRole('button', { name: 'Pumpkin soup' }).waitFor()
      await expect.poll(() => page.getByRole('textbox', { name: 'Price of Latte' }).inputValue()).toBe('3.60')
      expect(await page.getByRole('button', { name: 'Tea', exact: true }).count()).toBe(0)
      await bar(page).getByRole('button', { name: '5 changes' }).tap()
      const sheet = page.getByRole('dialog', { name: 'What changes' })
      await sheet.getByText('Price: €3.00 → €3.60').waitFor()
      await sheet.getByText('new, €7.50').waitFor()
      await sheet.getByText('Title: Day → Autumn').waitFor()
      await sheet.getByRole('listitem').filter({ hasText: 'Product “Tea”' }).getByText('deleted').waitFor()
      await sheet.getByRole('button', { name: 'Take Tea out' }).tap()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Tea', exact: true }).waitFor()
      await bar(page).getByRole('button', { name: 'Preview' }).tap()
      const preview = page.frameLocator('iframe[title=Preview]')
      await preview.getByText('Latte').first().waitFor()
      await preview.getByText('3.60').first().waitFor()
      await page.keyboard.press('Escape')
      await bar(page).getByRole('button', { name: 'Publish', exact: true }).tap()
      const question = page.getByRole('alertdialog', { name: 'Publish 4 changes now?' })
      await question.getByRole('button', { name: 'Publish' }).tap()
      await waitForStatus(page, '4 changes are published.')
      expect(await bar(page).count()).toBe(0)
    },
    sizes.phone,
  )
  const after = { latte: 3.6, products: ['Latte', 'Pumpkin soup', 'Tea'], menu: 'Autumn', modifiers: 1 }
  expect(await live()).toEqual(after)
  expect((await owner.get(`/products/${tea.id}`)).price).toBe(2)
})

test('a change by somebody since is shown in words, and the person chooses to publish', async () => {
  const { owner, latte, live } = await createVenue()
  await visitConsole(browser, owner, '/products', async (page) => {
    await prepare(page, 'Prices')
    const price = page.getByRole('textbox', { name: 'Price of Latte' })
    await price.fill('3.60')
    await price.press('Enter')
    await bar(page).getByRole('button', { name: '1 change', exact: true }).waitFor()
    await owner.post(`/products/${latte.id}`, { price: 3.2 })
    await bar(page).getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Publish' }).click()
    const sheet = page.getByRole('dialog', { name: 'What changes' })
    await sheet.getByText('Latte, Price: yours €3.60, now €3.20').waitFor()
    expect((await live()).latte).toBe(3.2)
    await sheet.getByRole('button', { name: 'Publish mine' }).click()
    await waitForStatus(page, '1 change is published.')
    expect((await live()).latte).toBe(3.6)
    // The set of a release can be undone.
    await page.getByRole('button', { name: 'Undo' }).click()
    await waitForStatus(page, 'Undone.')
    expect((await live()).latte).toBe(3.2)
  })
})

test('changes are scheduled for a Friday, continued from Today, and discarded', async () => {
  const { owner, live } = await createVenue()
  await visitConsole(browser, owner, '/products', async (page) => {
    await prepare(page, 'Friday prices')
    const price = page.getByRole('textbox', { name: 'Price of Latte' })
    await price.fill('x')
    await price.press('Enter')
    await page.getByRole('alert').getByText('Price of Latte: Enter a number').waitFor()
    await price.fill('2000000000')
    await price.press('Enter')
    await page.getByRole('alert').getByText('Price of Latte: Enter at most').waitFor()
    await price.fill('3.60')
    await price.press('Enter')
    await bar(page).getByRole('button', { name: '1 change', exact: true }).waitFor()
    await bar(page)
      .getByRole('button', { name: /^On Friday.* 06:00$/ })
      .click()
    const dialog = page.getByRole('dialog', { name: 'Publish on' })
    await dialog.getByLabel('Publish on').fill('2020-01-03T06:00')
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await dialog.getByText('Choose a time in the future, at most a year ahead.').waitFor()
    await page.keyboard.press('Escape')
    await bar(page)
      .getByRole('button', { name: /^On Friday/ })
      .click()
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await waitForStatus(page, 'They are published on Fri')
    const [release] = await owner.get('/releases')
    expect(new Date(release.publishAt * 1000).getUTCDay()).toBe(5)
    // Without the release, a change is made at once.
    expect(await bar(page).count()).toBe(0)
    expect(await price.inputValue()).toBe('3.00')
    await page.getByRole('link', { name: 'Today' }).click()
    const card = page.getByRole('region', { name: 'Prepared changes' })
    await card.getByText(/On Fri.* 06:00/).waitFor()
    await card.getByRole('button', { name: 'Continue Friday prices' }).click()
    await bar(page).getByRole('button', { name: '1 change', exact: true }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Price of Latte' }).inputValue()).toBe('3.60')
    await page.getByRole('dialog').getByRole('button', { name: 'Discard all' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard all' }).click()
    await waitForStatus(page, '“Friday prices” is discarded.')
    await page.getByRole('link', { name: 'Today' }).click()
    await card.getByText('Nothing is being prepared.').waitFor()
  })
  expect(await live()).toEqual(before)
})

test('a person who may not publish prepares and previews, and is offered no publication', async () => {
  const scopes = ['products:write', 'menus:read', 'modifiers:read', 'releases:write'] as const
  const owner = await createOwner({ scopes })
  await owner.post('/products', { title: 'Latte', price: 3 })
  await visitConsole(browser, owner, '/products', async (page) => {
    await prepare(page, 'Proposal')
    const price = page.getByRole('textbox', { name: 'Price of Latte' })
    await price.fill('3.60')
    await price.press('Enter')
    await bar(page).getByRole('button', { name: '1 change', exact: true }).waitFor()
    expect(await bar(page).getByRole('button').allInnerTexts()).toEqual(['1 change', 'Preview', ''])
  })
})

test('the bar and the differences are accessible in both themes, and fit 320 px', async () => {
  const { owner } = await createVenue()
  await checkLook(browser, owner, '/products', 'prepared', async (page) => {
    await prepare(page, 'Donaudampfschifffahrtsgesellschaftskapitänsmützentortenwoche')
    const price = page.getByRole('textbox', { name: 'Price of Latte' })
    await price.fill('3.60')
    await price.press('Enter')
    await bar(page).getByRole('button', { name: '1 change', exact: true }).waitFor()
    return undefined
  })
  await checkLook(browser, owner, '/products', 'differences', async (page) => {
    await prepare(page, 'Prices')
    const price = page.getByRole('textbox', { name: 'Price of Latte' })
    await price.fill('3.60')
    await price.press('Enter')
    await bar(page).getByRole('button', { name: '1 change', exact: true }).click()
    await page.getByText('Price: €3.00 → €3.60').waitFor()
    return undefined
  })
})
