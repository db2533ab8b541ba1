import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { createClient } from '../../../packages/client/src/client.ts'
import { getBrowser, widthOf } from '../browser.ts'
import { createOwner, holdRequest, listViolations, visitConsole } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

const status = (page: Page, text: string) => page.getByRole('status').getByText(text).first().waitFor()
const rows = (page: Page, name: string) => page.getByRole('table', { name }).getByRole('row')

test('the settings of the venue are changed, and changed back', async () => {
  await visitConsole(browser, owner, '/settings', async (page) => {
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill('Four Otters')
    await page.getByRole('textbox', { name: 'Ordering address', exact: true }).fill('nonsense')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('not valid').waitFor()
    // The focus moves with the next frame.
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('nonsense')
    await page.getByRole('textbox', { name: 'Ordering address', exact: true }).fill('')
    await page.getByRole('combobox', { name: 'Currency' }).selectOption('Swiss Franc')
    await page.getByRole('textbox', { name: 'City' }).fill('Olten')
    const another = page.getByRole('checkbox', { name: 'Changes that one person prepares, another one publishes' })
    await another.check()
    await page.getByRole('button', { name: 'Add hours' }).click()
    await name.press('Enter')
    await status(page, 'The settings are saved.')
    // The shell shows the name at once.
    await page.getByRole('banner').getByText('Four Otters').waitFor()
    expect(await another.isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('banner').getByText('Three Otters').waitFor()
    expect(await page.getByRole('textbox', { name: 'City' }).inputValue()).toBe('')
    expect(await page.getByRole('group', { name: 'Hours 1' }).count()).toBe(0)
    expect(await another.isChecked()).toBe(false)
    await name.fill('Typed')
    await page.getByRole('link', { name: 'Products' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor()
  })
})

test('a logo leaves alone what is typed and what others changed, and what is typed outlives the tab', async () => {
  const venue = await createOwner()
  const { merchant } = createClient({ origin: venue.origin, merchantId: venue.id, key: venue.key })
  await merchant.update({ orderingUrl: 'https://old.example.com/', phone: '111' })
  await visitConsole(browser, venue, '/settings', async (page) => {
    const [name, phone, ordering] = ['Name', 'Phone', 'Ordering'].map((label) =>
      page.getByRole('textbox', { name: label }).first(),
    )
    await name?.fill('Four Otters')
    await merchant.update({ orderingUrl: 'https://new.example.com/', phone: '222' })
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
    await page
      .getByLabel('logo')
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') })
    await status(page, 'The logo is saved.')
    expect([await name?.inputValue(), await phone?.inputValue(), await ordering?.inputValue()]).toEqual([
      'Four Otters',
      '222',
      'https://new.example.com/',
    ])
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await expect.poll(() => name?.inputValue()).toBe('Four Otters')
    const held = await holdRequest(page, `**/merchants/${venue.id}`)
    await page.getByRole('button', { name: 'Save' }).click()
    await held.sent
    await phone?.fill('333')
    held.release()
    await status(page, 'The settings are saved.')
    expect(await phone?.inputValue()).toBe('333')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await merchant.retrieve()).phone).toBe('333')
  })
  expect(await merchant.retrieve()).toMatchObject({ name: 'Four Otters', orderingUrl: 'https://new.example.com/' })
})

test('a logo is removed, and brought back', async () => {
  const venue = await createOwner()
  const { merchant } = createClient({ origin: venue.origin, merchantId: venue.id, key: venue.key })
  const logo = 'https://pictures.example.com/logo.png'
  await merchant.update({ logo })
  await visitConsole(browser, venue, '/settings', async (page) => {
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill('Typed')
    await page.getByRole('button', { name: 'Remove Logo' }).click()
    await status(page, 'The logo is removed.')
    expect((await merchant.retrieve()).logo).toBe(undefined)
    expect(await page.getByRole('img', { name: 'Logo' }).count()).toBe(0)
    expect(await name.inputValue()).toBe('Typed')
    await page.getByRole('button', { name: 'Undo' }).click()
    await status(page, 'Undone.')
    expect(await page.getByRole('img', { name: 'Logo' }).count()).toBe(1)
    expect(await merchant.retrieve()).toMatchObject({ name: 'Three Otters', logo })
  })
})

test('a field with a wrong value is marked until it is changed', async () => {
  const venue = await createOwner()
  await visitConsole(browser, venue, '/settings', async (page) => {
    const website = page.getByRole('textbox', { name: 'Website' })
    await page.getByRole('combobox', { name: 'Country' }).selectOption('Germany')
    await website.fill('otter')
    await page.getByRole('button', { name: 'Save' }).click()
    await website.and(page.locator('[aria-invalid=true]')).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('otter')
    const errors = page.locator('form .error')
    expect(await errors.count()).toBe(1)
    await website.fill('https://otter.example/')
    expect(await errors.count()).toBe(0)
    await page.getByRole('button', { name: 'Save' }).click()
    await status(page, 'The settings are saved.')
  })
})

test('hours that overlap are marked, also those of the night before, and are not saved', async () => {
  const venue = await createOwner()
  const { merchant } = createClient({ origin: venue.origin, merchantId: venue.id, key: venue.key })
  await merchant.update({ openingHours: [{ days: ['sun'], opens: '2000', closes: '0200' }] })
  await visitConsole(browser, venue, '/settings', async (page) => {
    const save = page.getByRole('button', { name: 'Save' })
    const message = page.getByText('These hours overlap.')
    await page.getByRole('button', { name: 'Add hours' }).click()
    const [opens, closes] = ['Opens', 'Closes'].map((name) =>
      page.getByRole('group', { name: 'Hours 2' }).getByLabel(name),
    )
    await opens?.fill('01:30')
    await save.click()
    await message.waitFor()
    await expect.poll(() => opens?.and(page.locator('[aria-invalid=true]:focus')).count()).toBe(1)
    await opens?.fill('02:00')
    expect(await message.count()).toBe(0)
    // The next day of the same hours begins when they end.
    await closes?.fill('03:00')
    await save.click()
    await status(page, 'The settings are saved.')
    expect((await merchant.retrieve()).openingHours).toHaveLength(2)
  })
})

test('a key is made and shown once, replaced and revoked; sessions end; the audit log says who did it', async () => {
  await visitConsole(browser, owner, '/settings', async (page) => {
    await page.getByRole('button', { name: 'New key' }).click()
    const dialog = page.getByRole('dialog', { name: 'New key' })
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Till')
    await dialog.getByRole('combobox', { name: 'Mode' }).selectOption('Test')
    await dialog.getByRole('combobox', { name: 'Access' }).selectOption('Read only')
    await dialog.getByRole('button', { name: 'Create' }).click()
    const field = page.getByRole('dialog', { name: 'Till' }).getByRole('textbox', { name: 'Key' })
    const key = await field.inputValue()
    expect(key).toMatch(/^sk_test_/)
    await page.keyboard.press('Escape')
    expect(await field.inputValue()).toBe(key)
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Close' }).count()).toBe(0)
    const use = (method: string) =>
      fetch(`${owner.origin}/merchants/${owner.id}/products`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(method === 'POST' && { body: '{"title":"Tea","price":1}' }),
      })
    expect([(await use('GET')).status, (await use('POST')).status]).toEqual([200, 403])
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Roll Till' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Replace' }).click()
    expect(await field.inputValue()).not.toBe(key)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Revoke Till' }).first().click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await status(page, '“Till” is revoked.')

    await visitConsole(browser, owner, '/settings', async (second) => {
      const other = rows(second, 'Sessions').filter({ hasNotText: 'This session' }).getByRole('button', { name: 'End' })
      await rows(second, 'Sessions').getByText('This session').waitFor()
      const before = await other.count()
      expect(before).toBeGreaterThan(0)
      await other.first().click()
      await status(second, 'The session is ended.')
      await expect.poll(() => other.count()).toBe(before - 1)
      await second.reload()
      await rows(second, 'Audit').filter({ hasText: 'Session ended' }).first().getByText('You').waitFor()
      await second.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch')
      await second.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor()
    })
  })
})

test('a key of test mode makes no live keys, and sees no more than its rights', async () => {
  const tester = await createOwner({ mode: 'test', scopes: ['keys:write'] })
  await visitConsole(browser, tester, '/settings', async (page) => {
    await page.getByRole('button', { name: 'New key' }).click()
    expect(await page.getByRole('combobox', { name: 'Mode' }).locator('option').allTextContents()).toEqual(['Test'])
    expect(await page.getByRole('heading', { name: 'Venue' }).count()).toBe(0)
    expect(await page.getByRole('heading', { name: 'Audit' }).count()).toBe(0)
  })
})

test('a tap beside a dialog loses neither what it shows only now nor what is typed', async () => {
  const venue = await createOwner()
  await visitConsole(browser, venue, '/settings', async (page) => {
    const tapBeside = () => page.mouse.click(5, 5)
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('button', { name: 'Make link' }).click()
    const link = page.getByRole('textbox', { name: 'Invitation link' })
    await link.waitFor()
    await tapBeside()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Till')
    await tapBeside()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('textbox', { name: 'Key', exact: true }).waitFor()
    await tapBeside()
    await page.getByRole('button', { name: 'Done' }).click()
    // A dialog without input closes.
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await tapBeside()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
})

test('the screen is accessible in both themes and fits 320 px', async () => {
  await visitConsole(
    browser,
    owner,
    '/settings',
    async (page) => {
      await page.getByRole('button', { name: 'Add hours' }).click()
      // A time with "AM" or "PM" needs 100 px.
      const times = page.getByRole('group', { name: 'Hours 1' }).locator('input[type=time]')
      await expect.poll(() => times.count()).toBe(2)
      for (const time of await times.all())
        await expect.poll(async () => (await time.boundingBox())?.width).toBeGreaterThan(100)
      await page.getByText('Nobody has joined yet.').waitFor()
      await rows(page, 'Sessions').first().waitFor()
      await rows(page, 'Audit').first().waitFor()
      expect(await widthOf(page)).toBe(320)
      expect(await listViolations(page)).toEqual([])
    },
    { viewport: { width: 320, height: 640 }, bypassCSP: true },
  )
})
