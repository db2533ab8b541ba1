import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { createOwner, sizes, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

/** Loses the responses to writes of a path, which the service has processed, until `isDown` is false. */
async function loseResponses(page: Page, path: RegExp) {
  const state = { isDown: true, lost: 0 }
  const session = await page.context().newCDPSession(page)
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Response' }] })
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const isLost = state.isDown && request.method === 'POST' && path.test(new URL(request.url).pathname)
    if (isLost) state.lost++
    const sent = isLost
      ? session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' })
      : session.send('Fetch.continueRequest', { requestId })
    void sent.catch(() => undefined)
  })
  return state
}

/** Presses a button whose requests get no response, and again once the network is back. */
async function saveTwice(page: Page, network: { isDown: boolean; lost: number }, button: string) {
  const save = page.getByRole('dialog').getByRole('button', { name: button, exact: true })
  await save.click()
  await page.getByRole('alert').getByText('No connection').waitFor()
  expect(network.lost).toBeGreaterThan(0)
  network.isDown = false
  await save.click()
}

test('a product whose first response was lost is created once, also after a reload', async () => {
  await visitConsole(
    browser,
    owner,
    '/products/new',
    async (page) => {
      const network = await loseResponses(page, /\/products$/)
      const form = page.getByRole('dialog', { name: 'New product' })
      const create = async (title: string) => {
        await form.getByRole('textbox', { name: 'Title' }).fill(title)
        await form.getByRole('textbox', { name: 'Price' }).fill('3')
      }
      await create('Bun')
      await saveTwice(page, network, 'Save')
      await waitForStatus(page, '“Bun” is created.')
      expect(await owner.get('/products?q=bun')).toHaveLength(1)

      network.isDown = true
      await page.getByRole('button', { name: 'New product' }).click()
      await create('Roll')
      await form.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('alert').getByText('No connection').waitFor()
      network.isDown = false
      page.on('dialog', (dialog) => void dialog.accept())
      await page.reload()
      await waitForStatus(page, 'Your unsaved changes are back.')
      await form.getByRole('button', { name: 'Save' }).click()
      await waitForStatus(page, '“Roll” is created.')
      expect(await owner.get('/products?q=roll')).toHaveLength(1)
      expect(await page.getByRole('button', { name: 'Roll', exact: true }).count()).toBe(1)

      // Another one of the same name is another product.
      await page.getByRole('button', { name: 'New product' }).click()
      await create('Roll')
      await form.getByRole('button', { name: 'Save' }).click()
      await expect.poll(async () => (await owner.get('/products?q=roll')).length).toBe(2)
    },
    sizes.phone,
  )
})

test('a change whose first response was lost is no conflict with itself', async () => {
  const { id } = await owner.post('/products', { title: 'Croissant', price: 2 })
  await visitConsole(browser, owner, `/products/${id}`, async (page) => {
    const network = await loseResponses(page, new RegExp(`/products/${id}$`))
    await page.getByRole('textbox', { name: 'Price', exact: true }).fill('2.5')
    await saveTwice(page, network, 'Save')
    await waitForStatus(page, '“Croissant” is saved.')
    expect(await page.getByRole('alertdialog').count()).toBe(0)
  })
  expect(await owner.get(`/products/${id}`)).toMatchObject({ price: 2.5 })
})

test('tables whose first response was lost are made once', async () => {
  const venue = await createOwner()
  await visitConsole(browser, venue, '/tables', async (page) => {
    const network = await loseResponses(page, /\/batch$/)
    await page.getByRole('button', { name: 'Make tables' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'To' }).fill('3')
    await saveTwice(page, network, 'Make')
    await waitForStatus(page, '3 tables are made.')
  })
  expect(await venue.get('/tags')).toHaveLength(3)
})

test('a mark as sold out whose response was lost is not taken for a later one', async () => {
  const { id } = await owner.post('/products', { title: 'Quiche', price: 4 })
  await owner.post('/products', { title: 'Strudel', price: 4 })
  const isOut = async () => (await owner.get(`/products/${id}/availability`)).soldOut
  await visitConsole(
    browser,
    owner,
    '/sold-out',
    async (page) => {
      const network = await loseResponses(page, /\/availability$/)
      const mark = page.getByRole('switch', { name: 'Quiche' })
      await mark.click()
      await page.getByRole('alert').getByText('No connection').waitFor()
      network.isDown = false
      expect(await isOut()).toBe(true)
      await owner.post(`/products/${id}/availability`, { soldOut: false })
      await page.getByRole('switch', { name: 'Strudel' }).click()
      await waitForStatus(page, 'Strudel')
      await mark.click()
      await waitForStatus(page, 'Quiche')
      expect(await isOut()).toBe(true)
    },
    sizes.phone,
  )
})
