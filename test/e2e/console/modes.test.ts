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

test('the choice of a mode asks before it discards what is typed, and changes nothing if it is taken back', async () => {
  const venue = await createVenue()
  await visit(sizes.phone, async (page) => {
    await join(page, await venue.invite('owner'), 'Zoë')
    await title(page, 'Today')
    await page.goto(`${new URL(page.url()).origin}/console/settings`)
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Four Otters')
    const account = page.getByRole('button', { name: 'Account' })
    const [live, test] = ['Live', 'Test'].map((mode) => page.getByRole('radio', { name: mode }))
    await account.click()
    await test?.click()
    const question = page.getByRole('alertdialog', { name: 'Discard your changes?' })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    expect(await name.inputValue()).toBe('Four Otters')
    await expect.poll(() => account.and(page.locator(':focus')).count()).toBe(1)
    await account.click()
    expect(await live?.isChecked()).toBe(true)
    // Neither this tab nor the next one is in the other mode.
    const other = await page.context().newPage()
    await other.goto(page.url())
    await title(other, 'Settings')
    expect(await other.getByText('Test mode', { exact: true }).count()).toBe(0)
    await other.close()

    await test?.click()
    await Promise.all([page.waitForEvent('load'), question.getByRole('button', { name: 'Discard' }).click()])
    await page.getByText('Test mode', { exact: true }).waitFor()
    expect(await name.inputValue()).toBe('Three Otters')
    await account.click()
    expect(await test?.isChecked()).toBe(true)
    await Promise.all([page.waitForEvent('load'), live?.click()])
    await title(page, 'Settings')
    expect(await name.inputValue()).toBe('Three Otters')
  })
})
