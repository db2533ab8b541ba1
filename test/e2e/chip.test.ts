import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { getBrowser, listAxeViolations, visit, widthOf } from './browser.ts'
import { createVenueService, type VenueService } from './venue-service.ts'

/** A chip, and a phone that has NFC: what is written, read or locked happens when the phone is held to the chip. */
const phone = `
window.chip = { records: [], isLocked: false, isBroken: false }
const held = new EventTarget()
window.hold = () => held.dispatchEvent(new Event('hold'))
const change = (work) => new Promise((resolve, reject) => held.addEventListener('hold', () => {
  if (chip.isLocked) reject(new DOMException('the chip is locked', 'NetworkError'))
  else resolve(work())
}, { once: true }))
window.NDEFReader = class {
  write({ records }) {
    return change(() => { chip.records = records.map(({ recordType, data }) => [recordType, data]) })
  }
  makeReadOnly() {
    return change(() => { chip.isLocked = true })
  }
  async scan({ signal }) {
    const data = (text) => new DataView(new TextEncoder().encode(text).buffer)
    held.addEventListener('hold', () => {
      if (chip.isBroken) this.onreadingerror()
      else this.onreading({ message: { records: chip.records.map(([, text]) => ({ data: data(text) })) } })
    }, { signal })
  }
}`

let site: VenueService
const browser = await getBrowser()
let venue: Awaited<ReturnType<VenueService['createVenue']>>

beforeAll(async () => {
  site = await createVenueService()
  venue = await site.createVenue({ name: 'Venue' })
})

/** A tag, and where its chip is written. */
async function createTag() {
  const { body: tag } = await venue.post('/tags', { metadata: [{ key: 'table', value: '4' }] })
  const { body: link } = await venue.post(`/tags/${tag.id}/nfc-link`, {})
  return { ...tag, nfcUrl: String(tag['nfcUrl']), page: link.url }
}
const hold = (page: Page) => page.evaluate('hold()')
const status = (page: Page) => page.getByRole('status')
const button = (page: Page, name: string) => page.getByRole('button', { name })
/** Waits until the page says something. */
const says = (page: Page, words: string) =>
  status(page).and(page.getByText(words)).waitFor({ state: 'visible', timeout: 5_000 })

describe('the page that writes a chip', () => {
  test('reads and writes the chip, then confirms the table', async () => {
    const tag = await createTag()
    await visit(
      browser,
      tag.page,
      {},
      async (page, { browserErrors, requests }) => {
        expect(await page.locator('h1').textContent()).toBe('Table 4')
        expect(await page.locator('p').first().textContent()).toBe('Venue')
        expect(await button(page, 'Lock').count()).toBe(0)
        await button(page, 'Write').click()
        await says(page, 'Hold the phone to the chip.')
        expect(await button(page, 'Write').isDisabled()).toBe(true)
        await hold(page)
        await says(page, 'Written.')
        expect(await page.evaluate('chip.records')).toEqual([['url', tag.nfcUrl]])
        await hold(page)
        await says(page, 'Done')
        // Fonts of the service, and nothing else.
        const others = requests.filter((each) => !each.startsWith('font '))
        expect([browserErrors, others.length]).toEqual([[], 1])
      },
      phone,
    )
    expect((await venue.post(`/tags/${tag.id}`, {})).body['nfc']).toBe(false)
    await fetch(tag.nfcUrl, { redirect: 'manual', headers: { 'user-agent': 'Mozilla/5.0 (Android 15; Mobile)' } })
    await expect.poll(async () => (await venue.post(`/tags/${tag.id}`, {})).body['nfc']).toBe(true)
  })

  test('locks a chip only after writing; a locked chip accepts no writes', async () => {
    const { page: address } = await createTag()
    await visit(
      browser,
      address,
      {},
      async (page) => {
        await button(page, 'Write').click()
        await hold(page)
        await says(page, 'Written.')
        await hold(page)
        await says(page, 'Done')
        await button(page, 'Lock').click()
        await says(page, 'Nobody can change a locked chip again. Lock it?')
        // A double tap must not answer the question.
        expect(await button(page, 'Continue').isDisabled()).toBe(true)
        await button(page, 'Cancel').click()
        expect(await button(page, 'Cancel').count()).toBe(0)
        await button(page, 'Lock the chip').click()
        await button(page, 'Continue').click()
        await says(page, 'This cannot be undone.')
        await hold(page)
        expect(await page.evaluate('chip.isLocked')).toBe(false)
        await button(page, 'Lock permanently').click()
        await says(page, 'Hold the phone')
        await hold(page)
        await says(page, 'Locked')
        expect(await page.evaluate('chip.isLocked')).toBe(true)
        expect(await button(page, 'Lock').count()).toBe(0)
        await button(page, 'Write').click()
        await hold(page)
        await says(page, 'Failed: the chip is locked')
        expect(await button(page, 'Write').isEnabled()).toBe(true)
      },
      phone,
    )
  })

  test('reports foreign content and read errors, and allows a retry', async () => {
    const { page: address } = await createTag()
    await visit(
      browser,
      address,
      {},
      async (page) => {
        for (const [change, text] of [
          ['chip.records = [["url", "https://elsewhere.example/"]]', 'another address'],
          ['chip.records = []', 'another address'],
          ['chip.isBroken = true', 'cannot be read'],
          ['chip.isBroken = false', 'Done'],
        ] as const) {
          await button(page, 'Write').click()
          await hold(page)
          await says(page, 'Written.')
          await page.evaluate(change)
          await hold(page)
          await says(page, text)
          expect(await button(page, 'Lock').count()).toBe(text === 'Done' ? 1 : 0)
        }
      },
      phone,
    )
  })

  test('reports an unsupported browser', async () => {
    const { page: address } = await createTag()
    await visit(browser, address, {}, async (page, { browserErrors }) => {
      await says(page, 'This browser cannot write chips.')
      expect(await button(page, 'Write').isDisabled()).toBe(true)
      expect(browserErrors).toEqual([])
    })
  })
})

test.each(['light', 'dark'] as const)(
  'the page is readable at 320 pixels, and axe finds no issues, %s',
  async (colorScheme) => {
    const { page: address } = await createTag()
    for (const prepare of [phone, '']) {
      await visit(
        browser,
        address,
        { colorScheme, viewport: { width: 320, height: 700 }, bypassCSP: true },
        async (page) => {
          expect(await widthOf(page)).toBe(320)
          expect(await listAxeViolations(page)).toEqual([])
          if (prepare === '') return
          await button(page, 'Write').click()
          await hold(page)
          await says(page, 'Written.')
          await hold(page)
          await says(page, 'Done')
          expect([await widthOf(page), await listAxeViolations(page)]).toEqual([320, []])
        },
        prepare,
      )
    }
  },
)
