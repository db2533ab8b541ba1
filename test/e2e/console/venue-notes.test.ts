import { expect, test } from 'vitest'
import { createClient } from '../../../packages/client/src/client.ts'
import { getBrowser } from '../browser.ts'
import { createOwner, visitConsole } from './console-page.ts'

const browser = await getBrowser()

test('notes for guests are written with translations, and kept as they are', async () => {
  const venue = await createOwner()
  const { merchant } = createClient({ origin: venue.origin, merchantId: venue.id, key: venue.key })
  const stored = { text: 'Beef from Ireland', translations: { fr: { text: 'Bœuf d’Irlande' } } }
  await merchant.update({ notes: [stored] })
  await visitConsole(browser, venue, '/settings', async (page) => {
    const save = page.getByRole('button', { name: 'Save' })
    await page.getByRole('button', { name: 'Add a note' }).click()
    await save.click()
    const note = page.getByRole('group', { name: 'Note 2' })
    await note.locator('textarea:focus[aria-invalid=true]').waitFor()
    await note.locator('textarea').fill('Service is included.')
    await note.getByText('Translations').click()
    await note.getByRole('combobox', { name: 'Language' }).fill('de')
    await note.getByRole('button', { name: 'Add a translation' }).click()
    await note.locator('textarea').nth(1).fill('Bedienung inbegriffen.')
    await save.click()
    await page.getByRole('status').getByText('The settings are saved.').first().waitFor()
    const added = { text: 'Service is included.', translations: { de: { text: 'Bedienung inbegriffen.' } } }
    expect((await merchant.retrieve()).notes).toEqual([stored, added])
    await page.getByRole('button', { name: 'Remove Note 1' }).click()
    await save.click()
    await expect.poll(async () => (await merchant.retrieve()).notes).toEqual([added])
  })
})
