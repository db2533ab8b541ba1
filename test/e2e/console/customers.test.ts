import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { checkLook, createOwner, sizes, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

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

test('what somebody else changed is kept by a save and by its undo', async () => {
  const venue = await createOwner()
  const { id } = await venue.post('/customers', { firstName: 'Ana', lastName: 'Lopes', phone: '1' })
  await visitConsole(browser, venue, '/customers', async (page) => {
    const editor = page.getByRole('dialog', { name: 'Edit customer' })
    const phone = editor.getByRole('textbox', { name: 'Phone' })
    // The list is older than the editor, which shows the current state: this is no conflict.
    await page.getByRole('button', { name: 'Ana Lopes' }).waitFor()
    await venue.post(`/customers/${id}`, { firstName: 'Anna' })
    await page.getByRole('button', { name: 'Ana Lopes' }).click()
    await phone.fill('2')
    await page.keyboard.press('Enter')
    await waitForStatus(page, '“Anna Lopes” is saved.')

    await page.getByRole('button', { name: 'Anna Lopes' }).click()
    await phone.fill('3')
    await venue.post(`/customers/${id}`, { lastName: 'Lopes Reis', phone: '4' })
    await page.keyboard.press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep mine' }).click()
    await waitForStatus(page, '“Anna Lopes Reis” is saved.')
    expect(await venue.get(`/customers/${id}`)).toMatchObject({ lastName: 'Lopes Reis', phone: '3' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await waitForStatus(page, 'Undone.')
    expect(await venue.get(`/customers/${id}`)).toMatchObject({ firstName: 'Anna', lastName: 'Lopes Reis', phone: '4' })
  })
})

test('a deletion that is undone brings the external id back, and the focus stays on the screen', async () => {
  const venue = await createOwner()
  const bodies = {
    customers: { firstName: 'Rui', lastName: 'Pinto' },
    coupons: { title: 'Rui Pinto', code: 'RUI', type: 'PERCENTAGE', value: 10 },
    webhooks: { title: 'Rui Pinto', url: 'http://127.0.0.1:9/', events: ['menu.created'] },
  }
  for (const [path, body] of Object.entries(bodies)) {
    const { id } = await venue.post(`/${path}`, body)
    await venue.post(`/${path}/${id}/external-id`, { externalId: 'till-7' })
    await visitConsole(browser, venue, `/${path}`, async (page) => {
      await page.getByRole('button', { name: 'Rui Pinto' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await waitForStatus(page, '“Rui Pinto” is deleted.')
      // The focus moves one frame after the dialog has closed.
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content')
      await page.getByRole('button', { name: 'Undo' }).click()
      await waitForStatus(page, '“Rui Pinto” is back')
      expect(await page.getByText('a new secret').count()).toBe(path === 'webhooks' ? 1 : 0)
    })
    const [restored] = await venue.get(`/${path}?include=externalId`)
    // The service does not restore webhooks: another one is created.
    expect([path, restored.id === id, restored.externalId]).toEqual([path, path !== 'webhooks', 'till-7'])
  }
})

test('a long list uses the width of a phone', async () => {
  const venue = await createOwner()
  const operations = Array.from({ length: 60 }, (_, index) => ({
    ...{ op: 'create', resource: 'customers' },
    body: { firstName: 'Person', lastName: String(index), email: `person-${index}@example.com` },
  }))
  await venue.post('/batch', { operations })
  await visitConsole(
    browser,
    venue,
    '/customers',
    async (page) => {
      await page.locator('small').getByText('person-59@example.com').waitFor()
      const cell = page.locator('td.object').first()
      await expect.poll(async () => (await cell.boundingBox())?.width).toBe(sizes.phone.viewport.width)
    },
    sizes.phone,
  )
})

test('a customer is found and changed on a phone', async () => {
  for (const [firstName, lastName, phone] of [
    ['Ana', 'Lopes', '+351 912 000 001'],
    ['Rui', 'Pinto', '+351 912 000 002'],
  ]) {
    await owner.post('/customers', { firstName, lastName, phone, email: `${firstName}@example.com` })
  }
  await visitConsole(
    browser,
    owner,
    '/customers',
    async (page) => {
      const search = page.getByRole('searchbox', { name: 'Search customers' })
      for (const text of ['Ana@example.com', '+351 912 000 001']) {
        await search.fill(text)
        await page.getByRole('button', { name: 'Rui Pinto' }).waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Ana Lopes' }).waitFor()
        await search.fill('')
        await page.getByRole('button', { name: 'Rui Pinto' }).waitFor()
      }
      await search.fill('pinto')
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
