import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser, widthOf } from '../browser.ts'
import { createOwner, holdRequest, listViolations, sizes, visitConsole, waitForStatus } from './console-page.ts'
import { addAuthenticator, createVenue, createVisit, join, title } from './member-page.ts'

const browser = await getBrowser()
const visit = createVisit(browser)

async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await title(page, 'Sign in')
}

test('an owner joins with a passkey, signs in with it, invites a person and removes them', async () => {
  const venue = await createVenue()
  const url = await venue.invite('owner')
  await visit(sizes.desk, async (page) => {
    await page.goto(url)
    await title(page, 'Join Three Otters')
    await page.reload()
    await join(page, url, 'Zoë')
    await title(page, 'Today')
    expect(page.url()).not.toContain('#')
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await title(page, 'Today')

    await page.getByRole('link', { name: 'Settings' }).click()
    const people = page.getByRole('table', { name: 'People' })
    await people.getByRole('row').filter({ hasText: 'Zoë' }).getByText('1 passkey').waitFor()
    await addAuthenticator(page, 'usb')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await waitForStatus(page, 'The passkey is added.')
    await people.getByText('2 passkeys').waitFor()
    const passkeys = page.getByRole('table', { name: 'Your passkeys' })
    await expect.poll(() => passkeys.getByRole('textbox').count()).toBe(2)
    const newest = passkeys.getByRole('textbox').first()
    expect(await newest.inputValue()).toContain('Chrome')
    await newest.fill('Key ring')
    await newest.press('Enter')
    await waitForStatus(page, 'The passkey is now called “Key ring”.')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => newest.inputValue()).toContain('Chrome')
    await newest.fill('Key ring')
    await newest.press('Enter')
    await page.reload()
    await passkeys.getByRole('button', { name: 'Delete Key ring' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await waitForStatus(page, '“Key ring” is deleted.')
    await people.getByText('1 passkey', { exact: false }).waitFor()
    await passkeys.getByRole('button', { name: /^Delete/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alert').getByText('The last passkey cannot be deleted').waitFor()

    await page.getByRole('combobox', { name: 'Role of Zoë' }).selectOption('Staff')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Change my role' }).click()
    await page.getByRole('alert').getByText('The last owner cannot be removed or demoted').waitFor()
    expect(await page.getByRole('combobox', { name: 'Role of Zoë' }).inputValue()).toBe('owner')

    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption('Staff')
    await page.getByRole('button', { name: 'Make link' }).click()
    const link = await page.getByRole('textbox', { name: 'Invitation link' }).inputValue()
    // Shown only once, so an accidental tap must not close it.
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Done' }).click()
    await visit({ ...sizes.phone, locale: 'de-DE' }, async (phone) => {
      await phone.goto(link)
      await title(phone, 'Three Otters beitreten')
      await phone.getByRole('textbox', { name: 'Dein Name' }).fill('Bo')
      await phone.getByRole('button', { name: 'Passkey erstellen' }).click()
      await title(phone, 'Heute')
      await phone.getByRole('button', { name: 'Menü' }).click()
      const links = phone.getByRole('navigation', { name: 'Hauptmenü' }).or(phone.getByRole('navigation').first())
      expect(await links.getByRole('link', { name: 'Kunden' }).count()).toBe(0)
      expect(await links.getByRole('link', { name: 'Ausverkauft' }).count()).toBe(1)
      // Staff see their own passkeys and sessions, not the other people.
      await links.getByRole('link', { name: 'Einstellungen' }).click()
      await phone.getByRole('table', { name: 'Deine Passkeys' }).getByRole('textbox').waitFor()
      expect(await phone.getByRole('table', { name: 'Personen' }).count()).toBe(0)
      expect(await widthOf(phone)).toBe(sizes.phone.viewport.width)
      await phone.goto(link)
      await phone.getByRole('alert').getByText('Diese Einladung wurde benutzt').waitFor()
    })

    await page.reload()
    await page.getByRole('combobox', { name: 'Role of Bo' }).selectOption('Manager')
    await waitForStatus(page, 'Bo now has the role Manager.')
    await page.getByRole('button', { name: 'Remove Bo' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await waitForStatus(page, 'Bo is removed.')
    await people.getByText('Bo').waitFor({ state: 'detached' })
  })
})

test('a person joins a second venue with the same passkey, and switches to test mode', async () => {
  const [first, second] = [await createVenue('First'), await createVenue('Second')]
  await visit(sizes.desk, async (page) => {
    await join(page, await first.invite('manager'), 'Ann')
    await title(page, 'Today')
    await page.goto(await second.invite('owner'))
    await title(page, 'Join Second')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('banner').getByText('Second').waitFor()
    await title(page, 'Today')
    const openVenue = async (name: string) => {
      await page.getByRole('button', { name: 'Account' }).click()
      const button = page.getByRole('group', { name: 'Other venues' }).getByRole('button', { name })
      await Promise.all([page.waitForEvent('load'), button.click()])
    }
    await openVenue('First')
    await page.getByRole('banner').getByText('First').waitFor()
    await title(page, 'Today')
    // A venue that is left keeps no session of this browser.
    await page.getByRole('link', { name: 'Settings' }).click()
    const sessions = page.getByRole('table', { name: 'Sessions' }).getByRole('row')
    await expect.poll(() => sessions.count()).toBe(2)
    await openVenue('Second')
    await page.getByRole('banner').getByText('Second').waitFor()
    await title(page, 'Today')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('radio', { name: 'Test' }).click()
    await page.getByText('Test mode').waitFor()
    await page.getByRole('link', { name: 'Products' }).click()
    await page.getByText('Test mode').waitFor()
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('radio', { name: 'Live' }).click()
    await page.getByText('Test mode').waitFor({ state: 'detached' })

    // Once the other venue's session has started, nothing can keep the person here. Typed text is back with the venue.
    let asked = 0
    page.on('dialog', (dialog) => {
      asked++
      void dialog.dismiss()
    })
    const venueName = page.getByRole('textbox', { name: 'Name', exact: true })
    await page.getByRole('link', { name: 'Settings' }).click()
    await venueName.fill('Renamed')
    await openVenue('First')
    await page.getByRole('banner').getByText('First').waitFor()
    await openVenue('Second')
    await page.getByRole('banner').getByText('Second').waitFor()
    await page.getByRole('link', { name: 'Settings' }).click()
    await expect.poll(() => venueName.inputValue()).toBe('Renamed')
    expect(asked).toBe(0)
  })
})

test('a person who is removed while they type is told so, and finds what they typed after a new invitation', async () => {
  const venue = await createVenue()
  await visit(sizes.desk, async (page) => {
    await join(page, await venue.invite('owner'), 'Zoë')
    await title(page, 'Today')
    await visit(sizes.phone, async (phone) => {
      await join(phone, await venue.invite('manager'), 'Bo')
      await title(phone, 'Today')
      await phone.goto(`${new URL(phone.url()).origin}/console/products/new`)
      const form = phone.getByRole('dialog', { name: 'New product' })
      await form.getByRole('textbox', { name: 'Title' }).fill('Walnut cake')
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('button', { name: 'Remove Bo' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
      await waitForStatus(page, 'Bo is removed.')
      await form.getByRole('textbox', { name: 'Price' }).fill('4')
      await form.getByRole('button', { name: 'Save' }).click()
      await phone.getByText('Your session has ended').waitFor()
      await phone.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await phone.getByRole('alert').getByText('Ask the owner of the venue for a new invitation').waitFor()
      await phone.goto(await venue.invite('manager'))
      await title(phone, 'Join Three Otters')
      await join(phone, phone.url(), 'Bo')
      await title(phone, 'Today')
      await phone.goto(`${new URL(phone.url()).origin}/console/products/new`)
      await expect.poll(() => form.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Walnut cake')
      expect(await form.getByRole('textbox', { name: 'Price' }).inputValue()).toBe('4')
    })
  })
})

test('a device without a passkey of the service says so', async () => {
  const venue = await createVenue()
  const url = new URL(await venue.invite('owner'))
  await visit(sizes.desk, async (page) => {
    await page.goto(`${url.origin}/console`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').getByText('No passkey was used').waitFor()
    await page.goto(`${url.origin}/console/join#NOTHING`)
    await page.getByRole('alert').getByText('This invitation was used').waitFor()
  })
})

test('two taps make one invitation', async () => {
  const venue = await createOwner()
  await visitConsole(browser, venue, '/settings', async (page, { requests }) => {
    await page.getByRole('button', { name: 'Invite' }).click()
    const { sent, release } = await holdRequest(page, '**/invitations')
    const make = page.getByRole('button', { name: 'Make link' })
    await make.click()
    await sent
    await make.click({ force: true })
    release()
    await page.getByRole('textbox', { name: 'Invitation link' }).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    // The focus returns to what opened the dialog.
    await page.getByRole('button', { name: 'Invite' }).and(page.locator(':focus')).waitFor({ timeout: 5_000 })
    await page.getByRole('table', { name: 'People' }).getByText('Invitation').waitFor()
    expect(requests.filter((request) => /^POST .*\/invitations$/.test(request))).toHaveLength(1)
  })
})

test('the invitation and the people are accessible in both themes and fit 320 px', async () => {
  const venue = await createVenue()
  const url = await venue.invite('owner')
  await visit({ viewport: { width: 320, height: 640 }, bypassCSP: true }, async (page) => {
    await page.goto(url)
    await title(page, 'Join Three Otters')
    expect(await widthOf(page)).toBe(320)
    expect(await listViolations(page)).toEqual([])
    await join(page, url, 'Zoë')
    await title(page, 'Today')
    await page.goto(`${new URL(url).origin}/console/settings`)
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('button', { name: 'Make link' }).click()
    await page.getByRole('textbox', { name: 'Invitation link' }).waitFor()
    expect(await listViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('table', { name: 'People' }).getByText('Invitation').waitFor()
    expect(await widthOf(page)).toBe(320)
    expect(await listViolations(page)).toEqual([])
  })
})
