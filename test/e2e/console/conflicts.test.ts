import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { createClient } from '../../../packages/client/src/client.ts'
import { getBrowser } from '../browser.ts'
import { saveInConflict } from './conflict-question.ts'
import { createOwner, holdRequest, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const file = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') }

test('after the upload of a picture, a price that somebody else has changed is not overwritten unasked', async () => {
  const { id } = await owner.post('/products', { title: 'Flan', price: 3 })
  const read = () => owner.get(`/products/${id}`)
  const path = `/products/${id}`
  const upload = async (page: Page, count: number) => {
    await page.getByLabel('Add a picture').setInputFiles(file)
    await page.getByRole('img', { name: `Picture ${count}` }).waitFor()
  }
  await visitConsole(browser, owner, path, async (page) => {
    await page.getByRole('textbox', { name: 'Price', exact: true }).fill('5')
    await owner.post(path, { price: 4 })
    await upload(page, 1)
    await saveInConflict(page, 'Price €5.00 €4.00', 'Use theirs')
    await page.getByRole('dialog', { name: 'Edit product' }).waitFor({ state: 'detached' })
    expect(await read()).toMatchObject({ price: 4, images: [{}] })

    // Nobody else has changed it: nothing to ask.
    await page.getByRole('button', { name: 'Flan', exact: true }).click()
    await page.getByRole('textbox', { name: 'Price', exact: true }).fill('6')
    await page.getByRole('button', { name: 'Remove Picture 1' }).click()
    await upload(page, 1)
    await page.getByRole('button', { name: 'Save' }).click()
    await waitForStatus(page, '“Flan” is saved.')
    expect(await read()).toMatchObject({ price: 6 })
  })
})

test('after the upload of a banner, a title that somebody else has changed is not overwritten unasked', async () => {
  const { id } = await owner.post('/menus', { title: 'Lunch', sections: [] })
  await visitConsole(browser, owner, `/menus/${id}`, async (page) => {
    await page.getByRole('textbox', { name: 'Title', exact: true }).first().fill('Noon')
    await owner.post(`/menus/${id}`, { title: 'Midday' })
    await page.getByLabel('Banner').setInputFiles(file)
    await page.getByRole('img', { name: 'Banner' }).waitFor()
    await saveInConflict(page, 'Title Noon Midday', 'Keep mine')
    await waitForStatus(page, '“Noon” is saved.')
  })
  expect(await owner.get(`/menus/${id}`)).toMatchObject({
    title: 'Noon',
    branding: { banner: expect.stringMatching(/^http/) },
  })
})

test('after the upload of a logo, a name that somebody else has changed is not overwritten unasked', async () => {
  const venue = await createOwner()
  const { merchant } = createClient({ origin: venue.origin, merchantId: venue.id, key: venue.key })
  await merchant.update({ openingHours: [{ days: ['mon', 'tue'], opens: '0800', closes: '1700' }] })
  await visitConsole(browser, venue, '/settings', async (page) => {
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Mine')
    await merchant.update({ name: 'Theirs', phone: '+49 30 1' })
    await page.getByLabel('logo').setInputFiles(file)
    await waitForStatus(page, 'The logo is saved.')
    await saveInConflict(page, 'Name Mine Theirs', 'Use theirs')
    await expect.poll(() => name.inputValue()).toBe('Theirs')

    await page.getByRole('group', { name: 'Hours 1' }).getByLabel('Opens').fill('09:00')
    await merchant.update({ openingHours: null })
    await saveInConflict(page, 'Opening hours Mon, Tue 09:00–17:00 empty', 'Use theirs')
    await expect.poll(() => page.getByRole('group', { name: 'Hours 1' }).count()).toBe(0)
  })
  expect(await merchant.retrieve()).toMatchObject({
    name: 'Theirs',
    phone: '+49 30 1',
    logo: expect.stringMatching(/^http/),
  })
})

test('after an upload and a reload, changes by somebody else are not overwritten unasked', async () => {
  const { id } = await owner.post('/products', { title: 'Parfait', price: 3 })
  const path = `/products/${id}`
  await visitConsole(browser, owner, path, async (page) => {
    const reload = async () => {
      await page.reload()
      await waitForStatus(page, 'Your unsaved changes are back.')
    }
    await page.getByRole('textbox', { name: 'Price', exact: true }).fill('5')
    await owner.post(path, { price: 4 })
    await page.getByLabel('Add a picture').setInputFiles(file)
    await page.getByRole('img', { name: 'Picture 1' }).waitFor()
    await reload()
    // Another upload reads the newest version, and does not hide the question.
    await page.getByRole('button', { name: 'Remove Picture 1' }).click()
    await page.getByLabel('Add a picture').setInputFiles(file)
    await page.getByRole('img', { name: 'Picture 1' }).waitFor()
    await saveInConflict(page, 'Price €5.00 €4.00', 'Use theirs')
    await page.getByRole('dialog', { name: 'Edit product' }).waitFor({ state: 'detached' })
    expect(await owner.get(path)).toMatchObject({ price: 4, images: [{}] })

    await page.goto(`${owner.origin}/console/settings`)
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Mine')
    await createClient({ origin: owner.origin, merchantId: owner.id, key: owner.key }).merchant.update({
      name: 'Theirs',
    })
    await page.getByLabel('logo').setInputFiles(file)
    await waitForStatus(page, 'The logo is saved.')
    await reload()
    await saveInConflict(page, 'Name Mine Theirs', 'Use theirs')
    await expect.poll(() => name.inputValue()).toBe('Theirs')
  })
})

test('a change that came back, and that is taken back by hand, is not asked for', async () => {
  const { id } = await owner.post('/products', { title: 'Sorbet', price: 4 })
  await visitConsole(browser, owner, `/products/${id}`, async (page) => {
    const title = page.getByRole('textbox', { name: 'Title' })
    await title.fill('Mine')
    await owner.post(`/products/${id}`, { title: 'Theirs' })
    await page.reload()
    await waitForStatus(page, 'Your unsaved changes are back.')
    await title.fill('Theirs')
    await page.getByRole('textbox', { name: 'Price', exact: true }).fill('7')
    await page.getByRole('button', { name: 'Save' }).click()
    await waitForStatus(page, '“Theirs” is saved.')
  })
  expect(await owner.get(`/products/${id}`)).toMatchObject({ title: 'Theirs', price: 7 })
})

test('a list that is loaded after the editor does not hide that somebody else changed the product', async () => {
  const { id } = await owner.post('/products', { title: 'Custard', price: 3 })
  const path = `/products/${id}`
  await visitConsole(browser, owner, '/settings', async (page) => {
    // Not `/products?ids=`, with which the audit log in the settings reads titles.
    const list = await holdRequest(page, /\/products\?limit=/)
    await page.goto(`${owner.origin}/console${path}`)
    const price = page.getByRole('textbox', { name: 'Price', exact: true })
    await price.fill('5')
    await list.sent
    await owner.post(path, { price: 4 })
    list.release()
    await expect.poll(() => page.getByLabel('Price of Custard').inputValue()).toBe('4.00')
    await saveInConflict(page, 'Price €5.00 €4.00', 'Use theirs')
    await page.getByRole('dialog', { name: 'Edit product' }).waitFor({ state: 'detached' })
  })
  expect(await owner.get(path)).toMatchObject({ price: 4 })
})
