import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { sizes, waitForStatus } from './console-page.ts'
import { createVenue, createVisit, join, title } from './member-page.ts'

const visit = createVisit(await getBrowser())

test('a tab stays in the mode that it shows when another tab changes its own', async () => {
  const venue = await createVenue()
  await visit(sizes.desk, async (page) => {
    await join(page, await venue.invite('owner'), 'Zoë')
    await title(page, 'Today')
    const chooseMode = async (tab: Page, mode: string) => {
      await tab.getByRole('button', { name: 'Account' }).click()
      await Promise.all([tab.waitForEvent('load'), tab.getByRole('radio', { name: mode }).click()])
      await title(tab, 'Today')
    }
    const createProduct = async (name: string) => {
      await page.getByRole('link', { name: 'Products' }).click()
      await page.getByRole('button', { name: 'New product' }).click()
      const form = page.getByRole('dialog', { name: 'New product' })
      await form.getByRole('textbox', { name: 'Title' }).fill(name)
      await form.getByRole('textbox', { name: 'Price' }).fill('4')
      await form.getByRole('button', { name: 'Save' }).click()
      await waitForStatus(page, `“${name}” is created.`)
    }
    const banner = page.getByText('Test mode')
    await chooseMode(page, 'Test')
    const other = await page.context().newPage()
    await other.goto(page.url())
    await title(other, 'Today')
    await chooseMode(other, 'Live')
    expect(await banner.isVisible()).toBe(true)
    await createProduct('Trial cake')
    expect(await banner.isVisible()).toBe(true)
    expect(await venue.listProducts('live')).toEqual([])
    expect(await venue.listProducts('test')).toEqual(['Trial cake'])

    // A tab that is loaded opens in the mode that was chosen last.
    await page.reload()
    await title(page, 'Products')
    expect(await banner.count()).toBe(0)
    await chooseMode(other, 'Test')
    await createProduct('Real cake')
    expect(await banner.count()).toBe(0)
    expect(await venue.listProducts('live')).toEqual(['Real cake'])
  })
})
