import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReceiver, type Receiver } from '../../support/receiver.ts'
import { getBrowser } from '../browser.ts'
import { checkLook, createOwner, type Owner, visitConsole } from './console-page.ts'

const browser = await getBrowser()
let owner: Owner
let receiver: Receiver
beforeAll(async () => {
  owner = await createOwner()
  receiver = await createReceiver()
})
afterAll(async () => {
  receiver?.close()
})

test('the first screen shows what matters now, and leads to it', async () => {
  const { id } = await owner.post('/products', { title: 'Galão', price: 2 })
  await owner.post(`/products/${id}/availability`, { soldOut: true, until: 'further_notice' })
  await owner.post('/menus', { title: 'All day', sections: [{ title: 'Coffee', items: [id] }] })
  const now = new Date()
  const later = `${String((now.getUTCHours() + 14) % 24).padStart(2, '0')}00`
  const end = `${String((now.getUTCHours() + 15) % 24).padStart(2, '0')}00`
  await owner.post('/menus', { title: 'Late night', begin: later, end, sections: [{ items: [id] }] })
  // An endpoint that is gone is switched off.
  receiver.paths['/till'] = (response) => response.writeHead(410).end()
  await owner.post('/webhooks', { title: 'Till', url: receiver.at('/till'), events: ['product.created'] })
  // An endpoint that fails is retried for days, so it counts at once.
  receiver.paths['/bell'] = (response) => response.writeHead(500).end()
  await owner.post('/webhooks', { title: 'Bell', url: receiver.at('/bell'), events: ['product.created'] })
  await owner.post('/products', { title: 'Bica', price: 1 })
  await owner.post('/customers', { firstName: 'Ana', lastName: 'Silva', email: 'ana@example.com' })
  const table = await owner.post('/tags', { metadata: [{ key: 'table', value: '4' }] })
  await expect.poll(() => receiver.received.some(({ path }) => path === '/bell')).toBe(true)
  await expect
    .poll(async () => (await owner.get('/webhooks')).some(({ active }: { active: boolean }) => !active), {
      timeout: 10_000,
    })
    .toBe(true)
  await visitConsole(browser, owner, '', async (page) => {
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    const part = (name: string) => page.getByRole('region', { name })
    await part('Menus').getByRole('link', { name: 'All day' }).waitFor()
    await part('Menus').getByText('Late night, from').waitFor()
    await part('Sold out').getByText('Galão').waitFor()
    await part('Scans').getByText('in the last 30 days', { exact: true }).waitFor()
    await part('Webhooks').getByRole('listitem').filter({ hasText: 'Till The service has turned it off.' }).waitFor()
    await part('Webhooks').getByRole('listitem').filter({ hasText: 'Bell Deliveries fail right now.' }).waitFor()
    await part('Latest changes').getByRole('link', { name: 'Customer “Ana Silva”' }).waitFor()
    const entry = part('Latest changes').getByRole('link', { name: 'Table “4”' })
    expect(await entry.getAttribute('href')).toBe(`/console/tables/${table.id}`)
    const change = part('Latest changes').getByRole('listitem').filter({ hasText: 'Menu “Late night” created' })
    await change.getByRole('link').press('Enter')
    await page.getByRole('heading', { level: 2, name: 'Edit menu' }).waitFor()
  })
  await checkLook(browser, owner, '/today', 'today', async (page) => {
    await page.getByText('Menu “Late night” created').waitFor()
    await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
    return undefined
  })
})

test('one tap on the first screen pauses the venue, and one ends the pause, there and on Sold out', async () => {
  const owner = await createOwner()
  await visitConsole(browser, owner, '', async (page) => {
    const orders = page.getByRole('region', { name: 'Orders' })
    await orders.getByText('Orders are taken.').waitFor()
    await orders.getByRole('button', { name: 'Pause', exact: true }).press('Enter')
    await orders.getByText('Orders are paused.').waitFor()
    expect(await owner.get('/service')).toEqual({ paused: true })
    await orders.getByRole('button', { name: 'Take orders again' }).press('Enter')
    await orders.getByText('Orders are taken.').waitFor()
    expect(await owner.get('/service')).toEqual({ paused: false })
    await orders.getByRole('button', { name: 'Pause until tomorrow' }).press('Enter')
    await orders.getByText('Orders are paused until').waitFor()
    expect(await owner.get('/service')).toMatchObject({ paused: true, until: expect.any(Number) })
  })
  await visitConsole(browser, owner, '/sold-out', async (page) => {
    await page.getByText('Orders are paused until').waitFor()
    await page.getByRole('button', { name: 'Take orders again' }).press('Enter')
    await page.getByText('Orders are paused until').waitFor({ state: 'detached' })
    expect(await owner.get('/service')).toEqual({ paused: false })
  })
})
