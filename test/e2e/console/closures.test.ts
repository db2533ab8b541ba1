import { expect, test } from 'vitest'
import { createClient } from '../../../packages/client/src/client.ts'
import { getBrowser, widthOf } from '../browser.ts'
import { createOwner, listViolations, sizes, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()

test('an owner closes the venue on days, with a reason, and opens it at special hours', async () => {
  const venue = await createOwner()
  const { merchant } = createClient({ origin: venue.origin, merchantId: venue.id, key: venue.key })
  await visitConsole(
    browser,
    venue,
    '/settings',
    async (page) => {
      const save = page.getByRole('button', { name: 'Save' })
      await page.getByRole('button', { name: 'Add closed days' }).click()
      const closure = page.getByRole('group', { name: 'Closure 1' })
      await save.click()
      await closure.locator('input:focus[aria-invalid=true]').waitFor()
      await closure.getByLabel('First day').fill('2030-12-24')
      // A single day is the usual case.
      expect(await closure.getByLabel('Last day').inputValue()).toBe('2030-12-24')
      await closure.getByLabel('Last day').fill('2030-12-23')
      await save.click()
      await page.getByText('Must not be before the first day.').waitFor()
      await closure.getByLabel('Last day').fill('2030-12-26')
      await closure.getByLabel('Reason').fill('Christmas')
      await page.getByRole('button', { name: 'Add special hours' }).click()
      const special = page.getByRole('group', { name: 'Special hours 1' })
      await special.getByLabel('Day').fill('2030-12-25')
      await special.getByLabel('Opens').fill('18:00')
      await special.getByLabel('Closes').fill('18:00')
      await save.click()
      await page.getByText('Must differ from the time before.').waitFor()
      await special.getByLabel('Closes').fill('00:00')
      await page.getByRole('checkbox', { name: 'Serve nothing outside the opening hours' }).uncheck()
      await save.click()
      await waitForStatus(page, 'The settings are saved.')
      expect(await merchant.retrieve()).toMatchObject({
        hoursClose: false,
        closures: [{ from: '2030-12-24', until: '2030-12-26', title: 'Christmas' }],
        specialHours: [{ date: '2030-12-25', opens: '1800', closes: '2400' }],
      })
      expect(await widthOf(page)).toBe(sizes.phone.viewport.width)
      expect(await listViolations(page)).toEqual([])
      await page.getByRole('button', { name: 'Remove Closure 1' }).click()
      await page.getByRole('button', { name: 'Remove Special hours 1' }).click()
      await save.click()
      await expect.poll(async () => (await merchant.retrieve()).closures).toBeUndefined()
      expect((await merchant.retrieve()).specialHours).toBeUndefined()
    },
    { ...sizes.phone, bypassCSP: true },
  )
})

test('midnight ends a day: 00:00 twice is a whole day', async () => {
  const venue = await createOwner()
  const { merchant } = createClient({ origin: venue.origin, merchantId: venue.id, key: venue.key })
  await visitConsole(browser, venue, '/settings', async (page) => {
    await page.getByRole('button', { name: 'Add hours' }).click()
    const hours = page.getByRole('group', { name: 'Hours 1' })
    await hours.getByLabel('Opens').fill('00:00')
    await hours.getByLabel('Closes').fill('00:00')
    await page.getByRole('button', { name: 'Save' }).click()
    await waitForStatus(page, 'The settings are saved.')
    expect((await merchant.retrieve()).openingHours).toMatchObject([{ opens: '0000', closes: '2400' }])
  })
})
