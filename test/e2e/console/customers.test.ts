import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch } from '../browser.ts'
import { checkLook, createOwner, type Owner, sizes, visitConsole, waitForStatus } from './console-page.ts'

let browser: Browser
let owner: Owner
beforeAll(async () => {
  browser = await launch()
  owner = await createOwner()
})
afterAll(() => browser?.close())

test('a customer is created by keyboard, exported and erased', async () => {
  await visitConsole(browser, owner, '/customers', async (page) => {
    await page.getByText('No customers yet').waitFor()
    await page.keyboard.press('n')
    const created = page.getByRole('dialog', { name: 'New customer' })
    await created.waitFor()
    for (const text of ['Marta', 'Reis', 'not an address']) {
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    const email = created.getByRole('textbox', { name: 'Email' })
    await email.and(page.locator('[aria-invalid=true]')).waitFor()
    await email.fill('marta@example.com')
    await page.keyboard.press('Enter')
    await waitForStatus(page, '“Marta Reis” is created.')
    const [customer] = await owner.get('/customers')
    expect(customer).toMatchObject({ firstName: 'Marta', lastName: 'Reis', email: 'marta@example.com' })

    await page.getByRole('button', { name: 'Marta Reis' }).press('Enter')
    const editor = page.getByRole('dialog', { name: 'Edit customer' })
    const download = page.waitForEvent('download')
    await editor.getByRole('button', { name: 'Export' }).press('Enter')
    const file = JSON.parse(await readFile(await (await download).path(), 'utf8'))
    expect(file.customer).toMatchObject({ id: customer.id, email: 'marta@example.com' })
    await editor.getByRole('button', { name: 'Erase' }).press('Enter')
    const question = page.getByRole('alertdialog', { name: 'Erase “Marta Reis”?' })
    await question.getByRole('button', { name: 'Cancel' }).press('Enter')
    expect(await owner.get('/customers')).toHaveLength(1)
    await editor.getByRole('button', { name: 'Erase' }).press('Enter')
    await question.getByRole('button', { name: 'Erase' }).press('Enter')
    await waitForStatus(page, '“Marta Reis” is erased.')
    expect(await owner.get('/customers')).toEqual([])
    await page.getByText('No customers yet').waitFor()
  })
})

test('a customer is found and changed on a phone', async () => {
  for (const [firstName, lastName] of [
    ['Ana', 'Lopes'],
    ['Rui', 'Pinto'],
  ]) {
    await owner.post('/customers', { firstName, lastName, email: `${firstName}@example.com` })
  }
  await visitConsole(
    browser,
    owner,
    '/customers',
    async (page) => {
      await page.getByRole('searchbox', { name: 'Search customers' }).fill('pinto')
      await page.getByRole('button', { name: 'Ana Lopes' }).waitFor({ state: 'detached' })
      await page.getByRole('table', { name: 'Customers' }).getByRole('button', { name: 'Rui Pinto' }).tap()
      await page.getByRole('textbox', { name: 'Phone' }).fill('+351 912 345 678')
      await page.getByRole('button', { name: 'Save' }).tap()
      await waitForStatus(page, '“Rui Pinto” is saved.')
    },
    sizes.phone,
  )
  expect((await owner.get('/customers?q=pinto'))[0]).toMatchObject({ phone: '+351 912 345 678' })
  await checkLook(browser, owner, '/customers', 'customers', async (page) => {
    await page.getByRole('button', { name: 'Rui Pinto' }).waitFor()
    return () => page.getByRole('button', { name: 'Rui Pinto' }).click()
  })
})
