import { expect, test } from 'vitest'
import { getBrowser, widthOf } from '../browser.ts'
import { connectService } from '../shared-service.ts'
import { createOwner, listViolations, visitConsole } from './console-page.ts'

const browser = await getBrowser()

test('a table gets an address for some hours and a language, and says which sites Settings must allow', async () => {
  const venue = await createOwner()
  const { adminToken, call } = await connectService()
  await call('POST', `/admin/merchants/${venue.id}`, adminToken, { orderingUrl: 'https://order.example/menu' })
  const { id } = await venue.post('/tags', { metadata: [{ key: 'table', value: '7' }] })
  await visitConsole(
    browser,
    venue,
    `/tables/${id}`,
    async (page) => {
      const editor = page.getByRole('dialog', { name: 'Table 7' })
      const address = editor.getByRole('textbox', { name: 'Address of this table' })
      await address.fill('https://bar.example/menu')
      await editor.getByRole('combobox', { name: 'Guests here order' }).selectOption('takeaway')
      await editor.getByRole('button', { name: 'Add another address' }).click()
      const rule = editor.getByRole('group', { name: 'Other address 1' })
      await rule.getByRole('textbox', { name: 'Other address' }).fill('https://order.example/de')
      await editor.getByRole('button', { name: 'Save' }).click()
      await editor.getByText('Choose hours, days or a language for it.').waitFor()
      await rule.getByRole('combobox', { name: 'For guests who read' }).selectOption('de')
      await rule.getByLabel('From').fill('21:00')
      await rule.getByLabel('Until').fill('02:00')
      await rule.getByText('It ends on the next day.').waitFor()
      await editor.getByRole('button', { name: 'Save' }).click()
      await editor.getByText('Have this site allowed in Settings first.').waitFor()

      await page.setViewportSize({ width: 320, height: 700 })
      expect(await widthOf(page)).toBeLessThanOrEqual(320)

      expect(await listViolations(page)).toEqual([])
      await address.fill('https://order.example/terrace')
      await editor.getByRole('button', { name: 'Save' }).click()
      await editor.waitFor({ state: 'detached' })
      expect(await venue.get(`/tags/${id}/details`)).toEqual({
        url: 'https://order.example/terrace',
        orderType: 'takeaway',
        rules: [{ when: { begin: '2100', end: '0200', lang: 'de' }, url: 'https://order.example/de' }],
      })
    },
    { bypassCSP: true },
  )
})
