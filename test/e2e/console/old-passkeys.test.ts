import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { sizes, waitForStatus } from './console-page.ts'
import { addAuthenticator, createVenue, createVisit, join, title } from './member-page.ts'

const browser = await getBrowser()
const visit = createVisit(browser)

/** Safari up to 18.3 and Chrome up to 128: passkeys without their JSON. */
const withoutJson = `
  delete PublicKeyCredential.parseCreationOptionsFromJSON
  delete PublicKeyCredential.parseRequestOptionsFromJSON
  delete PublicKeyCredential.prototype.toJSON
`

/** Credentials as the extensions of password managers create them: objects with the prototypes of the browser, whose own `toJSON` fails. */
const fromExtension = `
  const copyWith = (prototype, values) => Object.setPrototypeOf(
    Object.defineProperties({}, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]))),
    prototype,
  )
  const copyOf = ({ id, rawId, type, response }) => {
    const { clientDataJSON, authenticatorData, signature, userHandle } = response
    const methods = ['getAuthenticatorData', 'getPublicKey', 'getPublicKeyAlgorithm', 'getTransports']
    const values = signature
      ? { clientDataJSON, authenticatorData, signature, userHandle }
      : { clientDataJSON, ...Object.fromEntries(methods.map((name) => [name, () => response[name]()])) }
    return copyWith(PublicKeyCredential.prototype, {
      id, rawId, type, response: copyWith(Object.getPrototypeOf(response), values),
    })
  }
  for (const name of ['get', 'create']) {
    const native = navigator.credentials[name].bind(navigator.credentials)
    navigator.credentials[name] = async (options) => copyOf(await native(options))
  }
`

const failsToWrite = (page: Page) =>
  page.evaluate(`navigator.credentials.get({ publicKey: { challenge: new Uint8Array(32), userVerification: 'required' } })
    .then((found) => { try { JSON.stringify(found); return false } catch { return true } })`)

test.each([
  ['a browser without the JSON of passkeys', withoutJson],
  ['a password manager whose credentials cannot be written as JSON', fromExtension],
])('a person joins, signs in and adds a passkey with %s', async (_, script) => {
  const venue = await createVenue()
  const url = await venue.invite('owner')
  await visit(sizes.phone, async (page) => {
    await page.addInitScript(script)
    await join(page, url, 'Zoë')
    await title(page, 'Today')
    if (script === fromExtension) expect(await failsToWrite(page)).toBe(true)
    else expect(await page.evaluate(`'parseRequestOptionsFromJSON' in PublicKeyCredential`)).toBe(false)
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await title(page, 'Sign in')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await title(page, 'Today')
    await page.goto(new URL('/console/settings', url).href)
    // The first device has a passkey of the person, so that only another one can make a new one.
    await addAuthenticator(page, 'usb')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await waitForStatus(page, 'The passkey is added.')
    await expect.poll(() => page.getByRole('table', { name: 'Your passkeys' }).getByRole('textbox').count()).toBe(2)
  })
})

test('a browser without passkeys says that none was used', async () => {
  const { origin } = new URL(await (await createVenue()).invite('owner'))
  await visit(sizes.phone, async (page) => {
    await page.addInitScript(`
      delete window.PublicKeyCredential
      Object.defineProperty(navigator, 'credentials', { value: undefined })
    `)
    await page.goto(`${origin}/console`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').getByText('No passkey was used').waitFor()
  })
})
