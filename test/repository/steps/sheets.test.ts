import { expect, test, vi } from 'vitest'
import { requireLinear } from '../../support/count-steps.ts'

const { createCards } = await import('../../../src/storefront/print/cards.ts')
const { renderSheetPdf } = await import('../../../src/storefront/print/sheet-pdf.ts')
const { renderSheetHtml } = await import('../../../src/storefront/print/sheet-html.ts')
/** Each text is its name. */
const texts = new Proxy({}, { get: (_, name) => String(name) })

type Content = Parameters<typeof renderSheetPdf>[0]

/** A sheet of tags with long labels. */
function createSheet(count: number): Content {
  const tags = Array.from({ length: count }, (_, index) => ({
    code: String(index).padStart(16, '0'),
    entries: [{ key: 'table', value: `${index} ${'by the window '.repeat(20)}` }],
    testMode: false,
    nfc: true,
  }))
  const cards = createCards(tags, 'https://menu.example')
  const look = { format: 'a4', layout: 'tents' } as const
  return {
    venue: 'Café',
    language: 'en',
    messages: texts as never,
    address: 'menu.example/t',
    cards,
    omitted: 0,
    ...look,
  }
}

test('the steps of a sheet grow with its tags', async () => {
  await requireLinear((count) => count, createSheet, 10)
  await requireLinear(createSheet, (sheet) => renderSheetPdf(sheet, async () => new Map()), 20)
  await requireLinear(createSheet, renderSheetHtml, 20)
})

test('other requests run between the pages of a sheet', async () => {
  const sheet = createSheet(100)
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const pdf = await renderSheetPdf(sheet, async () => new Map())
  const pages = timers.mock.calls.length + 1
  timers.mockRestore()
  expect(pdf.length).toBeGreaterThan(1_000)
  expect(pages).toBeGreaterThanOrEqual(10)
})
