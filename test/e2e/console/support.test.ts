import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser, widthOf } from '../browser.ts'
import { connectService } from '../shared-service.ts'
import { createOwner, listViolations, sizes, waitForStatus } from './console-page.ts'
import { createVisit, title } from './member-page.ts'

const browser = await getBrowser()
const visit = createVisit(browser)
const folder = process.env['CONSOLE_PICTURES']

/** Finds a venue on the operator's screen and opens its sheet. */
async function findVenue(page: Page, id: string) {
  await page.getByRole('searchbox', { name: 'Search venues' }).fill(id)
  await page.getByRole('table', { name: 'Venues' }).getByRole('row').filter({ hasText: id }).getByRole('button').click()
  await page.getByText('Pending deliveries').waitFor()
}

test.each(['phone', 'desk'] as const)(
  'an operator opens a venue for an hour on a %s, and the owner ends it',
  async (device) => {
    const { adminToken, call } = await connectService()
    const [owner, name] = [await createOwner(), `Kim ${device} ${Date.now()}`]
    const { key } = (
      await call('POST', `/admin/merchants/${owner.id}/keys`, adminToken, {
        mode: 'live',
        scopes: ['merchant:write', 'keys:write', 'audit:read', 'products:write'],
      })
    ).body
    const venue = `/merchants/${owner.id}`
    await call('POST', `${venue}/products`, key, { title: 'Soup of the day', price: 6 })
    const { body: invited } = await call('POST', '/admin/operators', adminToken, { role: 'support', name })
    const picture = async (page: Page, part: string) => {
      if (folder) await page.screenshot({ path: `${folder}/support-${device}-${part}.png`, animations: 'disabled' })
    }
    const check = async (page: Page, part: string) => {
      await picture(page, part)
      expect(await widthOf(page)).toBe(sizes[device].viewport.width)
      expect(await listViolations(page)).toEqual([])
    }
    await visit({ ...sizes[device], bypassCSP: true }, async (page) => {
      await page.goto(invited.url)
      await page.getByRole('button', { name: 'Create a passkey' }).click()
      await title(page, 'Venues')
      const band = page.getByRole('region', { name: 'Support' })
      const open = async (reason: string) => {
        await findVenue(page, owner.id)
        await check(page, 'venue')
        await page.getByRole('button', { name: 'Open this venue' }).click()
        await page.getByRole('textbox', { name: 'Reason' }).fill(reason)
        await check(page, 'reason')
        await page.keyboard.press('Enter')
        await title(page, 'Today')
        await band.getByText(/Support, until \d\d:\d\d/).waitFor()
      }
      await open('Ticket 4711: the price of the soup')
      await band.getByText('Ticket 4711: the price of the soup').waitFor()
      await page.getByText('Loading').first().waitFor({ state: 'detached', timeout: 10_000 })
      await check(page, 'today')
      await page.goto(`${new URL(page.url()).origin}/console/products`)
      await page.getByText('Soup of the day').waitFor()
      expect(await page.getByRole('button', { name: 'New product' }).count()).toBe(0)
      await check(page, 'products')
      expect(await page.getByRole('link', { name: /Customers|Import and export/ }).count()).toBe(0)

      // The venue allows changes: the next start of the console offers them.
      await call('POST', venue, key, { supportAccess: 'write' })
      await page.reload()
      await page.getByRole('button', { name: 'New product' }).waitFor()
      expect(await page.getByRole('link', { name: 'Import and export' }).count()).toBe(0)

      // The owner ends the hour: the next request shows the screens of the operator.
      const [session] = (await call('GET', `${venue}/sessions`, key)).body
      expect(session.support).toMatchObject({
        operator: invited.id,
        name,
        reason: 'Ticket 4711: the price of the soup',
      })
      await call('DELETE', `${venue}/sessions/${session.id}`, key)
      await page.reload()
      await waitForStatus(page, 'The hour of support is over.')
      await title(page, 'Venues')

      await open('Ticket 4712')
      await page.getByRole('button', { name: 'End support' }).click()
      await title(page, 'Venues')
      expect((await call('GET', `${venue}/sessions`, key)).body).toEqual([])

      // The hour ends while the venue is in use: the console asks for changes every few seconds.
      await open('Ticket 4713')
      const [last] = (await call('GET', `${venue}/sessions`, key)).body
      await call('DELETE', `${venue}/sessions/${last.id}`, key)
      await waitForStatus(page, 'The hour of support is over.')
      await title(page, 'Venues')

      await call('POST', venue, key, { supportAccess: 'off' })
      await page.reload()
      await findVenue(page, owner.id)
      await page.getByText('The venue has turned support off.').waitFor()
      expect(await page.getByRole('button', { name: 'Open this venue' }).count()).toBe(0)
    })
    const audit = (await call('GET', `${venue}/audit?operation=support.open`, key)).body
    expect(audit.map(({ name: who, title: reason }: Record<string, string>) => [who, reason])).toEqual(
      ['Ticket 4713', 'Ticket 4712', 'Ticket 4711: the price of the soup'].map((reason) => [name, reason]),
    )
  },
)
