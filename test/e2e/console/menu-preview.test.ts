import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { createOwner, listViolations, sizes, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()

async function createMenus() {
  const owner = await createOwner()
  const cake = await owner.post('/products', { title: 'Zwiebelkuchen', price: 5 })
  const tea = await owner.post('/products', { title: 'Pfefferminztee', price: 3 })
  const lunch = await owner.post('/menus', { title: 'Lunch', sections: [{ title: 'Warm', items: [cake.id] }] })
  await owner.post('/menus', { title: 'Drinks', sections: [{ title: 'Hot', items: [tea.id] }] })
  return { owner, lunch, tea }
}

test('the preview shows what is typed before it is saved, of this menu, at two moments', async () => {
  const { owner, lunch } = await createMenus()
  await visitConsole(browser, owner, `/menus/${lunch.id}`, async (page) => {
    const preview = page.frameLocator('iframe[title=Preview]')
    const title = page.getByRole('textbox', { name: 'Title', exact: true })
    await preview.getByText('Zwiebelkuchen').first().waitFor()
    expect(await preview.getByText('Pfefferminztee').count()).toBe(0)
    await title.fill('Mittagstisch')
    await page.getByRole('textbox', { name: 'Section title' }).fill('Aus dem Ofen')
    await preview.getByRole('heading', { name: 'Mittagstisch' }).waitFor()
    await preview.getByRole('heading', { name: 'Aus dem Ofen' }).waitFor()
    // Days are in the details. The preview shows a weekday without the menu.
    await page.getByRole('checkbox', { name: 'Mon' }).uncheck()
    await page.getByRole('button', { name: /^Mon/ }).click()
    await preview.getByText('Zwiebelkuchen').first().waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: /^Sat/ }).click()
    await preview.getByText('Zwiebelkuchen').first().waitFor()
    // A menu without a title is not shown.
    await title.fill('')
    await preview.getByRole('heading', { name: 'Lunch' }).waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await preview.getByText('Pfefferminztee').first().waitFor()
    expect(await owner.get(`/menus/${lunch.id}`)).toMatchObject({ title: 'Lunch' })
    await page.getByRole('button', { name: 'New menu' }).click()
    await title.fill('Supper')
    await preview.getByRole('heading', { name: 'Supper' }).waitFor()
    expect(await owner.get('/menus')).toHaveLength(2)
  })
})

test('on a phone, the button of the preview covers no row and no other button', async () => {
  const { owner } = await createMenus()
  for (let n = 0; n < 12; n++) await owner.post('/menus', { title: `Menu ${n}` })
  await visitConsole(
    browser,
    owner,
    '/menus',
    async (page) => {
      const button = page.getByRole('button', { name: 'Preview' })
      /** The bar: whether it is in the window, whether its button can be tapped, and the element at its left edge. */
      const read = () =>
        button.evaluate((element) => {
          const { top, left, width, height } = element.getBoundingClientRect()
          const { ownerDocument: shown } = element
          const at = (x: number, y: number) => shown.elementFromPoint(x, y)
          return [
            top < shown.documentElement.clientHeight,
            at(left + width / 2, top + height / 2) === element,
            at(8, top + height / 2)?.tagName,
          ]
        })
      await page.getByText('Menu 11').waitFor()
      await expect.poll(read).toEqual([true, true, 'DIV'])
      await page.getByRole('button', { name: 'Lunch' }).first().tap()
      await page.getByRole('textbox', { name: 'Title', exact: true }).waitFor()
      const areOnTop = () =>
        page.locator('.dialog-foot button').evaluateAll((buttons) =>
          buttons.map((each) => {
            const { top, left, width, height } = each.getBoundingClientRect()
            return each.ownerDocument.elementFromPoint(left + width / 2, top + height / 2) === each
          }),
        )
      await expect.poll(areOnTop).toEqual([true, true, true, true, true])
    },
    sizes.phone,
  )
})

test('on a phone, one tap shows the preview over the editor, with what is typed', async () => {
  const { owner, lunch } = await createMenus()
  await visitConsole(
    browser,
    owner,
    `/menus/${lunch.id}`,
    async (page) => {
      await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Mittagstisch')
      await page.getByRole('button', { name: 'Preview' }).tap()
      const sheet = page.getByRole('dialog', { name: 'Preview' })
      const frame = sheet.frameLocator('iframe')
      await frame.getByRole('heading', { name: 'Mittagstisch' }).waitFor()
      const heightOfFrame = async () => (await sheet.locator('iframe').boundingBox())?.height
      await expect.poll(heightOfFrame).toBeGreaterThan(0.6 * sizes.phone.viewport.height)
      expect(await listViolations(page)).toEqual([])
      await sheet.getByRole('button', { name: 'Close' }).tap()
      await page.getByRole('button', { name: 'Save' }).tap()
      await waitForStatus(page, '“Mittagstisch” is saved.')
    },
    { ...sizes.phone, bypassCSP: true },
  )
})
