import { expect, test } from 'vitest'
import { getBrowser, listAxeViolations, visit, widthOf } from './browser.ts'
import { createVenueService } from './venue-service.ts'

const browser = await getBrowser()

test('a guest types the code of a table and reaches the ordering system', async () => {
  const site = await createVenueService()
  const venue = await site.createVenue({ name: 'Bar', orderingUrl: 'https://order.example/{code}' })
  const { body: tag } = await venue.post('/tags', { metadata: [] })
  const code = tag.url.split('/').at(-1) ?? ''
  const options = { viewport: { width: 320, height: 640 }, bypassCSP: true, locale: 'de-DE' } as const
  await visit(browser, `${site.origin}/t`, options, async (page) => {
    expect(await listAxeViolations(page)).toEqual([])
    expect(await widthOf(page)).toBe(320)
  })
  // The page's own policy applies: it also covers redirects after a form.
  await visit(browser, `${site.origin}/t`, {}, async (page) => {
    // The browser gives the field its focus with the next frame, after the page has loaded.
    await page.waitForFunction('document.activeElement?.id === "code"')
    await page.keyboard.type(code.toLowerCase())
    const reached = page.waitForRequest(`https://order.example/${code}`)
    await page.keyboard.press('Enter')
    await reached
  })
})

test('a guest who mistyped a code comes back to the field', async () => {
  const site = await createVenueService()
  const options = { viewport: { width: 320, height: 640 }, bypassCSP: true, locale: 'de-DE' } as const
  await visit(browser, `${site.origin}/t?code=7KQ2-M5XZ-8CE4-FA9R`, options, async (page) => {
    expect(await page.getByRole('heading').innerText()).toBe('Hier ist nichts')
    expect(await listAxeViolations(page)).toEqual([])
    expect(await widthOf(page)).toBe(320)
    await page.getByRole('link', { name: 'Geben Sie den Code auf Ihrem Tisch ein' }).click()
    await page.getByRole('textbox', { name: 'Geben Sie den Code auf Ihrem Tisch ein' }).fill('7KQ2')
  })
})
