import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser, widthOf } from '../browser.ts'
import { connectService } from '../shared-service.ts'
import { listViolations, sizes, waitForStatus } from './console-page.ts'
import { addAuthenticator, createVenue, createVisit, join, title } from './member-page.ts'

const browser = await getBrowser()
const visit = createVisit(browser)

/** Answers requests as if the last assertion were older than five minutes, until the session is confirmed. Returns what was sent. */
async function forgetAssertion(page: Page, confirmedAt: RegExp): Promise<string[]> {
  const sent: string[] = []
  let isConfirmed = false
  page.on('response', (response) => {
    if (confirmedAt.test(new URL(response.url()).pathname) && response.ok()) isConfirmed = true
  })
  const makes = /\/(?:keys|invitations|passkeys|registration)$|\/members\/|\/console\/passkeys\/[\w-]{20,}$/
  await page.route(/\/(?:merchants|console|admin)\//, async (route) => {
    const request = route.request()
    const [method, { pathname }] = [request.method(), new URL(request.url())]
    if (method === 'GET') return route.fallback()
    const isRejected = !isConfirmed && makes.test(pathname)
    sent.push(`${method} ${pathname.replace(/^\/(?:admin\/)?merchants\/\w+/, '')}${isRejected ? ' rejected' : ''}`)
    if (isRejected) {
      const problem = {
        type: 'about:blank',
        title: 'Assertion required',
        status: 403,
        code: 'assertion_required',
        detail: 'Confirm.',
        requestId: 'req_1',
        errors: [],
      }
      return route.fulfill({ status: 403, contentType: 'application/problem+json', body: JSON.stringify(problem) })
    }
    await route.continue()
  })
  return sent
}

const question = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' })

test('a person confirms on a phone before a passkey is added, and once for what follows', async () => {
  const venue = await createVenue()
  await visit({ ...sizes.phone, bypassCSP: true }, async (page) => {
    await join(page, await venue.invite('owner'), 'Zoë')
    await title(page, 'Today')
    await page.goto(`${new URL(page.url()).origin}/console/settings`)
    await page.getByRole('table', { name: 'Your passkeys' }).waitFor()
    const sent = await forgetAssertion(page, /\/passkeys\/assertion$/)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await question(page).waitFor()
    expect(await widthOf(page)).toBe(sizes.phone.viewport.width)
    expect(await listViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await question(page).waitFor({ state: 'detached' })
    await page.getByRole('alert').getByText('You did not confirm that it is you. Nothing was changed.').waitFor()

    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('button', { name: 'Make link' }).click()
    await question(page).getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('textbox', { name: 'Invitation link' }).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await addAuthenticator(page, 'usb')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await waitForStatus(page, 'The passkey is added.')
    expect(sent).toEqual([
      'POST /console/passkeys/registration rejected',
      'POST /invitations rejected',
      'POST /console/passkeys/options',
      'POST /console/passkeys/assertion',
      'POST /invitations',
      'POST /console/passkeys/registration',
      'POST /console/passkeys',
    ])
  })
})

test('what was typed stays while the person confirms, and nothing is changed if they do not', async () => {
  const venue = await createVenue()
  await visit(sizes.desk, async (page) => {
    await join(page, await venue.invite('owner'), 'Zoë')
    await title(page, 'Today')
    await page.goto(`${new URL(page.url()).origin}/console/settings`)
    const sent = await forgetAssertion(page, /\/passkeys\/assertion$/)
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Till')
    await page.getByRole('button', { name: 'Create' }).click()
    await question(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alert').getByText('You did not confirm that it is you. Nothing was changed.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Till')
    // Twice before anything can answer: sent once.
    await page.getByRole('button', { name: 'Create' }).evaluate((button) => {
      for (let time = 0; time < 2; time++) button.click()
    })
    await question(page).getByRole('button', { name: 'Confirm' }).press('Enter')
    await page.getByRole('textbox', { name: 'Key' }).waitFor()
    expect(sent.filter((line) => line.startsWith('POST /keys'))).toEqual([
      'POST /keys rejected',
      'POST /keys rejected',
      'POST /keys',
    ])
  })
})

test('a device that has none of the person’s passkeys confirms nothing', async () => {
  const venue = await createVenue()
  const context = await browser.newContext({ ...sizes.phone, locale: 'en-GB' })
  try {
    const page = await context.newPage()
    const device = await addAuthenticator(page, 'internal')
    await join(page, await venue.invite('owner'), 'Zoë')
    await title(page, 'Today')
    await page.goto(`${new URL(page.url()).origin}/console/settings`)
    await device.unplug()
    await addAuthenticator(page, 'internal')
    const sent = await forgetAssertion(page, /\/passkeys\/assertion$/)
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('button', { name: 'Make link' }).click()
    await question(page).getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('alert').getByText('No passkey was used').waitFor()
    await question(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alert').getByText('You did not confirm that it is you. Nothing was changed.').waitFor()
    expect(sent).toEqual(['POST /invitations rejected', 'POST /console/passkeys/options'])
  } finally {
    await context.close()
  }
})

test('a passkey that is added at one venue is told at the next sign-in at every venue', async () => {
  const [first, second] = [await createVenue('First'), await createVenue('Second')]
  await visit({ ...sizes.phone, bypassCSP: true }, async (page) => {
    await join(page, await first.invite('owner'), 'Zoë')
    await title(page, 'Today')
    await page.goto(await second.invite('owner'))
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await title(page, 'Today')
    await page.goto(`${new URL(page.url()).origin}/console/settings`)
    const key = await addAuthenticator(page, 'usb')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await waitForStatus(page, 'The passkey is added.')
    // The person keeps the device, and signs in with it.
    await key.unplug()
    const told = page.getByRole('alertdialog', { name: 'Your passkeys have changed' })
    expect(await told.count()).toBe(0)
    for (const name of ['First', 'Second']) {
      await page.getByRole('button', { name: 'Account' }).click()
      await page.getByRole('group', { name: 'Other venues' }).getByRole('button', { name }).click()
      await told.getByText(/was added at Second/).waitFor()
      expect(await widthOf(page)).toBe(sizes.phone.viewport.width)
      expect(await listViolations(page)).toEqual([])
      await told.getByRole('button', { name: 'Understood' }).click()
      await told.waitFor({ state: 'detached' })
      await page.reload()
      await page.getByRole('banner').getByText(name).waitFor()
      expect(await told.count()).toBe(0)
    }
  })
})

test('an operator confirms with the token, and stays where they are', async () => {
  const { adminToken, origin } = await connectService()
  await createVenue('Confirming Otter')
  await visit(sizes.desk, async (page) => {
    await page.goto(`${origin}/console`)
    await page.getByRole('button', { name: 'Operator' }).click()
    await page.getByLabel('Operator token').fill(adminToken)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await title(page, 'Venues')
    await page.getByRole('searchbox', { name: 'Search venues' }).fill('Confirming')
    await page.getByRole('button', { name: 'Confirming Otter' }).first().click()
    const sent = await forgetAssertion(page, /\/console\/operator$/)
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('button', { name: 'Make link' }).click()
    await question(page).getByLabel('Operator token').fill('wrong')
    await question(page).getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('alert').getByText('This token is not valid.').waitFor()
    await question(page).getByLabel('Operator token').fill(adminToken)
    await question(page).getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('textbox', { name: 'Invitation link' }).waitFor()
    expect(sent).toEqual([
      'POST /invitations rejected',
      'POST /console/operator',
      'POST /console/operator',
      'POST /invitations',
    ])
  })
})
