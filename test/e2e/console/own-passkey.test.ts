import { expect, test } from 'vitest'
import { getBrowser, widthOf } from '../browser.ts'
import { createActions } from './actions.ts'
import { createOwner, sizes, visitConsole } from './console-page.ts'
import { createVenue, createVisit } from './member-page.ts'

const browser = await getBrowser()

test('a person who signed in with a key makes a passkey in three taps, and goes on as a member', async () => {
  const owner = await createOwner({
    scopes: [
      'members:write',
      'products:read',
      'modifiers:read',
      'menus:read',
      'coupons:read',
      'tags:read',
      'stock:write',
    ],
  })
  // Passkeys are bound to the host name of the service, which is not that of other tests.
  const { origin } = new URL(await (await createVenue()).invite('staff'))
  await createVisit(browser)(sizes.phone, async (page) => {
    await page.goto(`${origin}/console/settings#key=${owner.key}`)
    const { tap, fill, count } = createActions()
    await tap(page.getByRole('button', { name: 'Add a passkey' }))
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
    await fill(dialog.getByRole('textbox', { name: 'Your name' }), 'Ann')
    await tap(dialog.getByRole('button', { name: 'Add a passkey' }))
    await page.getByRole('table', { name: 'Your passkeys' }).waitFor()
    expect(count()).toBe(3)
    expect(await widthOf(page)).toBeLessThanOrEqual(sizes.phone.viewport.width)
    await page.reload()
    await page.getByRole('table', { name: 'Your passkeys' }).waitFor()
  })
})

test('a key that may not invite people says whom to ask', async () => {
  const owner = await createOwner({ scopes: ['products:write'] })
  await visitConsole(browser, owner, '/settings', async (page) => {
    await page.getByText('Ask an owner of the venue for an invitation').waitFor()
    expect(await page.getByRole('button', { name: 'Add a passkey' }).count()).toBe(0)
  })
})

test('an invitation carries a name and can be shared', async () => {
  const owner = await createOwner({
    scopes: [
      'members:write',
      'products:read',
      'modifiers:read',
      'menus:read',
      'coupons:read',
      'tags:read',
      'stock:write',
    ],
  })
  await visitConsole(browser, owner, '/settings', async (page) => {
    await page.evaluate(
      `Object.defineProperty(navigator, 'share', { configurable: true, value: async (shared) => { window.shared = shared } })`,
    )
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('textbox', { name: 'Name of the person' }).fill('Bo Ek')
    await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption('Staff')
    await page.getByRole('button', { name: 'Make link' }).click()
    const link = await page.getByRole('textbox', { name: 'Invitation link' }).inputValue()
    await page.getByRole('button', { name: 'Share' }).click()
    expect(await page.evaluate('window.shared')).toEqual({
      title: 'Join Three Otters',
      text: 'Join Three Otters',
      url: link,
    })
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('table', { name: 'People' }).getByText('Bo Ek').waitFor()
    await page.goto(link)
    await expect.poll(() => page.getByRole('textbox', { name: 'Your name' }).inputValue()).toBe('Bo Ek')
  })
})
