import { expect, test } from 'vitest'
import { getBrowser, visit, widthOf } from '../browser.ts'
import { createOwner, sizes, visitConsole } from './console-page.ts'

const word = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenmacherei'
const browser = await getBrowser()

test('a long word in the name of a product widens no page of a phone', async () => {
  const owner = await createOwner()
  const { id } = await owner.post('/products', { title: word, price: 1_200 })
  await owner.post(`/products/${id}/details`, { allergens: [{ code: 'milk', level: 'contains' }] })
  const menu = await owner.post('/menus', { title: 'Lunch', sections: [{ title: 'Mains', items: [id] }] })
  await visitConsole(
    browser,
    owner,
    `/menus/${menu.id}`,
    async (page) => {
      await page.getByRole('button', { name: `Remove ${word}` }).waitFor()
      expect(await widthOf(page)).toBe(sizes.phone.viewport.width)
      await page.getByRole('button', { name: 'Add product' }).click()
      const offer = page.getByRole('option', { name: word })
      await offer.waitFor()
      expect(
        await offer.evaluate(
          (each: { scrollWidth: number; clientWidth: number }) => each.scrollWidth - each.clientWidth,
        ),
      ).toBe(0)
    },
    sizes.phone,
  )
  await visit(browser, `${owner.origin}/m/${owner.id}/allergens`, {}, async (page) => {
    await page.getByRole('rowheader', { name: word }).waitFor()
    expect(
      await page.evaluate(
        'document.querySelector(".sheet").scrollWidth - document.querySelector(".sheet").clientWidth',
      ),
    ).toBe(0)
  })
})
