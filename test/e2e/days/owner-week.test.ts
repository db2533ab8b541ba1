import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { sizes, visitConsole, waitForStatus } from '../console/console-page.ts'
import { createVenue, createVisit, join, title } from '../console/member-page.ts'
import { createDay, createLunch } from './day.ts'

const browser = await getBrowser()
const prices = 'Title,Price\nKürbiscremesuppe,7.20\nZwiebelkuchen,5.50\n'

test("the jobs of an owner's week on a phone", async () => {
  const { owner, products } = await createLunch()
  const { tap, type, choose, add, step, end } = createDay('owner, the week')
  await visitConsole(
    browser,
    owner,
    '/today',
    async (page) => {
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      const open = async (screen: string) => {
        await tap(button('Menu'))
        await tap(page.locator('#navigation').getByRole('link', { name: screen, exact: true }))
        await title(page, screen)
      }
      await step('previews another title of a menu on Saturday evening', 6, async () => {
        await open('Menus')
        await tap(button('Lunch'))
        await type(page.getByRole('textbox', { name: 'Title', exact: true }), 'Supper')
        await tap(button('Preview'))
        await tap(page.getByRole('button', { name: /^Sat/ }))
        await page.frameLocator('iframe').getByRole('heading', { name: 'Supper' }).waitFor()
      })
      await step('keeps the old title', 3, async () => {
        const sheet = page.getByRole('dialog', { name: 'Preview' })
        await tap(sheet.getByRole('button', { name: 'Close' }))
        await tap(button('Close'))
        await tap(button('Discard'))
      })
      await step('raises all prices by 5 percent', 6, async () => {
        await open('Products')
        await tap(page.getByRole('checkbox', { name: 'Select all shown' }))
        await tap(button('Change prices'))
        const dialog = page.getByRole('dialog', { name: 'Change prices' })
        await type(dialog.getByRole('textbox'), '5')
        await tap(dialog.getByRole('button', { name: 'Apply' }))
        await waitForStatus(page, '4 prices are changed.')
      })
      expect(await owner.get(`/products/${products.cake}`)).toMatchObject({ price: 5.25 })
      await step('takes that back', 1, async () => {
        await tap(button('Undo').last())
        await expect.poll(async () => (await owner.get(`/products/${products.cake}`)).price).toBe(5)
      })
      await step('loads a list with new prices', 6, async () => {
        await open('Import and export')
        // Opens the list of files, in which a file is chosen.
        add(2)
        const file = { name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from(prices) }
        await page.locator('input[type=file]').setInputFiles(file)
        await tap(button('Check'))
        await tap(button('Apply'))
        await waitForStatus(page, '0 created, 2 updated, 0 unchanged.')
      })
      await step('prints the cards of two tables', 5, async () => {
        await open('Tables')
        await tap(page.getByRole('checkbox', { name: 'Select Table 1' }))
        await tap(page.getByRole('checkbox', { name: 'Select Table 2' }))
        const sheet = page.context().waitForEvent('page')
        await tap(button('Print selected'))
        await (await sheet).close()
      })
      await step('makes a link for a new cook', 7, async () => {
        await open('Settings')
        await tap(button('Invite'))
        await type(page.getByRole('textbox', { name: 'Name of the person' }), 'Bo Ek')
        await choose(page.getByRole('combobox', { name: 'Role', exact: true }), 'Staff')
        await tap(button('Make link'))
        await page.getByRole('textbox', { name: 'Invitation link' }).waitFor()
      })
    },
    sizes.phone,
  )
  end()
  expect(await owner.get(`/products/${products.soup}`)).toMatchObject({ price: 7.2 })
})

test('a member signs in with one tap', async () => {
  const { tap, step, end } = createDay('member')
  const link = await (await createVenue()).invite('manager')
  await createVisit(browser)(sizes.phone, async (page) => {
    await join(page, link, 'Ana')
    await title(page, 'Today')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await step('signs in', 1, async () => {
      await tap(page.getByRole('button', { name: 'Sign in with a passkey' }))
      await title(page, 'Today')
    })
  })
  end()
})
