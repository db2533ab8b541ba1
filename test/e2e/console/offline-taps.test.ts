import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { createOwner, listViolations, sizes, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()

/** Closes a page without a connection, and opens Sold out 11 minutes after its taps, with a connection. */
async function openLater(page: Page): Promise<Page> {
  await page.evaluate(`{
    const name = Object.keys(localStorage).find((each) => each.endsWith(' taps'))
    const taps = JSON.parse(localStorage.getItem(name)).map((tap) => ({ ...tap, at: tap.at - 11 * 60_000 }))
    localStorage.setItem(name, JSON.stringify(taps))
  }`)
  const [context, address] = [page.context(), page.url()]
  // A page that is closed may be online for a moment, and then sends taps that are new to it.
  await page.goto('about:blank')
  await page.close()
  await context.setOffline(false)
  const later = await context.newPage()
  await later.goto(address)
  return later
}

async function createVenue() {
  const owner = await createOwner()
  const latte = await owner.post('/products', { title: 'Latte', price: 3 })
  const tea = await owner.post('/products', { title: 'Tea', price: 2 })
  const milk = await owner.post('/modifiers', { title: 'Milk', instructions: '', options: [{ label: 'Oat' }] })
  const stateOf = async (id: string) => owner.get(`/products/${id}/availability`)
  return { owner, latte, tea, milk, stateOf }
}

test('taps without a connection are sent once when it returns, with the end that they had', async () => {
  const { owner, latte, tea, milk, stateOf } = await createVenue()
  await visitConsole(
    browser,
    owner,
    '/sold-out',
    async (page) => {
      const keys: string[] = []
      const bodies: string[] = []
      page.on('request', (request) => {
        if (!request.url().endsWith('/availability') || request.method() !== 'POST') return
        keys.push(request.headers()['idempotency-key'] ?? '')
        bodies.push(request.postData() ?? '')
      })
      await page.getByLabel('Options').tap()
      await page.getByRole('switch', { name: 'Milk: Oat' }).waitFor()
      await page.getByLabel('Products').tap()
      await page.getByRole('switch', { name: 'Latte' }).waitFor()
      await page.context().setOffline(true)
      await page.getByRole('switch', { name: 'Latte' }).tap()
      await waitForStatus(page, 'No connection. “Latte” is sent as soon as there is one.')
      await page.getByRole('switch', { name: 'Tea' }).tap()
      await page.getByText('2 taps are sent as soon as there is a connection.').waitFor()
      // The last tap counts.
      await page.getByRole('switch', { name: 'Tea' }).tap()
      await page.getByLabel('Options').tap()
      await page.getByRole('switch', { name: 'Milk: Oat' }).tap()
      await page.getByText('3 taps are sent as soon as there is a connection.').waitFor()
      expect(await page.getByRole('switch', { name: 'Milk: Oat' }).getAttribute('aria-checked')).toBe('true')
      const before = keys.length
      await page.context().setOffline(false)
      await waitForStatus(page, 'Sent: Latte, Tea, Milk: Oat.')
      expect(await page.getByText(/taps? (?:is|are) sent as soon/).count()).toBe(0)
      expect(new Set(keys.slice(before)).size).toBe(3)
      expect(bodies.slice(before)[0]).toMatch(/"until":\d{10}/)
    },
    sizes.phone,
  )
  const { soldOut, until } = await stateOf(latte.id)
  // By default, the business day of Lisbon starts at 04:00, which is UTC in winter and one hour less in summer.
  expect([soldOut, new Date(until * 1000).toLocaleTimeString('en-GB', { timeZone: 'Europe/Lisbon' })]).toEqual([
    true,
    '04:00:00',
  ])
  expect(await stateOf(tea.id)).toEqual({ soldOut: false })
  expect((await owner.get(`/modifiers/${milk.id}/availability`)).options[milk.options[0].id].soldOut).toBe(true)
})

test.each([
  ['a day and two hours ahead', 26],
  ['two days behind', -48],
])('until tomorrow ends by the clock of the venue on a device that is %s', async (_, hours) => {
  const { owner, latte, stateOf } = await createVenue()
  const before = Date.now() / 1_000
  await visitConsole(
    browser,
    owner,
    '/sold-out',
    async (page) => {
      await page.clock.install({ time: Date.now() + hours * 3_600_000 })
      const pulse = page.waitForResponse(/\/pulse/)
      await page.reload()
      await page.getByRole('switch', { name: 'Latte' }).waitFor()
      await pulse
      await page.context().setOffline(true)
      await page.getByRole('switch', { name: 'Latte' }).tap()
      await waitForStatus(page, 'No connection. “Latte” is sent as soon as there is one.')
      await page.context().setOffline(false)
      await waitForStatus(page, 'Sent: Latte.')
    },
    sizes.phone,
  )
  const { soldOut, until } = await stateOf(latte.id)
  expect(soldOut).toBe(true)
  expect(until).toBeGreaterThan(before)
  expect(until).toBeLessThanOrEqual(Date.now() / 1_000 + 86_400)
})

test('taps of more than 10 minutes ago are shown after a reload, and sent or discarded by the person', async () => {
  const { owner, latte, tea, stateOf } = await createVenue()
  await visitConsole(
    browser,
    owner,
    '/sold-out',
    async (page) => {
      await page.getByRole('switch', { name: 'Latte' }).waitFor()
      await page.context().setOffline(true)
      for (const name of ['Latte', 'Tea']) {
        await page.getByRole('switch', { name }).tap()
        await waitForStatus(page, `No connection. “${name}” is sent as soon as there is one.`)
      }
      const later = await openLater(page)
      const name = 'Made more than 10 minutes ago without a connection. Do they still hold?'
      const note = later.getByRole('region', { name })
      await note.getByText('Latte: sold out').waitFor()
      expect(await listViolations(later)).toEqual([])
      expect([await stateOf(latte.id), await stateOf(tea.id)]).toEqual([{ soldOut: false }, { soldOut: false }])
      await note.getByRole('button', { name: 'Send now' }).tap()
      await waitForStatus(later, 'Sent: Latte, Tea.')
      await note.waitFor({ state: 'detached' })
      expect((await stateOf(latte.id)).soldOut).toBe(true)

      await later.context().setOffline(true)
      await later.getByRole('switch', { name: 'Tea' }).tap()
      await waitForStatus(later, 'No connection. “Tea” is sent as soon as there is one.')
      const last = await openLater(later)
      await last.getByText('Tea: available').waitFor()
      await last.getByRole('button', { name: 'Discard' }).tap()
      await last.getByRole('switch', { name: 'Tea' }).and(last.locator('[aria-checked=true]')).waitFor()
      expect((await stateOf(tea.id)).soldOut).toBe(true)
    },
    { ...sizes.phone, bypassCSP: true },
  )
})

test('taps that the service rejects for the moment wait, and are sent later', async () => {
  const { owner, latte, stateOf } = await createVenue()
  await visitConsole(
    browser,
    owner,
    '/sold-out',
    async (page) => {
      await page.getByRole('switch', { name: 'Latte' }).waitFor()
      await page.context().setOffline(true)
      await page.getByRole('switch', { name: 'Latte' }).tap()
      await waitForStatus(page, 'No connection. “Latte” is sent as soon as there is one.')
      const problem = { type: 'about:blank', title: 'Unavailable', status: 503, code: 'unavailable', detail: 'Later.' }
      await page.route('**/availability', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({
              status: 503,
              headers: { 'content-type': 'application/problem+json', 'retry-after': '0' },
              body: JSON.stringify(problem),
            })
          : route.continue(),
      )
      const rejected = page.waitForResponse((response) => response.status() === 503)
      await page.context().setOffline(false)
      await rejected
      await page.getByRole('alert').filter({ hasText: /./ }).first().waitFor()
      await page.getByText('1 tap is sent as soon as there is a connection.').waitFor()
      expect(await stateOf(latte.id)).toEqual({ soldOut: false })
      await page.unroute('**/availability')
      await page.reload()
      await waitForStatus(page, 'Sent: Latte.')
    },
    sizes.phone,
  )
  expect((await stateOf(latte.id)).soldOut).toBe(true)
})

test('taps are sent, though the first requests fail after the device is online again', async () => {
  const { owner, latte, stateOf } = await createVenue()
  await visitConsole(
    browser,
    owner,
    '/sold-out',
    async (page) => {
      await page.clock.install()
      await page.reload()
      await page.getByRole('switch', { name: 'Latte' }).waitFor()
      await page.context().setOffline(true)
      await page.getByRole('switch', { name: 'Latte' }).tap()
      await waitForStatus(page, 'No connection. “Latte” is sent as soon as there is one.')
      let failures = 0
      await page.route('**/availability', (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        failures++
        return route.abort('internetdisconnected')
      })
      await page.context().setOffline(false)
      // The client repeats a request once.
      await expect.poll(() => failures).toBeGreaterThan(1)
      await page.unroute('**/availability')
      await page.clock.fastForward(10_000)
      await waitForStatus(page, 'Sent: Latte.')
    },
    sizes.phone,
  )
  expect((await stateOf(latte.id)).soldOut).toBe(true)
})
