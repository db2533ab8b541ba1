import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { getBrowser, listAxeViolations, listColourViolations, visit } from './browser.ts'
import { createVenueService } from './venue-service.ts'

const browser = await getBrowser()
const site = await createVenueService()

test('the documentation is searched by the keyboard, from every page', async () => {
  await visit(
    browser,
    `${site.origin}/docs/guides/webhooks`,
    { bypassCSP: true },
    async (page, { browserErrors, requests }) => {
      const box = page.getByRole('combobox', { name: 'Search the documentation' })
      const results = page.getByRole('option')
      const before = requests.length
      await page.keyboard.press('/')
      await box.waitFor()
      expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('combobox')
      await box.fill('restore product')
      await results.first().waitFor()
      expect(await results.first().textContent()).toContain('Restore a deleted product')
      expect(await page.getByRole('status').textContent()).toMatch(/^\d+ results$/)
      // Only the index is loaded, when the search opens.
      expect(requests.length - before).toBe(1)
      // The chosen result is told to screen readers, and follows the arrows.
      const active = () => box.getAttribute('aria-activedescendant')
      expect(await active()).toBe('found-0')
      await page.keyboard.press('ArrowUp')
      expect(await active()).not.toBe('found-0')
      await page.keyboard.press('ArrowDown')
      expect(await active()).toBe('found-0')
      expect(await listAxeViolations(page)).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await listColourViolations(page)).toEqual([])
      await page.keyboard.press('Enter')
      await page.waitForURL('**/docs#restoreProduct')
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('soldOutUntil qqq')
      await page.getByText('Nothing found').waitFor()
      await page.keyboard.press('Escape')
      expect(await page.getByRole('dialog').count()).toBe(0)
      // A link to the pages that opens the search.
      await page.getByRole('button', { name: 'Search' }).click()
      await page.getByRole('combobox').fill('idempotency')
      expect(await results.first().textContent()).toMatch(/^Idempotency/)
      expect(browserErrors).toEqual([])
    },
  )
})

test('without a script, the search is a link to the list of pages', async () => {
  await visit(browser, `${site.origin}/docs/errors`, { javaScriptEnabled: false }, async (page) => {
    await page.getByRole('link', { name: 'Search' }).click()
    await page.waitForURL('**/docs/guides')
    expect(await page.getByRole('link').count()).toBeGreaterThan(40)
  })
})

test('the index takes at most 30 KB, and each of its addresses exists', async () => {
  const text = await (await fetch(`${site.origin}/docs/sections.js`)).text()
  expect(gzipSync(text).length).toBeLessThanOrEqual(30_720)
  const pages: [string, string, [string, string, string][]][] = JSON.parse(text.slice('export default '.length))
  expect(pages.length).toBeGreaterThan(40)
  const missing: string[] = []
  for (const [address, title, sections] of pages) {
    const html = await (await fetch(site.origin + address)).text()
    if (title === '') missing.push(address)
    for (const [anchor] of sections) if (!html.includes(`id="${anchor}"`)) missing.push(`${address}#${anchor}`)
  }
  expect(missing).toEqual([])
})
