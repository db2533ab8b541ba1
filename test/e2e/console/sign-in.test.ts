import { expect, test } from 'vitest'
import { getBrowser, launch, widthOf } from '../browser.ts'
import { createOwner, listViolations, sizes, visitConsole } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

test('a key is exchanged for a cookie that scripts cannot read, and signing out ends the session', async () => {
  const context = await browser.newContext({ ...sizes.desk, locale: 'en-GB' })
  const page = await context.newPage()
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.goto(`${owner.origin}/console`)
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  // The page, then scripts and styles together; no request to the API.
  expect(
    requests.filter((path) => !/^\/(?:console(?:\/[\w-]+\.(?:js|css))?|fonts\/[\w-]+\.woff2)$/.test(path)),
  ).toEqual([])
  await page.getByRole('textbox', { name: 'API key' }).or(page.getByLabel('API key')).first().fill('sk_live_wrong')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('alert').getByText('not valid').waitFor()
  await page.getByLabel('API key').fill(owner.key)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  const [cookie] = await context.cookies()
  expect(cookie).toMatchObject({ name: '__Host-session', httpOnly: true, secure: true, sameSite: 'Strict', path: '/' })
  const stored = await page.evaluate('JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])')
  expect(stored).not.toContain(owner.key)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  expect(await context.cookies()).toEqual([])
  await context.close()
})

test('a link with a key signs in on loopback hosts only: elsewhere it would be a way into a foreign venue', async () => {
  const remote = await launch(['--host-resolver-rules=MAP console.example 127.0.0.1'])
  const page = await remote.newPage()
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.goto(`${owner.origin.replace('127.0.0.1', 'console.example')}/console#key=${owner.key}`)
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  expect(requests).not.toContain('/console/session')
  expect(page.url()).not.toContain('#key')
  await remote.close()
})

test('a session that ends while it is used leads back to the form', async () => {
  const guest = await createOwner()
  await visitConsole(browser, guest, '/products', async (page) => {
    const search = page.getByRole('searchbox', { name: 'Search products' })
    await page.getByText('No products yet').waitFor()
    await page.context().clearCookies()
    await search.fill('tea')
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await page.getByText('Your session has ended').waitFor()
  })
})

test('a sign-out that fails says so, and the person stays signed in', async () => {
  const guest = await createOwner()
  await visitConsole(browser, guest, '/products', async (page) => {
    const [isSession, signOut] = ['**/console/session', page.getByRole('button', { name: 'Sign out' })]
    await page.route(isSession, (route) => route.fulfill({ status: 503 }))
    await page.getByRole('button', { name: 'Account' }).click()
    await signOut.click()
    await page.getByRole('alert').getByText('The service is busy').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor()
    await page.unroute(isSession)
    await page.route(isSession, (route) => route.abort())
    await signOut.click()
    await page.getByRole('alert').getByText('No connection').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor()
    await page.unroute(isSession)
    await signOut.click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect(await page.context().cookies()).toEqual([])
  })
})

test('the language is that of the browser, can be chosen, and is kept', async () => {
  const context = await browser.newContext({ ...sizes.desk, locale: 'de-DE' })
  const page = await context.newPage()
  await page.goto(`${owner.origin}/console`)
  await page.getByRole('heading', { level: 1, name: 'Anmelden' }).waitFor()
  expect(await page.evaluate('document.documentElement.lang')).toBe('de')
  await page.getByRole('button', { name: 'English' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await context.close()
})

test('a key of test mode says so, and a key without scopes shows nothing', async () => {
  const tester = await createOwner({ mode: 'test', scopes: ['products:read'] })
  await visitConsole(browser, tester, '/products', async (page) => {
    await page.getByText('Test mode').waitFor()
    expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()).toEqual([
      'Products',
      'Settings',
    ])
    expect(await page.getByRole('button', { name: 'New product' }).count()).toBe(0)
  })
})

test('the sign-in form is accessible and fits narrow screens', async () => {
  const context = await browser.newContext({ viewport: { width: 320, height: 640 }, bypassCSP: true })
  const page = await context.newPage()
  await page.goto(`${owner.origin}/console`)
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  expect(await widthOf(page)).toBe(320)
  expect(await listViolations(page)).toEqual([])
  await context.close()
})

test('on a phone the navigation is behind "Menu"; keys open screens and their list', async () => {
  await visitConsole(
    browser,
    owner,
    '/products',
    async (page) => {
      const menu = page.getByRole('navigation', { name: 'Main' })
      expect(await menu.isVisible()).toBe(false)
      await page.getByRole('button', { name: 'Menu' }).click()
      // The screen below must not be visible through it.
      expect(await page.evaluate('getComputedStyle(document.querySelector("#navigation")).backgroundColor')).toMatch(
        /^rgb\(/,
      )
      await menu.getByRole('link', { name: 'Products' }).click()
      expect(await menu.isVisible()).toBe(false)
      await page.getByRole('button', { name: 'Menu' }).click()
      await menu.getByRole('link', { name: 'Sold out' }).click()
      await page.getByRole('heading', { level: 1, name: 'Sold out' }).waitFor()
      expect(await menu.isVisible()).toBe(false)
    },
    sizes.phone,
  )
  await visitConsole(browser, owner, '/products', async (page) => {
    await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor()
    const names = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()
    await page.keyboard.press(String(names.indexOf('Sold out') + 1))
    await page.getByRole('heading', { level: 1, name: 'Sold out' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press(String(names.indexOf('Products') + 1))
    await page.getByRole('searchbox', { name: 'Search products' }).waitFor()
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Search products')
  })
})
