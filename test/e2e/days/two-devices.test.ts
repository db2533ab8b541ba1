import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { fromZonedTime, toZonedTime } from '../../../console/app/time/zoned-clock.ts'
import { getBrowser, visit } from '../browser.ts'
import { conflict } from '../console/conflict-question.ts'
import { sizes, waitForStatus } from '../console/console-page.ts'
import { createLunch } from './day.ts'
import { aheadMs, createTablet, openDevices } from './devices.ts'

const browser = await getBrowser()
/** Time after which a change by others is shown, in milliseconds, and what a busy machine adds. */
const within = { timeout: 15_000 }
const hourMs = 3_600_000

const mark = (page: Page, name: string) => page.getByRole('switch', { name })
const marked = (page: Page, name: string, isOut: boolean) =>
  mark(page, name)
    .and(page.locator(`[aria-checked=${isOut}]`))
    .waitFor(within)
const priceOf = (page: Page, name: string) => page.getByRole('textbox', { name: `Price of ${name}` })

/** A time zone in which it is between 02:00 and 03:00: two hours later the business day has started. */
function findNight(): string {
  const west = new Date().getUTCHours() - 2
  // Zones with a number are named by the hours that they are behind: from 12 to −14.
  const behind = west > 12 ? west - 24 : west
  return `Etc/GMT${behind < 0 ? '' : '+'}${behind}`
}

test('a dish that is sold out is so on the other device and for guests, by the clock of the venue', async () => {
  const timezone = findNight()
  const { owner, scan, products } = await createLunch(undefined, { timezone })
  const dayStart = fromZonedTime(`${toZonedTime(Date.now() / 1000, timezone).slice(0, 10)}T04:00`, timezone)
  const read = () => owner.get(`/products/${products.tart}/availability`)
  const address = await scan(1)
  await openDevices(browser, owner, { tablet: '/sold-out', phone: '/sold-out' }, async (tablet, phone) => {
    await visit(browser, address, sizes.phone, async (guest) => {
      const dish = guest.locator('.dish', { hasText: 'Apple tart' })
      const seen = async (isOut: boolean) => {
        const has = async () => {
          await guest.reload()
          return (await dish.textContent())?.includes('Sold out')
        }
        await expect.poll(has).toBe(isOut)
      }
      await mark(phone, 'Apple tart').waitFor()
      await seen(false)
      await tablet.getByRole('radio', { name: 'Further notice' }).check()
      await mark(tablet, 'Apple tart').tap()
      await waitForStatus(tablet, '“Apple tart” is sold out until further notice.')
      const started = Date.now()
      await marked(phone, 'Apple tart', true)
      console.log(`figure: the other device shows a mark after ${Date.now() - started} ms`)
      await seen(true)

      await mark(phone, 'Apple tart').tap()
      await waitForStatus(phone, '“Apple tart” is available again.')
      await marked(tablet, 'Apple tart', false)
      await seen(false)
      await mark(phone, 'Apple tart').tap()
      await waitForStatus(phone, '“Apple tart” is sold out until 04:00.')
      expect(await read()).toEqual({ soldOut: true, until: dayStart })
      await tablet.getByText('until 04:00').first().waitFor(within)
    })
  })
})

test('a tablet whose browser is killed stores nothing half-typed, and has the draft again', async () => {
  const { owner, products } = await createLunch()
  const priceIn = async (id: string): Promise<number> => (await owner.get(`/products/${id}`)).price
  const tablet = await createTablet()
  onTestFinished(tablet.remove)
  const signIn = (path: string) => `${owner.origin}/console${path}#key=${owner.key}`
  const editorPath = `/products/${products.tart}`
  const price = (page: Page) => page.getByRole('textbox', { name: 'Price', exact: true })

  const open = await tablet.start()
  const editor = await open()
  await editor.goto(signIn(editorPath))
  await price(editor).fill('4.81')
  await tablet.waitUntilWritten('"4.81"')
  const list = await open()
  await list.goto(`${owner.origin}/console/products`)
  await priceOf(list, 'Latte').click()
  await list.keyboard.type('9.')
  await tablet.kill()
  expect([await priceIn(products.tart), await priceIn(products.latte)]).toEqual([4.5, 3.2])

  const page = await (await tablet.start())()
  await page.goto(signIn(editorPath))
  await waitForStatus(page, 'Your unsaved changes are back.')
  expect(await price(page).inputValue()).toBe('4.81')
  await page.getByRole('button', { name: 'Save' }).click()
  await waitForStatus(page, '“Apple tart” is saved.')
  expect(await priceIn(products.tart)).toBe(4.81)
  expect(await priceOf(page, 'Latte').inputValue()).toBe('3.20')
  await priceOf(page, 'Latte').fill('7.70')
  await priceOf(page, 'Latte').press('Tab')
  await tablet.kill()

  const last = await (await tablet.start())()
  await last.goto(signIn('/products'))
  await priceOf(last, 'Latte').waitFor()
  const stored = await priceIn(products.latte)
  // The request was sent, or not: nothing between.
  expect([3.2, 7.7]).toContain(stored)
  expect(await priceOf(last, 'Latte').inputValue()).toBe(stored.toFixed(2))
  expect(await last.getByText('Your unsaved changes are back.').count()).toBe(0)
})

test('a phone that slept for an hour asks before it overwrites what the tablet has changed', async () => {
  const { owner, products } = await createLunch()
  const path = `/products/${products.soup}`
  await openDevices(browser, owner, { tablet: '/products', phone: path }, async (tablet, phone) => {
    const editor = phone.getByRole('dialog', { name: 'Edit product' })
    await editor.getByRole('textbox', { name: 'Price', exact: true }).fill('8')
    await editor.getByRole('textbox', { name: 'Description' }).fill('With seeds')
    const device = await phone.context().newCDPSession(phone)
    await phone.context().setOffline(true)
    await device.send('Page.setWebLifecycleState', { state: 'frozen' })
    await priceOf(tablet, 'Kürbiscremesuppe').fill('7')
    // A list waits while one of its fields has the focus.
    await priceOf(tablet, 'Kürbiscremesuppe').press('Tab')
    await waitForStatus(tablet, '“Kürbiscremesuppe” now costs €7.00.')
    await device.send('Page.setWebLifecycleState', { state: 'active' })
    await phone.clock.fastForward(hourMs)
    await phone.context().setOffline(false)
    await editor.getByRole('button', { name: 'Save' }).click()
    await conflict(phone).getByRole('row', { name: 'Price €8.00 €7.00' }).waitFor()
    expect(await owner.get(path)).toMatchObject({ price: 7 })
    await conflict(phone).getByRole('button', { name: 'Keep mine' }).click()
    await waitForStatus(phone, '“Kürbiscremesuppe” is saved.')
    expect(await owner.get(path)).toMatchObject({ price: 8, description: 'With seeds' })
    await expect.poll(() => priceOf(tablet, 'Kürbiscremesuppe').inputValue()).toBe('8.00')
    expect(await phone.evaluate('Date.now()')).toBeGreaterThan(Date.now() + aheadMs + hourMs - 60_000)
  })
})

test("a guest's call reaches both devices, and one of them takes it", async () => {
  const { owner, scan } = await createLunch()
  const address = await scan(1)
  await openDevices(browser, owner, { tablet: '/today', phone: '/sold-out' }, async (tablet, phone) => {
    const devices = [tablet, phone]
    const call = (page: Page, text: string) => page.getByRole('button', { name: `Table 2 · ${text} · Done` })
    await Promise.all(devices.map((page) => page.getByText('Nobody calls.').waitFor()))
    await visit(browser, address, sizes.phone, async (guest) => {
      await guest.getByRole('button', { name: 'Call staff' }).tap()
      await Promise.all(devices.map((page) => call(page, 'calls').waitFor(within)))
      await call(tablet, 'calls').tap()
      await waitForStatus(tablet, 'Table 2: done.')
      await call(phone, 'calls').waitFor({ state: 'detached', ...within })

      await guest.getByRole('button', { name: /bill/i }).tap()
      await Promise.all(devices.map((page) => call(page, 'wants to pay').waitFor(within)))
      await Promise.all(devices.map((page) => call(page, 'wants to pay').tap()))
      await Promise.all(devices.map((page) => waitForStatus(page, 'Table 2: done.')))
      await Promise.all(devices.map((page) => page.getByText('Nobody calls.').waitFor(within)))
    })
    for (const page of devices) expect(await page.getByRole('alert').filter({ hasText: /./ }).count()).toBe(0)
  })
  expect((await owner.get('/requests')).requests).toEqual([])
})

const waits = [
  {
    name: 'without a connection',
    start: (phone: Page) => phone.context().setOffline(true),
    end: (phone: Page) => phone.context().setOffline(false),
  },
  {
    name: 'while the service is busy',
    async start(phone: Page) {
      let rejected = 0
      await phone.route('**/availability', (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        const status = rejected++ % 2 === 0 ? 429 : 503
        const problem = { type: 'about:blank', title: 'Busy', status, code: 'busy', detail: 'Later.' }
        const headers = { 'content-type': 'application/problem+json', 'retry-after': '1' }
        return route.fulfill({ status, headers, body: JSON.stringify(problem) })
      })
    },
    async end(phone: Page) {
      await phone.unroute('**/availability')
      await phone.clock.fastForward(30_000)
    },
  },
]
test.each(waits)('taps made $name wait, are sent, and hide nothing that the other device does', async (network) => {
  const { owner, products } = await createLunch()
  const isOut = async () => (await owner.get(`/products/${products.latte}/availability`)).soldOut
  await openDevices(browser, owner, { tablet: '/sold-out', phone: '/sold-out' }, async (tablet, phone) => {
    await mark(phone, 'Latte').waitFor()
    await network.start(phone)
    await mark(phone, 'Latte').tap()
    await phone.getByText('1 tap is sent as soon as there is a connection.').waitFor(within)
    expect([await isOut(), await mark(phone, 'Latte').getAttribute('aria-checked')]).toEqual([false, 'true'])
    await network.end(phone)
    await waitForStatus(phone, 'Sent: Latte.')
    expect(await isOut()).toBe(true)
    await marked(tablet, 'Latte', true)
    await mark(tablet, 'Latte').tap()
    await waitForStatus(tablet, '“Latte” is available again.')
    await marked(phone, 'Latte', false)
  })
})
